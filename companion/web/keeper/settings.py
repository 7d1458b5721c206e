"""What a table agrees on beside the deals: names, dealer, rules from a deal on; and taking everything out."""

from __future__ import annotations

import secrets

from flask import Blueprint, render_template

from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board
from companion.web.keeper.house_rules import rule_set
from companion.web.keeper.rules_change import change_page, propose, rules_page
from companion.web.keeper.what_if import what_if


def add_pages(keeper: Blueprint) -> None:
    """The settings of a sheet."""
    keeper.get("/<lang:lang>/sheets/<sheet>/settings")(settings_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/rules")(rules_page)
    keeper.post("/<lang:lang>/sheets/<sheet>/rules")(propose)
    keeper.get("/<lang:lang>/sheets/<sheet>/rules/change")(change_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/what-if")(what_if)


def settings_page(lang: str, sheet: str) -> str:
    """Names, the dealer, a void deal, an adjustment, the exports."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    rules = rule_set(view.games[shown.game.game], view.house(shown.game), lang)
    return render_template(
        "keeper/settings.html", view=view, board=shown, set=rules, key=secrets.token_urlsafe(12),
        path=f"sheets/{view.id}/settings",
    )  # fmt: skip

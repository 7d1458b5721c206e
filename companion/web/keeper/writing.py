"""What the form of this request says, written on its sheet."""

from __future__ import annotations

from flask import request

from companion.sheets.scoring import View
from companion.sheets.service import Done
from companion.web.keeper.access import own_link
from companion.web.keeper.forms import base_version, command_of, key_of
from companion.web.sheet_service import sheet_service


def write(kind: str, view: View, lang: str) -> Done:
    """What was written, under the label of this device's link.

    Raises Refused where the form or the sheet does not allow it, Conflict where others wrote since the form was shown,
    KeyReused where its key has been used for something else.
    """
    form = request.form
    command = command_of(kind, form, view, lang)
    writer = own_link(view.id).label
    return sheet_service().do(view.id, command, base_version=base_version(form), key=key_of(form), actor=writer)

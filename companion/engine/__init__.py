"""What every game shares: cards, articles, options, verdicts, ledgers. Pure: no files, no clock, no randomness."""

from __future__ import annotations

"""Builds what a phone needs to be the companion without a line: `make phone`, which is `python -m phone`."""

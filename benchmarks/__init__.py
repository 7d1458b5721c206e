"""Costs as ratios within one run, so that they repeat on any machine; `make bench` prints the table."""

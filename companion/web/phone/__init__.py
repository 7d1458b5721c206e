"""The same pages on a phone without a line: the program that runs there, and what a server needs to hand it over."""

"""Score sheets as append-only logs: pure events, fold and decisions, and the store and desk that keep them."""

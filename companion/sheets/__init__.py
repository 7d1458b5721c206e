"""Score sheets as append-only logs: events, the fold and the decisions are pure; a service keeps them in a store."""

"""What the games answer, whole: a change of any fact, key or order shows, and must be meant."""

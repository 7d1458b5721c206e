"""One module a step, oldest first; a released step is never changed."""

"""The questions of a table as functions with words: what API, command line, assistants and programs share."""

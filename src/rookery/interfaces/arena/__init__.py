"""The arena at the command line: `match`, `tournament`, `record`."""

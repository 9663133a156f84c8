"""Programs that try to kill Rookery; see README.md."""

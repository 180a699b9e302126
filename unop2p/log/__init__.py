"""The `log` room."""

"""The `cli` room."""

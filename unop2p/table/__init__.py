"""The `table` room."""

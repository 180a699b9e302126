"""The `sim` room."""

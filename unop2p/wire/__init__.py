"""The `wire` room."""

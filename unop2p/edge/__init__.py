"""The `edge` room."""

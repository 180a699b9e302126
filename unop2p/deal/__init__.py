"""The `deal` room."""

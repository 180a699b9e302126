"""The `repl` room."""

"""The `bots` room."""

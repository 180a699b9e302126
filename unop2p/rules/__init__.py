"""UNO: legal moves and what follows, as pure values."""

"""The tests of unop2p."""

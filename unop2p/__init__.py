"""UNO for the terminal, played peer to peer, with a deal that everybody can check."""

__version__ = "0.1.0"
PROTOCOL_VERSION = 1

"""One seat behind `Peer.handle`: the log, the table, secrets and timers joined."""

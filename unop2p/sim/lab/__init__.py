"""The laboratory: fair-deal protocols run among simulated peers, with chosen cheats."""

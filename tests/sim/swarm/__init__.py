"""Tests of the simulator's swarm."""

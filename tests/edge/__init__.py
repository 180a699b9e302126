"""Tests of the edge: disk, brokers and what goes wrong with them."""

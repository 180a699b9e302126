"""Tests of the masked deck."""

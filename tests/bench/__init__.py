"""Measurements: ratios in one run, never a test."""

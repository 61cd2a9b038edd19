"""Irrigation for a shared garden."""

__version__ = "2.3.0"

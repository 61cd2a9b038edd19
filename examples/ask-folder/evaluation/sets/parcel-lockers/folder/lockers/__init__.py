"""Hatchway: parcel lockers for apartment buildings."""

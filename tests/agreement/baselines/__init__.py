"""Baselines for users × items, as loops over dense matrices compute them."""

"""Judging 50 million scored pairs, beside merely reading three columns of them."""

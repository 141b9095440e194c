"""Tasks of pairs, as others compute them."""

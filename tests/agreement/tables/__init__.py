"""Tables, as others read and score them."""

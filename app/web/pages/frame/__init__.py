"""What all pages stand on: the visitor, forms, calls of our own API, what is said after them."""

"""The HTTP contract, version 1: one module per group of routes, each with a `router`."""

"""The add-on of `docs/extending.md`, installed into an environment of its own."""

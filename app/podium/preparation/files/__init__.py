"""Opens raw files, plain or compressed, and refuses them with the lines at fault."""

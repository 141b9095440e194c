"""Tasks that no settings describe, as files tell them."""

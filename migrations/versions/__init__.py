"""One file per step, named by its date. A step that was released is never edited."""

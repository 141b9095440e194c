"""An organizer's file of a solution → its canonical form."""

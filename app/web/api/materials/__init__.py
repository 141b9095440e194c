"""Routes of the files that organizers give a competition: public ones, and what is secret."""

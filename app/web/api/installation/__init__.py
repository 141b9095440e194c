"""Routes of the installation: for its administrator, and for machines that watch over it."""

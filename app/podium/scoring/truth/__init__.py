"""Ground truth: forms that organizers have → one canonical, immutable, hashed frame; its splits."""

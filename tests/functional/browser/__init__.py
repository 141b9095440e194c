"""Pages in a real browser: journeys by mouse, keyboard and phone, with and without scripts."""

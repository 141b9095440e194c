"""Pages in a real browser: whole journeys, by mouse, keyboard and phone, with and without scripts."""

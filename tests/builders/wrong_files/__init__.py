"""Wrong submissions of every kind of task, and what each gets wherever it is checked."""

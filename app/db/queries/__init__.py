"""All SQL, one function per question. No rules: callers decide what an answer means."""

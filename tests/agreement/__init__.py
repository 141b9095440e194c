"""Our metrics and readers against independent libraries and slow, obvious ones, on thousands of
random cases: too long for every change, and part of the whole suite."""

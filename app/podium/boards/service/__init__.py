"""Use cases of boards: pages, history, charts, comparisons, segments, ties."""

"""The page of each metric: one source for the command line, the server and the documentation.

A family of metrics is a file with `PAGES`, which `ABOUT` collects. A metric without a page here
fails the tests.
"""

from __future__ import annotations

from podium.scoring.metrics.about import (
    answers,
    beyond_accuracy,
    candidates,
    gains,
    hits,
    pairs,
    popularity,
    probabilities,
    ranks,
    ratings,
    user_models,
)
from podium.scoring.metrics.about.description import AboutMetric, Example
from podium.scoring.metrics.about.tables import labels, numbers, orders, own, texts
from podium.scoring.metrics.about.tables import probabilities as classes

FAMILIES = (
    hits,
    answers,
    ranks,
    gains,
    user_models,
    ratings,
    pairs,
    probabilities,
    candidates,
    labels,
    classes,
    numbers,
    orders,
    texts,
    own,
    beyond_accuracy,
    popularity,
)
"""The families in the order of an index."""

ABOUT: dict[str, AboutMetric] = {page.key: page for family in FAMILIES for page in family.PAGES}
"""The page of each metric, by its name without K."""

__all__ = ["ABOUT", "AboutMetric", "Example"]

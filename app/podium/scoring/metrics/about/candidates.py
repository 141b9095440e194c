"""The page of the metric of reranked candidates that lists do not have."""

from __future__ import annotations

from podium.scoring.metrics.about.description import OF_CANDIDATES, AboutMetric, Case
from podium.scoring.metrics.about.examples import example_of_pairs

FAMILY = "Candidates of a query"

_CASES: tuple[Case, ...] = (
    ("A missing candidate, or an item that is none", "rejects the file."),
    ("A candidate twice", "rejects the file."),
    OF_CANDIDATES,
    ("The same number for all", "scores what random orders score on average."),
    ("A query without a relevant candidate", "is left out; the notes count such queries."),
)

_AVERAGE = "The mean over the queries that have a relevant candidate: all count alike."

_ERROR = (
    "From the spread between queries, which are drawn independently. Differences between"
    " submissions are paired."
)

RECIPROCAL_RANKS = AboutMetric(
    key="mrr_all",
    family=FAMILY,
    title="Mean reciprocal rank of all relevant candidates (“MRR” of MIND)",
    tex=r"\frac{1}{m} \sum_{i=1}^{m} \frac{1}{r_i}",
    symbols=(
        "m is the number of relevant candidates of the query, those with a target above 0; rᵢ is"
        " the rank of one among all candidates."
    ),
    definition=(
        "One divided by the rank, for every relevant candidate, and the mean of these. MIND and"
        " EB-NeRD call it MRR, which elsewhere looks at the first hit only; with one click per"
        " impression both are equal."
    ),
    example=example_of_pairs(
        "mrr_all",
        [[(1, 3.0), (0, 2.0), (1, 1.0)], [(1, 0.5), (0, 0.5)]],
        steps=(
            "Query 1: relevant candidates at ranks 1 and 3: (1 + 1/3) / 2 = 0.66667.",
            "Query 2: a tie, first in one order and second in the other: (1 + 1/2) / 2 = 0.75.",
            "The mean: (0.66667 + 0.75) / 2 = 0.70833",
        ),
        value=0.70833,
    ),
    cases=_CASES,
    average=_AVERAGE,
    value_range=(
        "0 to 1; higher is better. With several relevant candidates even a perfect order stays"
        " below 1: with two it is at most 0.75."
    ),
    standard_error=_ERROR,
    used_by=("MIND (2020): news clicked in an impression", "RecSys Challenge 2024 (EB-NeRD)"),
    elsewhere=(
        ("MIND's evaluate.py", "mrr_score"),
        ("ebrec", "MrrScore"),
        ("Microsoft Recommenders", "mean_mrr, in cal_metric"),
    ),
    relatives=(
        ("mrr", "looks at the first relevant candidate only."),
        ("arhr", "is the same sum for lists, not divided by m."),
    ),
)

PAGES = (RECIPROCAL_RANKS,)

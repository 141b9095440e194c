"""The pages of metrics that an organizer has written."""

from __future__ import annotations

from functools import partial

from podium.scoring.metrics.about.description import AboutMetric, Case, Example

FAMILY = "Own metrics"

_CASES: tuple[Case, ...] = (
    ("ParticipantVisibleError", "rejects the file with its text; the submission is used up."),
    ("Any other exception", "is a failure; the organizer alone sees the report."),
    ("A number that is not finite", "is a failure, too."),
)

_AVERAGE = "The file brings rows together as it likes."

_ERROR = (
    "From what the file says of each row, if it does; else by a bootstrap over rows where the"
    " organizer allows its cost, and otherwise there is none."
)

_DEFINITION = (
    "The organizer has written this metric as a Python file, score(solution, submission, …), which"
    " is run isolated, once for the public rows and once for the private ones. The page of the"
    " competition says which version scores, and shows its source where the organizer wants that."
)


def _lines_of_file(metric: str, name: str, lines: str, value: float) -> Example:
    return Example(
        metric=metric,
        given=(("Truth", "1 2 3 4"), ("Answers", "1 2 3 6"), ("The file returns", lines)),
        steps=(f"{name} = {value:g}",),
        value=value,
        compute=partial(_computed, metric),
    )


def _computed(metric: str) -> float:
    """The lines of both files, in Python."""
    rows = list(zip((1, 2, 3, 4), (1, 2, 3, 6), strict=True))
    values = [abs(t - a) if metric == "own_error" else float(t == a) for t, a in rows]
    return sum(values) / len(values)


OWN = AboutMetric(
    key="own",
    family=FAMILY,
    title="The organizer's own metric",
    tex=r"\text{score} ( \text{solution} , \text{submission} )",
    symbols="score is the function of the metric file; rows of both tables are in the same order.",
    definition=_DEFINITION,
    example=_lines_of_file(
        "own",
        "3 of 4 answers are right: 3 / 4",
        "float((solution.y == submission.y).mean())",
        0.75,
    ),
    cases=_CASES,
    average=_AVERAGE,
    value_range="Any number; higher is better.",
    standard_error=_ERROR,
    used_by=("Competitions whose score is no metric of this list",),
    elsewhere=(("Kaggle", "a metric notebook, which runs unchanged"),),
    relatives=(("own_error", "is for files whose score is an error: less is better."),),
)

OWN_ERROR = AboutMetric(
    key="own_error",
    family=FAMILY,
    title="The organizer's own metric, an error",
    tex=r"\text{score} ( \text{solution} , \text{submission} )",
    symbols="score is the function of the metric file; rows of both tables are in the same order.",
    definition=_DEFINITION,
    example=_lines_of_file(
        "own_error",
        "The last answer is off by 2: 2 / 4",
        "float((solution.y - submission.y).abs().mean())",
        0.5,
    ),
    cases=_CASES,
    average=_AVERAGE,
    value_range="Any number; lower is better.",
    standard_error=_ERROR,
    used_by=("Competitions whose score is no metric of this list",),
    elsewhere=(("Kaggle", "a metric notebook, which runs unchanged"),),
    relatives=(("own", "is for files whose score is a gain: more is better."),),
)

PAGES = (OWN, OWN_ERROR)

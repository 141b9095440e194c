"""`podium metrics`: what every metric means, without a server."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from podium.cli.printing import AsCsv, AsJson, Columns, print_rows
from podium.errors import NotConfigured
from podium.errors.reasons import sentence

METRICS: Columns = (
    ("metric", lambda row: " ".join(_ids(row))),
    ("ranks", lambda row: "yes" if row["ranks"] else "no"),
    ("needs", lambda row: " ".join(row["needs"])),
    ("presets", lambda row: " ".join(row["presets"])),
    ("formula", lambda row: row["formula"]),
    ("source", lambda row: row["source"]),
)

EXAMPLE = re.compile(
    r">{3} (?:round\()?\w+\((?:k=(\d+))?(?:, persistence=(\d+))?\)"
    r"\.of_one\(\[(.*?)\], \{(.*?)\}\).*\n([\d.]+)"
)
"""The example of a list and its labels: K, p in hundredths, the list, the labels with relevances,
the value."""


def metrics(
    name: Annotated[
        str | None, typer.Argument(help="One metric, for example ndcg or ndcg@10: its definition.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List all metrics: names, formulas for one query, sources.

    K is a number from 1 to 1000; macro, the mean over queries, is the default average. A metric
    that does not rank is a diagnostic only. Metrics are given to `podium score --metric` and to
    the settings of a competition.
    """
    from podium.competitions.schemas.metrics import metric_definitions
    from podium.core.configuration import nearest_metric
    from podium.scoring.metrics import SAMPLED, is_sampled, key_of

    wanted = None if name is None else key_of(name)
    found = [each.model_dump() for each in metric_definitions() if wanted in (None, each.name)]
    if wanted is not None and not found:
        hint = nearest_metric(wanted) or "Without a name all are listed."
        if is_sampled(wanted):
            hint = sentence(SAMPLED)
        raise NotConfigured(f"There is no metric {wanted}. {hint}")
    if name is None or as_json or as_csv:
        print_rows(found, METRICS, as_json=as_json, as_csv=as_csv, below=("formula", "source"))
    else:
        print(in_words(found[0]["definition"]))


def in_words(definition: str) -> str:
    """The definition of a metric for people: its example in words, without what only a program can
    read."""
    text, *_ = re.split(r"\n>{3} ", definition, maxsplit=1)
    example = EXAMPLE.search(definition)
    if example is None:
        return text.rstrip()
    k, p, items, relevances, value = example.groups()
    listed = dict(pair.split(": ") for pair in relevances.split(", "))
    is_graded = set(listed.values()) != {"1"}
    labels = f"the relevances {relevances}" if is_graded else f"the labels {' '.join(listed)}"
    at = f" at K = {k}" * (k is not None) + f" and p = 0.{p}" * (p is not None)
    example_words = f"the list {items.replace(',', '')}, with {labels}, has {value}{at}"
    return f"{text.rstrip()}\n\nExample: {example_words}."


def _ids(row: dict[str, object]) -> list[str]:
    averages = row["averages"]
    assert isinstance(averages, tuple)
    return [str(row["id"])] + [f"{row['id']}:micro"] * ("micro" in averages)

"""`podium metrics`: definitions of all metrics, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from podium.add_ons import lack_of
from podium.cli.printing import AsCsv, AsJson, Columns, members, print_rows, wrapped
from podium.competitions.schemas.metrics import metric_definitions
from podium.core.configuration import nearest_metric
from podium.errors import NotConfigured
from podium.errors.reasons import sentence
from podium.scoring.metrics import SAMPLED, is_sampled, key_of

if TYPE_CHECKING:
    from podium.competitions.schemas.metrics import MetricDefinitionOut

METRICS: Columns = (
    ("metric", lambda row: " ".join(_ids(row))),
    ("kind", lambda row: row["kind"]),
    ("ranks", lambda row: "yes" if row["ranks"] else "no"),
    ("needs", lambda row: " ".join(row["needs"])),
    *members("formula", "source"),
    ("presets", lambda row: " ".join(row["presets"])),
)

WIDEST = 100
"""The maximum characters of a line of a page, however wide the terminal is."""


def metrics(
    name: Annotated[
        str | None, typer.Argument(help="One metric, for example ndcg or ndcg@10: its page.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List all metrics: names, formulas for one query, sources. With a name, print its page.

    The page of a metric has its definition, a worked example, unusual cases, average, range,
    standard error, who uses it, and what it is called elsewhere.

    K is a number from 1 to 1000; macro, the mean over queries, is the default average. A metric
    that does not rank is a diagnostic only. Metrics are given to `podium score --metric` and to
    the settings of a competition.
    """
    wanted = None if name is None else key_of(name)
    listed = [each for each in metric_definitions() if wanted in (None, each.name)]
    if not listed and wanted is not None:
        hint = nearest_metric(wanted) or "Without a name all are listed."
        if is_sampled(wanted):
            hint = sentence(SAMPLED)
        lack = lack_of("metrics", wanted) or f"There is no metric {wanted}"
        raise NotConfigured(f"{lack}. {hint}")
    if name is None or as_json or as_csv:
        found = [each.model_dump() for each in listed]
        print_rows(
            found, METRICS, as_json=as_json, as_csv=as_csv, below=("formula", "source", "presets")
        )
    else:
        width = min(get_terminal_size().columns, WIDEST)
        print("\n".join(page_lines(listed[0], width=width)))


def page_lines(found: MetricDefinitionOut, *, width: int) -> Iterator[str]:
    """Yields the page of a metric as text, in lines of at most so many characters."""
    about = found.about
    yield from wrapped(f"{found.id}: {about.title}", width)
    yield ""
    yield from wrapped(about.definition, width)
    for title, texts in _parts(found):
        yield from ("", title)
        for text in texts:
            yield from wrapped(text, width, indent="  ")


def _parts(found: MetricDefinitionOut) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields the headings of a page, each with its paragraphs; headings without any are left
    out."""
    about, example = found.about, found.about.example
    given = [f"{each.name}: {each.text}" for each in example.given]
    parts = {
        "Formula": [found.formula],
        f"Example: {example.metric}": [*given, *example.steps],
        "Unusual cases": [f"{each.name}: {each.text}" for each in about.cases],
        "Average": [about.average],
        "Range": [about.value_range],
        "Standard error": [about.standard_error],
        "Needs an item file with": [", ".join(found.needs)] if found.needs else [],
        "Used by": about.used_by,
        "In libraries": [f"{each.name}: {each.text}" for each in about.elsewhere],
        "Not the same": [f"{each.name}: {each.text}" for each in about.relatives],
        "Presets": [", ".join(found.presets)] if found.presets else [],
        "Source": [found.source],
    }
    yield from ((title, texts) for title, texts in parts.items() if texts)


def _ids(row: dict[str, object]) -> list[str]:
    averages = row["averages"]
    assert isinstance(averages, tuple)
    return [str(row["id"])] + [f"{row['id']}:micro"] * ("micro" in averages)

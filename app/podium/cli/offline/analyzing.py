"""`podium analyze`: the quality of lists as candidates for a ranker. No server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from podium.cli.offline.comparing import hits_here
from podium.cli.offline.described import IdsFile, TruthFile
from podium.cli.offline.scoring import (
    File,
)
from podium.cli.offline.segmenting import Sessions, print_segments, taken_apart
from podium.cli.offline.tasks import ListOptions, task_for
from podium.cli.offline.truths import canonical_lists
from podium.cli.printing import AsJson, Columns, print_json, print_rows
from podium.errors import NotConfigured
from podium.scoring.analysis.candidates import rank_histogram, recalls
from podium.scoring.splits import ALL

MAX_KS = 10
MAX_K = 1000


def analyze(
    file: File,
    truth: TruthFile,
    k: Annotated[
        str, typer.Option("--k", help="How many items of a list are looked at, as 20,50,100.")
    ] = "20,50,100",
    sessions: Sessions = None,
    published_ids: IdsFile = None,
    *,
    options: ListOptions,
    as_json: AsJson = False,
) -> None:
    """Show how many labels are among the first K items, at which ranks, for which sessions.

    Lists may be longer than what a competition scores. Recall is the micro average, capped (divided
    by at most K labels a list) and plain. The groups at the end are those of `podium segments`,
    with small ones merged as there, scored by capped recall at the largest K. Exit code 3 if the
    file is rejected.
    """
    try:
        ks = sorted({int(part) for part in k.split(",")})
    except ValueError:
        ks = []
    if not 1 <= len(ks) <= MAX_KS or ks[0] < 1 or ks[-1] > MAX_K:
        raise NotConfigured(f"--k {k}: up to {MAX_KS} numbers from 1 to {MAX_K}, as 20,50,100.")
    task = task_for(truth, replace(options, submission=file))
    task = task.scored_by(f"recall_capped@{ks[-1]}:micro")
    known, published = canonical_lists(truth, task, preset=options.preset, ids=published_ids)
    hits = hits_here(file, known, published)
    document = {
        "k": recalls(hits, ks, split=ALL),
        "ranks": rank_histogram(hits, split=ALL),
        **taken_apart(hits, sessions, published),
    }
    if as_json:
        print_json(document)
        return
    _print(document, task.names)


def _print(document: dict[str, Any], names: tuple[str, ...]) -> None:
    for form, title in (("recall_capped", "Capped recall"), ("recall", "Recall")):
        columns: Columns = [
            ("K", lambda row: row["k"]),
            ("weighted", _weighted(form)),
            *((name or "value", _recall(name, form)) for name in names),
        ]
        print(f"{title}:")
        print_rows(document["k"], columns, as_json=False)
        print()
    ranks: Columns = [
        ("rank", lambda row: row["ranks"]),
        *((name or "found", _found(name)) for name in names),
    ]
    print("Labels found at:")
    print_rows(document["ranks"], ranks, as_json=False)
    print()
    print_segments(document, names)


def _weighted(form: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: f"{row[form]:.6f}"


def _recall(name: str, form: str) -> Callable[[dict[str, Any]], str]:
    def show(row: dict[str, Any]) -> str:
        part = row["objectives"].get(name)
        return "" if part is None else f"{part[form]:.6f}"

    return show


def _found(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: f"{row['found'][name]:,}"

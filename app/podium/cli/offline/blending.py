"""`podium blend` and `overlap`: several submissions combined or compared. No server."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from podium.cli.offline.rejections import rejections_of
from podium.cli.offline.scoring import (
    tell_zeros,
)
from podium.cli.offline.tasks import ListOptions, TaskOptions, task_for, task_to_validate
from podium.cli.offline.truths import canonical_lists, require_lists
from podium.cli.parameters.files import file_argument, file_option
from podium.cli.printing import AsJson, Columns, print_json, print_outcome, print_rows
from podium.cli.written import Force, Out, Top, fetched
from podium.errors import NotConfigured
from podium.scoring.combining import answered_ids, blended, common_hits, spooled, spooled_with_hits
from podium.scoring.combining import overlap as combining_overlap
from podium.scoring.kernel.library import MISSING, kernel
from podium.scoring.writing import container_of, write_lines

if TYPE_CHECKING:
    from podium.scoring.combining import ListSpool
    from podium.scoring.published import PublishedIds
    from podium.scoring.task import Task
    from podium.scoring.truth.canonical import GroundTruth

MAX_FILES = 20

Sample = Annotated[
    Path | None,
    file_option(
        "The ids that a submission answers, or a sample submission; else those of the ground truth,"
        " or of the first file.",
        "--published-ids",
        "--sample",
    ),
]


def blend(
    files: Annotated[list[Path], file_argument("Submissions, two or more.")],
    out: Out,
    weights: Annotated[
        str | None, typer.Option("--weights", "-w", help="One for each file, as 2,1; else equal.")
    ] = None,
    method: Annotated[
        Literal["votes", "rank", "reciprocal"],
        typer.Option(
            help="Points of an item for each list that has it: its file's weight (votes), the"
            " weight times the places from its own to the last (rank), or divided by its rank"
            " (reciprocal)."
        ),
    ] = "reciprocal",
    top: Top = 20,
    sample: Sample = None,
    *,
    options: ListOptions,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Blend submissions into one, by the ranks of their items: no scores are needed.

    Items with the highest sums come first; of equal ones the one with the better rank, then that of
    the file named first. Only the first --top items of each list are looked at. Rows may be in any
    order. Exit code 3, with every problem's line, if a file is rejected.
    """
    _must_be_compiled()
    if out.exists() and any(out.samefile(file) for file in files):
        raise NotConfigured(f"{out} is one of the files to blend. Name another one with --out.")
    given = _weights(weights, len(files))
    options = replace(options, submission=files[0])
    task, published = _asked(files[0], sample, options)
    with (
        fetched(out, force=force) as fresh,
        tempfile.TemporaryDirectory(prefix="podium-") as scratch,
    ):
        spools = _spooled(files, task, published, top, Path(scratch))
        try:
            portions = blended(spools, published=published, weights=given, method=method)
            header = (task.id_column, task.labels_column)
            write_lines(header, portions, fresh, container_of(out))
        except ValueError as error:
            raise NotConfigured(f"--weights: {error}.") from None
    facts = {"file": str(out), "rows": published.count}
    print_outcome(facts, facts, as_json=as_json)
    tell_zeros(options, files, sample or files[0], task)


def overlap(
    first: Annotated[Path, file_argument("A submission.")],
    second: Annotated[Path, file_argument("Another one.")],
    truth: Annotated[Path | None, file_option("Also compare their hits.")] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Items of a list.")] = 20,
    sample: Sample = None,
    *,
    options: ListOptions,
    as_json: AsJson = False,
) -> None:
    """Compare two submissions: equal lists, mean Jaccard index of the first K items, and with
    --truth which labels both have found, or one alone.

    Exit code 3, with every problem's line, if a file is rejected.
    """
    _must_be_compiled()
    files, hits = (first, second), None
    options = replace(options, submission=first)
    if truth is None:
        task, published = _asked(first, sample, options)
    else:
        task = task_for(truth, options)
        task = task.scored_by(f"recall_capped@{k}:micro")
        labels, published = canonical_lists(truth, task, preset=options.preset, ids=sample)
    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        if truth is None:
            spools = _spooled(files, task, published, k, Path(scratch))
        else:
            spools, hits = _with_hits(files, labels, published, k, Path(scratch))
        shared = combining_overlap(*spools, task=task, published=published)
    document: dict[str, Any] = {"k": k, "objectives": shared}
    if hits is not None:
        document["hits"] = hits
    if as_json:
        print_json(document)
    else:
        _print_overlap(document)
    tell_zeros(options, files, truth or sample or first, task)


def _must_be_compiled() -> None:

    if kernel() is None:
        raise NotConfigured(MISSING)


def _weights(given: str | None, files: int) -> list[Fraction]:
    if not 2 <= files <= MAX_FILES:
        raise NotConfigured(f"Name 2 to {MAX_FILES} submissions.")
    if given is None:
        return [Fraction(1)] * files
    try:
        weights = [Fraction(Decimal(part.strip())) for part in given.split(",")]
    except (InvalidOperation, ValueError, OverflowError):
        raise NotConfigured(f"--weights {given}: numbers with commas between, as 2,1.") from None
    if len(weights) != files:
        raise NotConfigured(f"--weights {given}: one weight for each of the {files} files.")
    return weights


def _asked(first: Path, sample: Path | None, options: TaskOptions) -> tuple[Task, PublishedIds]:
    """Returns the task, and the ids to answer: those of the sample, or else of the first file."""
    known = sample or first
    task = task_to_validate(known, options)
    require_lists(task)
    with rejections_of(known):
        return task, answered_ids(known, task=task)


def _spooled(
    files: Sequence[Path], task: Task, published: PublishedIds, depth: int, scratch: Path
) -> list[ListSpool]:

    spools = []
    for file in files:
        with rejections_of(file):
            spools.append(
                spooled(file, task=task, published=published, depth=depth, scratch=scratch)
            )
    return spools


def _with_hits(
    files: Sequence[Path], truth: GroundTruth, published: PublishedIds, depth: int, scratch: Path
) -> tuple[list[ListSpool], dict[str, Any]]:
    """Reads the lists of two files; returns them, and which labels both have found, or one
    alone."""
    spools, hits = [], []
    for file in files:
        with rejections_of(file):
            spool, found = spooled_with_hits(
                file, truth, published=published, depth=depth, scratch=scratch
            )
        spools.append(spool)
        hits.append(found)
    return spools, common_hits(*hits)


def _print_overlap(document: dict[str, Any]) -> None:
    lists: Columns = (
        ("objective", lambda row: row["name"]),
        ("lists", lambda row: f"{row['queries']:,}"),
        ("equal", lambda row: f"{row['equal']:,}"),
        ("share", lambda row: f"{row['equal_share']:.2%}"),
        (f"jaccard@{document['k']}", lambda row: f"{row['jaccard']:.4f}"),
    )
    objectives = document["objectives"].items()
    print_rows([{"name": name, **row} for name, row in objectives], lists, as_json=False)
    if "hits" not in document:
        return
    hits: Columns = (
        ("objective", lambda row: row["name"]),
        ("found by both", lambda row: f"{row['both']:,}"),
        ("by the first alone", lambda row: f"{row['first']:,}"),
        ("by the second alone", lambda row: f"{row['second']:,}"),
        ("by neither", lambda row: f"{row['neither']:,}"),
    )
    print()
    found = document["hits"].items()
    print_rows([{"name": name, **row} for name, row in found], hits, as_json=False)

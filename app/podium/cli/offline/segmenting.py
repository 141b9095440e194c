"""`podium segments`: the score by segments. No server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from podium.cli.legible import say
from podium.cli.offline.comparing import hits_here
from podium.cli.offline.described import IdsFile, TruthFile
from podium.cli.offline.rejections import rejections_of
from podium.cli.offline.scoring import (
    File,
)
from podium.cli.offline.tasks import TaskOptions, task_for
from podium.cli.offline.truths import canonical_lists
from podium.cli.parameters.files import file_option
from podium.cli.parameters.grouped import Without
from podium.cli.printing import AsJson, Columns, members, number, print_json, print_rows
from podium.scoring.analysis.comparison import comparable
from podium.scoring.analysis.segments import segments as take_apart
from podium.scoring.analysis.session_file import read_session_file

if TYPE_CHECKING:
    from podium.scoring.hits import Hits
    from podium.scoring.published import PublishedIds

Sessions = Annotated[Path | None, file_option("CSV or Parquet: session, and columns to group by.")]

DIFFERENCE = (
    "{}miss rate {miss_rate:.6g}; groups differ from it by {mred:.6g} on average (MRED), and by"
    " {largest:.6g} from each other at most."
)
ONLY_LISTS = "Scores of pairs are not taken apart: segments are for ranked lists."
JOINED = "other includes {}: without it, fewer than 30 sessions could be computed by difference."


def segments(
    file: File,
    truth: TruthFile,
    sessions: Sessions = None,
    published_ids: IdsFile = None,
    *,
    options: Annotated[TaskOptions, Without({"kind"})],
    as_json: AsJson = False,
) -> None:
    """Break a score down: by number of labels, popularity of items, rank of hits, and columns of a
    file about sessions. Groups of fewer than 30 sessions are merged as other; where that is still
    small, the smallest larger group joins it, so that nothing can be computed by difference.

    Exit code 3, with every problem's line, if a file is rejected.
    """
    task = comparable(task_for(truth, replace(options, submission=file)))
    known, published = canonical_lists(
        truth, task, preset=options.preset, ids=published_ids, refusal=ONLY_LISTS
    )
    document = taken_apart(hits_here(file, known, published), sessions, published)
    if as_json:
        print_json(document)
        return
    print_segments(document, task.names)


def taken_apart(hits: Hits, sessions: Path | None, published: PublishedIds) -> dict[str, Any]:
    """Returns the score of each group: `popularity_by`, `segments` and `differences`. Ends the
    command if the file about sessions is rejected."""
    about = None
    if sessions is not None:
        with rejections_of(sessions):
            about = read_session_file(sessions, task=hits.truth.task, published=published)
    found = take_apart(hits, sessions=about)
    return {
        "popularity_by": found["popularity_by"],
        "segments": found["splits"]["all"],
        "differences": found["differences"]["all"],
    }


def print_segments(document: dict[str, Any], objectives: tuple[str, ...]) -> None:
    """Prints a table for each way to divide, and the differences of groups of sessions."""
    for name, groups in document["segments"].items():
        say(f"By {name}:")
        print_rows(groups, _segment_columns(objectives), as_json=False)
        for joined in (group["joined"] for group in groups if group.get("joined")):
            say(JOINED.format(", ".join(joined)))
        for objective, apart in document["differences"].get(name, {}).items():
            say(DIFFERENCE.format(f"{objective}: " if objective else "", **apart))
        print()


def _segment_columns(objectives: tuple[str, ...]) -> Columns:
    """Returns the columns: the group, its number of sessions, its score, and each objective."""
    columns = [
        *members("group", "sessions"),
        ("score", lambda row: number(row.get("score"))),
    ]
    return [*columns, *((name or "found", _of_objective(name)) for name in objectives)]


def _of_objective(name: str) -> Callable[[dict[str, Any]], str]:
    def show(row: dict[str, Any]) -> str:
        part = row["objectives"].get(name)
        if part is None:
            return ""
        if "found" in part:
            return f"{part['found']:,} of {part['labels']:,}"
        return number(part["value"])

    return show

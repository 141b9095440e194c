"""`podium compare`: which of several submissions is better, and how certain that is. No server."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from podium.cli.offline.described import IdsFile, TruthFile
from podium.cli.offline.rejections import rejections_of
from podium.cli.offline.scoring import (
    tell_columns,
    tell_zeros,
)
from podium.cli.offline.tasks import TaskOptions, task_for
from podium.cli.offline.truths import canonical
from podium.cli.parameters.files import file_argument
from podium.cli.printing import AsJson, Columns, interval, members, number, print_json, print_rows
from podium.errors import NotConfigured
from podium.scoring.analysis.comparison import comparable
from podium.scoring.analysis.comparison import compare as compare_judged
from podium.scoring.engine import keep

if TYPE_CHECKING:
    from podium.scoring.engine import Kept, Published, Truth
    from podium.scoring.hits import Hits
    from podium.scoring.published import PublishedIds
    from podium.scoring.truth.canonical import GroundTruth

MAX_FILES = 20

SCORES: Columns = (
    *members("file", "figure"),
    ("value", lambda row: number(row["value"])),
    ("se", lambda row: number(row["standard_error"])),
    ("95 %", lambda row: interval(row["interval"])),
)
DIFFERENCES: Columns = (
    ("first - second", lambda row: row["pair"]),
    ("figure", lambda row: row["figure"]),
    ("difference", lambda row: number(row["value"])),
    ("se", lambda row: number(row["standard_error"])),
    ("95 %", lambda row: interval(row["interval"])),
    ("p (Holm)", lambda row: f"{row['p_holm']:.3g}" if row["p_holm"] else "< 1e-300"),
    ("better", lambda row: row["better"]),
)


def compare(
    files: Annotated[list[Path], file_argument("Two or more submissions.")],
    truth: TruthFile,
    options: TaskOptions,
    published_ids: IdsFile = None,
    as_json: AsJson = False,
) -> None:
    """Compare submissions: scores with 95 % intervals, and whether their differences are
    significant (paired by session, corrected for the number of pairs).

    Exit code 3, with every problem's line, if a file is rejected.
    """
    if not 2 <= len(files) <= MAX_FILES:
        raise NotConfigured(f"Name 2 to {MAX_FILES} submissions.")
    options = replace(options, submission=files[0])
    task = comparable(task_for(truth, options))
    known, published = canonical(truth, task, preset=options.preset, ids=published_ids)
    judged = [judged_here(file, known, published) for file in files]
    document = {"files": [str(file) for file in files], **compare_judged(judged, known)["all"]}
    if as_json:
        print_json(document)
    else:
        _print_comparison(document)
    tell_columns(options, truth, task)
    tell_zeros(options, files, truth, task)


def judged_here(file: Path, truth: Truth, published: Published) -> Kept:
    """Judges a submission; returns what a judging stores of it. Ends the command if it is
    rejected."""
    with tempfile.TemporaryDirectory(prefix="podium-") as scratch, rejections_of(file):
        return keep(file, truth, published=published, scratch=Path(scratch))


def hits_here(file: Path, truth: GroundTruth, published: PublishedIds) -> Hits:
    """Judges ranked lists; returns their hits. Ends the command if the file is rejected."""
    return cast("Hits", judged_here(file, truth, published))


def _print_comparison(document: dict[str, Any]) -> None:
    files = document["files"]
    scores = [
        {"file": file, "figure": figure, **values}
        for file, described in zip(files, document["submissions"], strict=True)
        for figure, values in _figures(described)
    ]
    differences = [
        {
            "pair": f"{files[pair['first']]} - {files[pair['second']]}",
            "figure": figure,
            **values,
            "better": files[pair[values["better"]]] if values["better"] else "no difference",
        }
        for pair in document["pairs"]
        for figure, values in _figures(pair)
    ]
    print_rows(scores, SCORES, as_json=False)
    print()
    print_rows(differences, DIFFERENCES, as_json=False)
    print()
    method = document["method"]
    if document["replicates"]:
        method += f", {document['replicates']:,} replicates"
    print(f"{document['sessions']:,} sessions; standard errors: {method}")


def _figures(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns the figures of a submission or a pair, with their names."""
    named = described.get("objectives", {}) | described.get("metrics", {})
    return [("score", described["score"]), *named.items()]

"""Ground truths on this machine, kept in their canonical form: a second run only scores.

They lie in the user's cache folder, readable by this user alone, under the hash of the file, of
the task and of the program that read them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from podium.errors import InvalidInput

if TYPE_CHECKING:
    from podium.scoring.kinds import Published, Truth
    from podium.scoring.problems import FileRejected
    from podium.scoring.task import Task

HARMLESS = ("missing_rows", "max_expanded_bytes", "diagnostics", "objectives")
"""Members of a task that change how submissions are read, but not the ground truth."""


def canonical(file: Path, task: Task) -> tuple[Truth, Published]:
    """The ground truth in a file of any form, from the cache if it was read before.

    The whole truth is one split. Raises `InvalidInput`, with a line each, for what is wrong in it.
    """
    from platformdirs import user_cache_path

    folder = user_cache_path("podium") / "ground-truth"
    place = folder / _key(file, task)
    # Only speed depends on the cache: a folder that cannot be used is no reason to fail.
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if (kept := _kept(place, task)) is not None:
            return kept
    truth, published = _read(file, task)
    with suppress(OSError):
        _keep(place, truth, published)
    return truth, published


def unusable(file: Path, refusal: FileRejected) -> InvalidInput:
    """The error for a ground truth or a sample that itself is at fault."""
    problem = refusal.rejection.to_dict()
    more = problem["error_count"] - len(problem["errors"])
    return InvalidInput(
        f"{file} is itself not right:" + (f" (and {more:,} more problems)" if more > 0 else ""),
        problems=problem["errors"],
        problem_count=problem["error_count"],
        file=str(file),
    )


def _key(file: Path, task: Task) -> str:
    from podium.scoring.engine import SCORER_VERSION

    layout = {name: value for name, value in task.to_dict().items() if name not in HARMLESS}
    layout["objectives"] = [(objective.name, objective.key) for objective in task.objectives]
    with file.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256")
    digest.update(json.dumps([SCORER_VERSION, layout]).encode())
    return digest.hexdigest()


def _kept(place: Path, task: Task) -> tuple[Truth, Published] | None:
    """The cached ground truth; None if there is none, or not what was once put there."""
    from polars.exceptions import PolarsError

    from podium.scoring.kinds import load_published, load_truth
    from podium.scoring.truth import GroundTruthCorrupt

    try:
        sha256 = (place / "sha256").read_text()
        published = load_published(place / "published.parquet", task)
        place_of_truth = place / "truth.parquet"
        truth = load_truth(place_of_truth, sha256=sha256, published=published, task=task)
        warnings = json.loads((place / "warnings.json").read_text())
    except (FileNotFoundError, GroundTruthCorrupt, PolarsError, ValueError):
        shutil.rmtree(place, ignore_errors=True)
        return None
    return replace(truth, warnings=tuple(warnings)), published


def _read(file: Path, task: Task) -> tuple[Truth, Published]:
    from podium.scoring.kinds import read_truth
    from podium.scoring.problems import FileRejected
    from podium.scoring.splits import SplitRule

    try:
        return read_truth(file, task=task, published=None, split=SplitRule("whole"))
    except FileRejected as refusal:
        raise unusable(file, refusal) from None


def _keep(place: Path, truth: Truth, published: Published) -> None:
    # Another process may keep the same truth at the same moment: whole folders are moved in.
    with tempfile.TemporaryDirectory(dir=place.parent) as made:
        fresh = Path(made) / "truth"
        fresh.mkdir()
        sha256 = truth.write(fresh / "truth.parquet")
        published.write(fresh / "published.parquet")
        (fresh / "sha256").write_text(sha256)
        (fresh / "warnings.json").write_text(json.dumps(truth.warnings))
        if not place.exists():
            fresh.rename(place)

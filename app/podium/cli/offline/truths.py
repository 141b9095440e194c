"""Ground truths on this machine, cached in canonical form: a second run only scores.

They are in the user's cache folder, readable by this user only, under the hash of the file, of the
task and of the program that read them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from polars.exceptions import PolarsError

from podium.cli.history.entries import sha256_of
from podium.cli.offline.inference.notes import hint_at_columns
from podium.cli.offline.kept import KeptFolders
from podium.cli.offline.tasks import IDS, as_written
from podium.errors import InvalidInput, NotConfigured
from podium.scoring.engine import (
    load_published,
    load_truth,
    read_published,
    read_truth,
    scorer_version,
)
from podium.scoring.forms import CANDIDATE_RANKS
from podium.scoring.hints.texts import Hint
from podium.scoring.kinds import kind_of
from podium.scoring.problems import FileRejected
from podium.scoring.splits import SplitRule
from podium.scoring.truth.canonical import GroundTruthCorrupt

if TYPE_CHECKING:
    from podium.scoring.engine import Published, Truth
    from podium.scoring.published import PublishedIds
    from podium.scoring.task import Task
    from podium.scoring.truth.canonical import GroundTruth

FORM = 2
"""Version of the cached form; other versions are ignored."""

TRUTH, PUBLISHED, WARNINGS = "truth.parquet", "published.parquet", "warnings.json"

ASSUMED = (
    "Without --preset or --metric all files are read as OTTO's. Name one, such as --metric ndcg@10,"
    " or --preset with a file of the competition's settings."
)

REFUSED_AS = {"query_ids": "bad-id", "item_ids": "bad-label"}
"""The code of the problem of text ids where numbers are read, by the kind of id."""

HARMLESS = ("missing_rows", "max_expanded_bytes", "diagnostics", "objectives")
"""Members of a task that affect how submissions are read, but not the ground truth."""


NO_LISTS = "Numbers of pairs are not lists."


def canonical(
    file: Path,
    task: Task,
    *,
    preset: str | None,
    sha256: str | None = None,
    ids: Path | None = None,
) -> tuple[Truth, Published]:
    """Reads the ground truth in a file of any form, from the cache if it was read before; `sha256`
    is the file's, in hex, if known. Without a preset it may name its columns freely. If `ids` lists
    the published ids, some may have no labels.

    The whole truth is one split. Raises `InvalidInput` with its problems by line.
    """
    if CANDIDATE_RANKS.key in task.forms and ids is None:
        raise NotConfigured(
            "The ranks of candidates are in the order of a list: name it by --published-ids."
        )
    kept = KeptFolders.of_user("ground-truth")
    key = _key((sha256 or sha256_of(file), sha256_of(ids) if ids else None), task)
    if (place := kept.found(key)) is not None:
        if (known := _loaded(place, task)) is not None:
            return known
        kept.forget(key)
    listed = None if ids is None else published_in(ids, task)
    form = task if preset else as_written(file, task)
    truth, published = _read(file, form, listed, preset=preset)
    truth = replace(truth, task=task)
    kept.keep(key, lambda folder: _write(folder, truth, published))
    return truth, published


def canonical_lists(
    file: Path,
    task: Task,
    *,
    preset: str | None,
    ids: Path | None = None,
    refusal: str = NO_LISTS,
) -> tuple[GroundTruth, PublishedIds]:
    """Reads a ground truth of ranked lists likewise. Raises `NotConfigured` with the refusal for
    another kind of task."""
    require_lists(task, refusal)
    truth, published = canonical(file, task, preset=preset, ids=ids)
    return cast("GroundTruth", truth), cast("PublishedIds", published)


def require_lists(task: Task, refusal: str = NO_LISTS) -> None:
    """Raises `NotConfigured` for a kind of task without lists."""
    if not kind_of(task.kind).has_lists:
        raise NotConfigured(refusal)


def published_in(file: Path, task: Task) -> Published:
    """Reads the published ids of a sample submission, or of an organizer's list. Raises
    `InvalidInput` with its problems by line."""
    try:
        return read_published(file, task=task)
    except FileRejected as refusal:
        raise unusable(file, refusal, task) from None


def unusable(
    file: Path, refusal: FileRejected, task: Task, *, is_assumed: bool = False
) -> InvalidInput:
    """Returns the error for a ground truth or a sample that is itself at fault; `is_assumed`: the
    task is OTTO's only because none was named."""
    problem = refusal.rejection.to_dict()
    shown, count = len(problem["errors"]), problem["error_count"]
    hints = _hints_at_kinds(problem, task, IDS)
    if is_assumed and "header-mismatch" in {each["code"] for each in problem["errors"]}:
        hints = [ASSUMED]
    advice = " ".join(("", *hints))
    listed = f" Of its {count:,} problems these are the first {shown}:" if count > shown else ""
    return InvalidInput(
        f"{file} is itself not right{'.' if advice or listed else ':'}{advice}{listed}",
        problems=problem["errors"],
        problem_count=problem["error_count"],
        file=str(file),
    )


def hints_for_submission(
    file: Path, problem: dict[str, Any], task: Task, *, is_free: bool, takes_ids: bool
) -> list[str]:
    """Returns sentences about options that would make a refused submission acceptable: one whose
    items are texts, one with other columns than its ground truth, or, if `takes_ids`, one with ids
    that have no labels. `is_free`: an option may name the columns."""
    hints = []
    reported = {each["hint"] for each in problem["errors"]}
    # If a program has respelled a number, the problem itself says how to write it.
    if {Hint.WHOLE_ITEM, Hint.WHOLE_ITEMS} & reported:
        hints.append("Items are read as whole numbers: --item-ids string takes texts.")
    if is_free and kind_of(task.kind).has_table and (hint := hint_at_columns(file, problem, task)):
        hints.append(hint)
    if takes_ids and {Hint.UNPUBLISHED_ID, Hint.UNPUBLISHED_PAIR} & reported:
        hints.append(
            "Where ids without labels are asked for, too, --published-ids names their list, or the"
            " sample submission."
        )
    codes = {each["code"] for each in problem["errors"]}
    # Files of pairs have the columns of their ground truth.
    if is_free and kind_of(task.kind).has_lists and "header-mismatch" in codes:
        hints.append("If they are meant, --columns names the columns of a submission.")
    return hints


def _hints_at_kinds(problem: dict[str, Any], task: Task, kinds: tuple[str, ...]) -> list[str]:
    """Returns a sentence about options by which ids that are texts would be accepted."""
    codes = {each["code"] for each in problem["errors"]}
    if len(task.names) > 1:
        # In such an id the objective may be the part that is wrong.
        return []
    refused = [
        kind for kind in kinds if REFUSED_AS[kind] in codes and getattr(task, kind) == "integer"
    ]
    options = " ".join(f"--{kind.replace('_', '-')} string" for kind in refused)
    return [f"Ids are read as whole numbers: {options} takes texts."] if options else []


def _key(of_files: tuple[str, str | None], task: Task) -> str:
    layout = {name: value for name, value in task.to_dict().items() if name not in HARMLESS}
    layout["objectives"] = [(objective.name, objective.key) for objective in task.objectives]
    if kind_of(task.kind).has_table:
        # Reading a solution also finds out whether a metric is defined on it.
        layout["metrics"] = [task.metrics, [objective.columns for objective in task.objectives]]
    whole = json.dumps([FORM, scorer_version(task), of_files, layout])
    return hashlib.sha256(whole.encode()).hexdigest()


def _loaded(place: Path, task: Task) -> tuple[Truth, Published] | None:
    """Reads the ground truth in a folder of the cache; None if this program cannot read it, or
    another process has just deleted it."""
    try:
        published = load_published(place / PUBLISHED, task)
        truth = load_truth(place / TRUTH, sha256=None, published=published, task=task)
        warnings = json.loads((place / WARNINGS).read_text())
    except (OSError, GroundTruthCorrupt, PolarsError, ValueError):
        return None
    return replace(truth, warnings=tuple(warnings)), published


def _read(
    file: Path, task: Task, published: Published | None, *, preset: str | None
) -> tuple[Truth, Published]:
    try:
        return read_truth(file, task=task, published=published, split=SplitRule("whole"))
    except FileRejected as refusal:
        # A metric alone implies a single objective, which has no name.
        is_assumed = preset is None and task.names != ("",)
        raise unusable(file, refusal, task, is_assumed=is_assumed) from None


def _write(folder: Path, truth: Truth, published: Published) -> None:
    truth.write(folder / TRUTH)
    published.write(folder / PUBLISHED)
    (folder / WARNINGS).write_text(json.dumps(truth.warnings))

"""Tasks about organizers' uploads, and about the sample submission, as in `judging`."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from podium.sandbox.definitions.materials import (
    INTERACTIONS,
    ITEMS,
    PUBLISHED,
    SAMPLE,
    SESSIONS,
    TRUTH,
    Hiding,
    IdsRead,
    ItemsOfTraining,
    ItemsRead,
    ReadIds,
    ReadItems,
    ReadTruth,
    SampleWritten,
    Split,
    TruthRead,
    WriteSample,
)
from podium.sandbox.definitions.tables import SOLUTION_OF
from podium.sandbox.registry import Progress, blaming_the_file, registered
from podium.sandbox.tasks.interactions import hidden
from podium.sandbox.tasks.labels import Labels
from podium.sandbox.tasks.sessions import cut
from podium.scoring import engine
from podium.scoring.analysis.truth_changes import changes
from podium.scoring.engine import Truth, load_published, load_truth, moved_sides
from podium.scoring.items_reading import read_item_file
from podium.scoring.problems import Code, FileRejected
from podium.scoring.splits import SplitRule


def read_truth(_: Progress, task: ReadTruth) -> TruthRead:
    """Canonicalizes a ground truth, preparing it first if it is raw interactions or whole
    sessions."""
    known = None if task.published is None else load_published(task.published, task.task)
    with blaming_the_file():
        labels = _labels(task)
        listed = known
        if labels.listed is not None:
            listed = engine.read_published(labels.listed, task=labels.task)
        truth, ids = engine.read_truth(
            labels.file, task=labels.task, published=listed, split=_split_rule(task.split)
        )
        items = _items_of_training(labels)
        compared: dict[str, Any] = {}
        if task.before is not None and known is not None:
            earlier = load_truth(task.before, sha256=None, published=known, task=task.task)
            if task.split.kind == "usage":
                _refuse_moved_sides(earlier, truth)
            compared["changes"] = changes(earlier.numbered, truth.numbered, published=known)
    ids.write(Path.cwd() / PUBLISHED)
    summary = {**truth.summary(), **labels.facts, **compared}
    sha256 = truth.write(Path.cwd() / TRUTH)
    places = {split: Path.cwd() / name for split, name in SOLUTION_OF.items()}
    parts = engine.engine_of(labels.task).parts(truth, places)
    return TruthRead(
        sha256=sha256,
        summary=summary,
        files=tuple(labels.names),
        settings=labels.settings,
        items=items,
        parts=parts,
    )


def _labels(task: ReadTruth) -> Labels:
    """Returns the labels of an upload: those of its preparation, or the file itself."""
    if isinstance(task.cutting, Hiding):
        return hidden(task.file, task.task, task.cutting, Path.cwd() / INTERACTIONS)
    if task.cutting is not None:
        return cut(task.file, task.task, task.cutting, Path.cwd() / SESSIONS)
    return Labels(task.file, task.task)


def _items_of_training(labels: Labels) -> ItemsOfTraining | None:
    if labels.catalogue is None:
        return None
    items = read_item_file(labels.catalogue, task=labels.task, training_users=labels.training_users)
    items.write(Path.cwd() / ITEMS)
    return ItemsOfTraining(summary=items.summary())


def _refuse_moved_sides(before: Truth, after: Truth) -> None:
    moved = len(moved_sides(before, after))
    if moved:
        detail = (
            f"{moved} of those that were public are private here, or the other way round; each"
            " keeps its Usage in every version, because public scores would tell private ones"
        )
        raise FileRejected.because(Code.BAD_USAGE, detail)


def read_ids(_: Progress, task: ReadIds) -> IdsRead:
    """Reads a list of published sessions, or pairs."""
    with blaming_the_file():
        ids = engine.read_published(task.file, task=task.task)
    ids.write(Path.cwd() / PUBLISHED)
    return IdsRead(sessions=ids.count // ids.width)


def write_sample(_: Progress, task: WriteSample) -> SampleWritten:
    """Writes the sample submission of the published ids to the working directory."""
    ids = load_published(task.published, task.task)
    with (Path.cwd() / SAMPLE).open("wb") as file:
        file.writelines(engine.sample_submission(ids, task.task))
    return SampleWritten()


def read_items(_: Progress, task: ReadItems) -> ItemsRead:
    """Canonicalizes an item file. Its problems are reported as those of the file."""
    with blaming_the_file():
        items = read_item_file(task.file, task=task.task, training_users=task.training_users)
    return ItemsRead(sha256=items.write(Path.cwd() / ITEMS), summary=items.summary())


TASKS = dict(
    [
        registered(ReadTruth, read_truth),
        registered(ReadIds, read_ids),
        registered(WriteSample, write_sample),
        registered(ReadItems, read_items),
    ]
)


def _split_rule(split: Split) -> SplitRule:
    if split.kind != "hash":
        return SplitRule(split.kind)
    return SplitRule("hash", bytes.fromhex(split.secret), Decimal(split.public_fraction))

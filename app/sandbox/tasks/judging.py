"""Tasks of judgings, ground truths and launches: thin calls of `scoring`.

Runs inside the sandbox only. Every function takes a `progress` function and its task; what it
leaves is written to the folder that it works in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from podium.sandbox.definitions import (
    HITS,
    ITEMS,
    PUBLISHED,
    SAMPLE,
    SESSIONS,
    TRUTH,
    IdsRead,
    ItemsRead,
    Judged,
    JudgeFile,
    Probe,
    Probed,
    ProbedSplit,
    ReadIds,
    ReadItems,
    ReadTruth,
    SampleWritten,
    Split,
    TruthRead,
    WriteSample,
)
from podium.sandbox.registry import FileAtFault, Progress, registered
from podium.sandbox.serialization import decoded
from podium.sandbox.tasks.sessions import prepared
from podium.scoring import engine, kinds
from podium.scoring.analysis.extremes import (
    errors_by_chance,
    guessed_shares,
    ideal_lists,
    is_optimal,
)
from podium.scoring.analysis.fingerprint import SCHEME, FileFingerprint
from podium.scoring.items import ItemFile
from podium.scoring.items_reading import read_item_file
from podium.scoring.kinds import Published, Truth, load_published, load_truth
from podium.scoring.problems import Code, FileRejected
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.result import ScoreResult
from podium.scoring.split_scores import split_scores
from podium.scoring.splits import SplitRule
from podium.scoring.task import Task
from podium.scoring.truth import GroundTruth


def judge(progress: Progress, task: JudgeFile) -> Judged:
    """Scores a submission."""
    ids, hidden = _loaded(task)
    with _blamed():
        scored = engine.judge(
            task.file,
            task=task.task,
            published=ids,
            truth=hidden,
            scratch=Path.cwd(),
            items=_items(task),
            hits_to=Path.cwd() / HITS,
            progress=progress,
            fingerprint_seed=task.fingerprint_seed,
        )
    return _judged(scored, task.task)


def read_truth(_: Progress, task: ReadTruth) -> TruthRead:
    """Canonicalizes a ground truth, after it was prepared of whole sessions where it is such."""
    known = None if task.published is None else load_published(task.published, task.task)
    with _blamed():
        labels = prepared(task.file, task.task, task.cutting, Path.cwd() / SESSIONS)
        hidden, ids = kinds.read_truth(
            labels.file, task=task.task, published=known, split=_split_rule(task.split)
        )
        if task.before is not None and known is not None:
            earlier = load_truth(task.before, sha256=None, published=known, task=task.task)
            _refuse_moved_sides(earlier, hidden)
    ids.write(Path.cwd() / PUBLISHED)
    summary = {**hidden.summary(), **labels.facts}
    sha256 = hidden.write(Path.cwd() / TRUTH)
    return TruthRead(sha256=sha256, summary=summary, files=tuple(labels.names))


def _refuse_moved_sides(before: Truth, after: Truth) -> None:
    moved = len(kinds.moved_sides(before, after))
    if moved:
        detail = (
            f"{moved} of those that were public are private here, or the other way round; each"
            " keeps its Usage in every version, because public scores would tell private ones"
        )
        raise FileRejected.because(Code.BAD_USAGE, detail)


def read_ids(_: Progress, task: ReadIds) -> IdsRead:
    """Reads a list of published sessions, or pairs."""
    with _blamed():
        ids = kinds.read_published(task.file, task=task.task)
    ids.write(Path.cwd() / PUBLISHED)
    return IdsRead(sessions=ids.count // len(task.task.objectives))


def write_sample(_: Progress, task: WriteSample) -> SampleWritten:
    """Writes the sample submission."""
    ids = load_published(task.published, task.task)
    with (Path.cwd() / SAMPLE).open("wb") as file:
        file.writelines(engine.sample_submission(ids, task.task))
    return SampleWritten()


def read_items(_: Progress, task: ReadItems) -> ItemsRead:
    """Canonicalizes an item file."""
    with _blamed():
        items = read_item_file(task.file, task=task.task, training_users=task.training_users)
    return ItemsRead(sha256=items.write(Path.cwd() / ITEMS), summary=items.summary())


def probe(progress: Progress, task: Probe) -> Probed:
    """Tries a launch with the perfect file and the sample file. What ranks is probed: some
    diagnostics need more than a ground truth."""
    asked = replace(task.task, diagnostics=())
    ids, hidden = _loaded(replace(task, task=asked))
    try:
        perfect = _scored(engine.perfect_submission(hidden, ids, asked), asked, ids, hidden)
        progress(0.4)
        empty = _scored(engine.sample_submission(ids, asked), asked, ids, hidden)
        progress(0.8)
    except FileRejected as rejected:
        return Probed(
            perfect_is_optimal=False,
            empty_is_worst=False,
            sample_is_accepted=False,
            refusal=rejected.rejection.problems[0].detail,
            splits={},
        )
    if isinstance(hidden, TrueRatings):
        return _compared_errors(perfect, empty, asked)
    return _compared(perfect, empty, asked, hidden)


TASKS = dict(
    [
        registered(JudgeFile, judge),
        registered(ReadTruth, read_truth),
        registered(ReadIds, read_ids),
        registered(WriteSample, write_sample),
        registered(ReadItems, read_items),
        registered(Probe, probe),
    ]
)


@contextmanager
def _blamed() -> Iterator[None]:
    """Turns what `scoring` rejects into the answer for a file that is at fault."""
    try:
        yield
    except FileRejected as rejected:
        raise FileAtFault(rejected.rejection.to_dict()) from rejected


def _loaded(task: JudgeFile | Probe) -> tuple[Published, Truth]:
    ids = load_published(task.published, task.task)
    hidden = load_truth(task.truth, sha256=task.truth_sha256, published=ids, task=task.task)
    return ids, hidden


def _judged(scored: ScoreResult, task: Task) -> Judged:
    document: dict[str, Any] = {
        **scored.to_dict(),
        "fingerprint": _described(scored.fingerprint),
        "metrics": {objective.name: objective.metric for objective in task.objectives},
        "scores": {name: str(split.score(task)) for name, split in scored.splits.items()},
        "diagnostic_scores": {
            name: {metric: str(split.diagnostic(metric, task)) for metric in split.diagnostics}
            for name, split in scored.splits.items()
        },
    }
    return decoded(Judged, document)


def _described(fingerprint: FileFingerprint | None) -> dict[str, str] | None:
    if fingerprint is None:
        return None
    sketch = fingerprint.sketch.hex()
    return {"scheme": SCHEME, "content": fingerprint.content, "sketch": sketch}


def _items(task: JudgeFile) -> ItemFile | None:
    if task.items is None:
        return None
    return ItemFile.load(task.items, sha256=task.items_sha256 or "", task=task.task)


def _compared(perfect: ScoreResult, empty: ScoreResult, task: Task, truth: GroundTruth) -> Probed:
    best = split_scores(ideal_lists(truth), truth)
    guessed, errors = guessed_shares(truth), errors_by_chance(truth)
    return Probed(
        perfect_is_optimal=perfect.splits.keys() == best.keys()
        and all(is_optimal(perfect.splits[name], best[name], truth) for name in best),
        empty_is_worst=all(
            not any(split.hits.values()) and not any(split.values.values())
            for split in empty.splits.values()
        ),
        sample_is_accepted=True,
        refusal="",
        splits={
            name: ProbedSplit(
                perfect=str(perfect.splits[name].score(task)),
                optimum=str(split.score(task)),
                empty=str(empty.splits[name].score(task)),
                random=str(guessed[name] * split.score(task)),
                standard_error=errors[name],
            )
            for name, split in best.items()
        },
    )


def _compared_errors(perfect: ScoreResult, sample: ScoreResult, task: Task) -> Probed:
    """The same for ratings: the perfect file has no error at all, the sample file, which predicts 0
    everywhere, has one. Nothing is said of chance, as it knows no scale of ratings."""
    best = {name: split.score(task) for name, split in perfect.splits.items()}
    return Probed(
        perfect_is_optimal=not any(best.values()),
        empty_is_worst=all(split.score(task) < best[name] for name, split in sample.splits.items()),
        sample_is_accepted=True,
        refusal="",
        splits={},
    )


def _scored(lines: Iterator[bytes], task: Task, published: Published, truth: Truth) -> ScoreResult:
    path = Path.cwd() / "probe.csv"
    with path.open("wb") as stream:
        stream.writelines(lines)
    try:
        return engine.judge(path, task=task, published=published, truth=truth, scratch=Path.cwd())
    finally:
        path.unlink()


def _split_rule(split: Split) -> SplitRule:
    if split.kind != "hash":
        return SplitRule(split.kind)
    return SplitRule("hash", bytes.fromhex(split.secret), Decimal(split.public_fraction))

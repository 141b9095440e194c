"""What a child can be asked to do: thin calls of `scoring`, JSON values in, one document out.

Runs inside the walls only. Every act takes a `progress` function first; a file that is at fault
becomes a document with `status` `rejected`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from podium.sandbox.tasks import hits, segments
from podium.sandbox.tasks.sessions import Unprepared, prepared
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

Progress = Callable[[float], None]
Document = dict[str, Any]


def judge(
    progress: Progress,
    *,
    file: str,
    task: Document,
    published: str,
    truth: str,
    truth_sha256: str,
    hits_to: str,
    items: str | None = None,
    items_sha256: str = "",
    fingerprint_seed: int | None = None,
) -> Document:
    """Scores a submission: `{"status": "scored", "counts", "splits", "scorer_version", "metrics",
    "scores", "diagnostic_scores", "fingerprint"}`.

    `splits` is that of `ScoreResult.to_dict`, `metrics` what each objective was scored by, `scores`
    the exact weighted score of each split as text `p/q`, `diagnostic_scores` the same of each
    diagnostic, `fingerprint` None or `{"scheme", "content", "sketch"}`, the sketch as hex.
    """
    the_task, ids, hidden = _loaded(task, published, truth, truth_sha256)
    try:
        scored = engine.judge(
            Path(file),
            task=the_task,
            published=ids,
            truth=hidden,
            scratch=Path.cwd(),
            items=_items(items, items_sha256, the_task),
            hits_to=Path(hits_to),
            progress=progress,
            fingerprint_seed=fingerprint_seed,
        )
    except FileRejected as rejected:
        return _rejected(rejected)
    return {
        "status": "scored",
        "fingerprint": _described(scored.fingerprint),
        **scored.to_dict(),
        "metrics": {objective.name: objective.metric for objective in the_task.objectives},
        "scores": {name: str(split.score(the_task)) for name, split in scored.splits.items()},
        "diagnostic_scores": {
            name: {metric: str(split.diagnostic(metric, the_task)) for metric in split.diagnostics}
            for name, split in scored.splits.items()
        },
    }


def read_truth(
    _: Progress,
    *,
    file: str,
    task: Document,
    published: str | None,
    split: Document,
    truth_to: str,
    published_to: str,
    before: str | None = None,
    cutting: Document | None = None,
    files_to: str = "",
) -> Document:
    """Canonicalises a ground truth: `{"status": "read", "sha256", "summary", "files"}`.

    `split` holds `kind`, for a hash also `secret` (hex) and `public_fraction` (decimal text).
    `before` is the canonical form of an earlier one whose sides must be kept. `cutting` says how
    whole sessions are cut (see `acts_of_sessions`); `files` are then the names of what was written
    to `files_to` for participants, and the summary's `preparation` tells what was made of them.
    """
    the_task = Task.from_dict(task)
    known = None if published is None else load_published(Path(published), the_task)
    try:
        labels = prepared(Path(file), the_task, cutting, Path(files_to))
        hidden, ids = kinds.read_truth(
            labels.file, task=the_task, published=known, split=_split_rule(split)
        )
        if before is not None and known is not None:
            earlier = load_truth(Path(before), sha256=None, published=known, task=the_task)
            _refuse_moved_sides(earlier, hidden)
    except FileRejected as rejected:
        return _rejected(rejected)
    except Unprepared as refused:
        return {"status": "rejected", "problem": refused.problem}
    ids.write(Path(published_to))
    summary = {**hidden.summary(), **labels.facts}
    sha256 = hidden.write(Path(truth_to))
    return {"status": "read", "sha256": sha256, "summary": summary, "files": labels.names}


def _refuse_moved_sides(before: Truth, after: Truth) -> None:
    moved = len(kinds.moved_sides(before, after))
    if moved:
        detail = (
            f"{moved} of those that were public are private here, or the other way round; each"
            " keeps its Usage in every version, because public scores would tell private ones"
        )
        raise FileRejected.because(Code.BAD_USAGE, detail)


def read_ids(_: Progress, *, file: str, task: Document, published_to: str) -> Document:
    """Reads a list of published sessions, or pairs: `{"status": "read", "sessions"}`."""
    the_task = Task.from_dict(task)
    try:
        ids = kinds.read_published(Path(file), task=the_task)
    except FileRejected as rejected:
        return _rejected(rejected)
    ids.write(Path(published_to))
    return {"status": "read", "sessions": ids.count // len(the_task.objectives)}


def write_sample(_: Progress, *, task: Document, published: str, sample_to: str) -> Document:
    """Writes the sample submission: `{"status": "written"}`."""
    the_task = Task.from_dict(task)
    ids = load_published(Path(published), the_task)
    with Path(sample_to).open("wb") as file:
        file.writelines(engine.sample_submission(ids, the_task))
    return {"status": "written"}


def read_items(
    _: Progress, *, file: str, task: Document, training_users: int | None, items_to: str
) -> Document:
    """Canonicalises an item file: `{"status": "read", "sha256", "summary"}`."""
    try:
        items = read_item_file(Path(file), task=Task.from_dict(task), training_users=training_users)
    except FileRejected as rejected:
        return _rejected(rejected)
    return {"status": "read", "sha256": items.write(Path(items_to)), "summary": items.summary()}


def probe(
    progress: Progress, *, task: Document, published: str, truth: str, truth_sha256: str
) -> Document:
    """Tries a launch: the perfect file must reach the optimum, the empty sample file the worst.

    `{"status": "probed", "perfect_is_optimal", "empty_is_worst", "sample_is_accepted",
    "problem", "splits": {split: {"perfect", "optimum", "empty", "random", "standard_error"}},
    "summary"}`; scores are text `p/q`, `random` is what guesses among all labelled items would
    score, and `standard_error` that of a file with every other label.
    """
    the_task, ids, hidden = _loaded(_without_diagnostics(task), published, truth, truth_sha256)
    try:
        lines = engine.perfect_submission(hidden, ids, the_task)
        perfect = _judged(lines, the_task, ids, hidden)
        progress(0.4)
        lines = engine.sample_submission(ids, the_task)
        empty = _judged(lines, the_task, ids, hidden)
        progress(0.8)
        if isinstance(hidden, TrueRatings):
            found = _compared_errors(perfect, empty, the_task)
        else:
            found = _compared(perfect, empty, the_task, hidden)
    except FileRejected as rejected:
        found = {
            "perfect_is_optimal": False,
            "empty_is_worst": False,
            "sample_is_accepted": False,
            "problem": rejected.rejection.to_dict(),
            "splits": {},
        }
    return {"status": "probed", "summary": hidden.summary(), **found}


ACTS: dict[str, Callable[..., Document]] = {
    "judge": judge,
    "read-ground-truth": read_truth,
    "read-published-ids": read_ids,
    "write-sample": write_sample,
    "read-items": read_items,
    "probe": probe,
    **hits.ACTS,
    **segments.ACTS,
}
"""The acts by the names that orders use."""


def _loaded(
    task: Document, published: str, truth: str, truth_sha256: str
) -> tuple[Task, Published, Truth]:
    the_task = Task.from_dict(task)
    ids = load_published(Path(published), the_task)
    hidden = load_truth(Path(truth), sha256=truth_sha256, published=ids, task=the_task)
    return the_task, ids, hidden


def _described(fingerprint: FileFingerprint | None) -> Document | None:
    if fingerprint is None:
        return None
    sketch = fingerprint.sketch.hex()
    return {"scheme": SCHEME, "content": fingerprint.content, "sketch": sketch}


def _items(items: str | None, sha256: str, task: Task) -> ItemFile | None:
    return None if items is None else ItemFile.load(Path(items), sha256=sha256, task=task)


def _without_diagnostics(task: Document) -> Document:
    """What ranks is probed; some diagnostics need more than a ground truth."""
    return {**task, "diagnostics": []}


def _compared(perfect: ScoreResult, empty: ScoreResult, task: Task, truth: GroundTruth) -> Document:
    best = split_scores(ideal_lists(truth), truth)
    guessed, errors = guessed_shares(truth), errors_by_chance(truth)
    return {
        "perfect_is_optimal": perfect.splits.keys() == best.keys()
        and all(is_optimal(perfect.splits[name], best[name], truth) for name in best),
        "empty_is_worst": all(
            not any(split.hits.values()) and not any(split.values.values())
            for split in empty.splits.values()
        ),
        "sample_is_accepted": True,
        "problem": None,
        "splits": {
            name: {
                "perfect": str(perfect.splits[name].score(task)),
                "optimum": str(split.score(task)),
                "empty": str(empty.splits[name].score(task)),
                "random": str(guessed[name] * split.score(task)),
                "standard_error": errors[name],
            }
            for name, split in best.items()
        },
    }


def _compared_errors(perfect: ScoreResult, sample: ScoreResult, task: Task) -> Document:
    """The same for ratings: the perfect file has no error at all, the sample file, which predicts 0
    everywhere, has one. Nothing is said of chance, as it knows no scale of ratings."""
    best = {name: split.score(task) for name, split in perfect.splits.items()}
    return {
        "perfect_is_optimal": not any(best.values()),
        "empty_is_worst": all(
            split.score(task) < best[name] for name, split in sample.splits.items()
        ),
        "sample_is_accepted": True,
        "problem": None,
        "splits": {},
    }


def _judged(lines: Iterator[bytes], task: Task, published: Published, truth: Truth) -> ScoreResult:
    path = Path.cwd() / "probe.csv"
    with path.open("wb") as stream:
        stream.writelines(lines)
    try:
        return engine.judge(path, task=task, published=published, truth=truth, scratch=Path.cwd())
    finally:
        path.unlink()


def _split_rule(split: Document) -> SplitRule:
    if split["kind"] != "hash":
        return SplitRule(split["kind"])
    secret = bytes.fromhex(split["secret"])
    return SplitRule("hash", secret, Decimal(split["public_fraction"]))


def _rejected(rejected: FileRejected) -> Document:
    return {"status": "rejected", "problem": rejected.rejection.to_dict()}

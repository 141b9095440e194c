"""The task of judging: a thin call of `scoring`.

Runs only inside the sandbox, as all tasks do. Every function of a task takes a `progress` function
and its task, and writes its output files into the current folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.sandbox.definitions.judging import HITS, Judged, JudgeFile
from podium.sandbox.registry import Progress, blaming_the_file, registered
from podium.sandbox.serialization import decoded, encoded
from podium.sandbox.tasks.fingerprints import figures_of
from podium.sandbox.tasks.loading import loaded
from podium.scoring import engine
from podium.scoring.containers.detection import unpacked_ahead
from podium.scoring.items import ItemFile
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import Task


def judge(progress: Progress, task: JudgeFile) -> Judged:
    """Scores a submission, and writes its hits to the working directory."""
    with blaming_the_file(), unpacked_ahead(task.file, task.task) as unpacked:
        ids, hidden = loaded(task)
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
            unpacked=unpacked,
        )
    return _judged(scored, task.task)


TASKS = dict([registered(JudgeFile, judge)])


def _judged(scored: ScoreResult, task: Task) -> Judged:
    document: dict[str, Any] = {
        **scored.to_dict(),
        "fingerprint": encoded(figures_of(scored.fingerprint)),
        "metrics": {objective.name: objective.metric for objective in task.objectives},
        "scores": {name: str(split.score(task)) for name, split in scored.splits.items()},
        "diagnostic_scores": {
            name: {metric: str(split.diagnostic(metric, task)) for metric in split.diagnostics}
            for name, split in scored.splits.items()
        },
    }
    return decoded(Judged, document)


def _items(task: JudgeFile) -> ItemFile | None:
    if task.items is None:
        return None
    return ItemFile.load(task.items, sha256=task.items_sha256 or "", task=task.task)

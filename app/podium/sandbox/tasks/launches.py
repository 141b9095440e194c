"""The task of probing a launch, as in `judging`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from podium.sandbox.definitions.launches import Probe, Probed
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks.loading import loaded
from podium.scoring import engine
from podium.scoring.engine import Published, Truth
from podium.scoring.engine.base import Probing
from podium.scoring.problems import FileRejected
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import Task


def probe(progress: Progress, task: Probe) -> Probed:
    """Probes a launch with the perfect file and the sample file. Only the ranking metrics are
    probed: some diagnostics need more than a ground truth."""
    asked = replace(task.task, diagnostics=())
    ids, hidden = loaded(replace(task, task=asked))
    tools = engine.engine_of(asked)
    if lack := next(iter(tools.undefined(hidden)), None):
        return Probed.refused(lack.detail, undefined=lack.detail)
    score = partial(_scored, task=asked, published=ids, truth=hidden)
    try:
        perfect = score(engine.perfect_submission(hidden, ids, asked))
        progress(0.4)
        sample = score(engine.sample_submission(ids, asked))
        progress(0.8)
    except FileRejected as rejected:
        return Probed.refused(rejected.rejection.problems[0].detail)
    found = tools.extremes(Probing(hidden, ids, asked, perfect, sample, score))
    undefined = tools.undefined(replace(hidden, task=task.task))
    return Probed.of(found, undefined=next((each.detail for each in undefined), ""))


TASKS = dict([registered(Probe, probe)])


def _scored(
    lines: Iterator[bytes], *, task: Task, published: Published, truth: Truth
) -> ScoreResult:
    path = Path.cwd() / "probe.csv"
    with path.open("wb") as stream:
        stream.writelines(lines)
    try:
        return engine.judge(path, task=task, published=published, truth=truth, scratch=Path.cwd())
    finally:
        path.unlink()

"""Processes under the tracer: an API takes one upload in, a worker judges one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.builders.faults.stage import Process, Stage, wait_for
from tests.builders.machine.tracing import CALLS, Point, Tracer

REST_EVERY = 20


@dataclass(frozen=True)
class Act:
    """The act of a process of this role once it is traced; False from `is_done` where it died."""

    role: str
    is_done: Callable[[Stage, Process], bool]


def sends(stage: Stage, process: Process) -> bool:
    """One upload, answered in whatever way."""
    return stage.send(process, stage.file()) != 0


def judges(stage: Stage, process: Process) -> bool:
    """One judging, from the worker's start to its verdict."""
    before = stage.waiting()
    process.go_on()
    wait_for(lambda: not process.is_alive() or stage.waiting() < before, "a verdict or a death")
    return process.is_alive()


UPLOAD = Act("api", sends)
JUDGING = Act("worker", judges)


def supply(stage: Stage, files: int) -> None:
    """Submits files until so many wait for a worker."""
    with stage.running("api") as api:
        while stage.waiting() < files:
            assert stage.send(api, stage.file()) == 202


def rest(stage: Stage, number: int) -> None:
    """Lets a healthy worker judge all that waits after every twentieth fault: a file with which
    fifty workers died is given up, which is right and not what is tried."""
    if number % REST_EVERY == REST_EVERY - 1:
        with stage.running("worker"):
            wait_for(stage.is_judged, "verdicts")


def begun(stage: Stage, role: str, bug: str | None = None) -> Process:
    """A process that is about to do what will be traced: an API that answers, a worker that has
    not begun."""
    process = stage.start(role, bug=bug, begin=role == "api")
    if role == "api":
        assert process.ask("GET", "/readyz")[0] == 200
    return process


def survey(stage: Stage, act: Act, log: Path, calls: Sequence[str] = CALLS) -> dict[str, int]:
    """The calls of an undisturbed act."""
    process = begun(stage, act.role)
    tracer = Tracer(process.pid, log, calls)
    try:
        assert act.is_done(stage, process)
    finally:
        process.end()
        tracer.close()
    return tracer.seen()


def is_killed(stage: Stage, act: Act, point: Point, log: Path, *, bug: str | None = None) -> bool:
    """True if the act met this point and the process died there."""
    process = begun(stage, act.role, bug)
    tracer = Tracer.killing_at(point, process.pid, log)
    try:
        return not act.is_done(stage, process)
    finally:
        process.end()
        tracer.close()

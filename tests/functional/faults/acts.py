"""What a process does under the tracer: an API takes one upload in, a worker judges one file."""

from __future__ import annotations

from pathlib import Path

from tests.functional.faults.stage import Process, Stage, wait_for
from tests.functional.faults.tracing import CALLS, Point, Tracer


def begun(stage: Stage, role: str, bug: str | None = None) -> Process:
    """A process that is about to do what will be traced: an API that answers, a worker that has
    not begun."""
    process = stage.start(role, bug=bug, begin=role == "api")
    if role == "api":
        assert process.ask("GET", "/readyz")[0] == 200
    return process


def is_done(stage: Stage, role: str, process: Process) -> bool:
    """One upload, or one judging from the worker's start to its verdict; False where the process
    died before."""
    if role == "api":
        return stage.send(process, stage.file()) != 0
    before = stage.waiting()
    process.go_on()
    wait_for(lambda: not process.is_alive() or stage.waiting() < before, "a verdict or a death")
    return process.is_alive()


def survey(stage: Stage, role: str, log: Path) -> dict[str, int]:
    """The calls of an undisturbed act."""
    process = begun(stage, role)
    tracer = Tracer(process.pid, log, CALLS)
    try:
        assert is_done(stage, role, process)
    finally:
        process.end()
        tracer.close()
    return tracer.seen()


def is_killed(stage: Stage, role: str, point: Point, log: Path, *, bug: str | None = None) -> bool:
    """Whether the act met this point and died there."""
    process = begun(stage, role, bug)
    tracer = Tracer.killing_at(point, process.pid, log)
    try:
        return not is_done(stage, role, process)
    finally:
        process.end()
        tracer.close()

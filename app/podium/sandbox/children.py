"""The parent's side: starts a child, watches its resource usage, and returns its result.

The child gets an empty environment, a session of its own, and no descriptors but its pipes.
Whatever it does, `run` ends within the wall limit, and with it the whole process group. The
resource usage of a running child is read from the kernel.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from podium.sandbox import Answer, FailureReason, Limits, Rejected, Result, SandboxTask, inputs_of
from podium.sandbox.custom_code import (
    MAX_THREADS,
    CustomMetrics,
    environment_of,
    refusal_of,
)
from podium.sandbox.definitions.describing import Describe, Described
from podium.sandbox.isolation import own_user
from podium.sandbox.isolation.control_groups import ControlGroups
from podium.sandbox.isolation.passages import Passage, closed_in, passages_to
from podium.sandbox.isolation.readable import import_roots, libraries, readable_paths
from podium.sandbox.isolation.restrictions import (
    OPEN_FILES,
    OPEN_FILES_OF_CODE,
    in_words,
    missing_from,
)
from podium.sandbox.messages import Messages, Watch, result_of
from podium.sandbox.outputs import bytes_in, scratch_folder, with_files
from podium.sandbox.precedence import come_last
from podium.sandbox.serialization import Malformed, answer_of, encoded
from podium.sandbox.usage import memory_of, seconds_without_processor, threads_of, written_by
from podium.sandbox.warm.starting import Started, WarmChildren, may_be_warm

ANSWER_BYTES = 1 << 20
"""More than any document has; a child that writes more is killed."""

TICK_SECONDS = 0.05
"""Seconds between two checks of memory and time."""

COUNT_SECONDS = 0.2
"""Seconds between two counts of its files."""

DESCRIBING_TRIES = 3

ASK_SECONDS = 0.25
"""Seconds between two calls of `should_stop`, which may cost a query."""

WAITED_AT_MOST = 10
"""Multiple of the wall limit after which a child is killed even if others had all processors."""

WRITTEN_AT_MOST = 4
"""Multiple of the limit of its files that a child may write in total: files that it has deleted
while they are open still take space, and no folder shows them."""


class ChildSandbox:
    """Runs each task in a process of its own. `threads` bounds the threads of Polars,
    `cpu_per_wall` the CPU seconds for each second of the wall limit; `tasks_module` is where the
    child finds its tasks.

    Without isolation, tasks fail with `FailureReason.NOT_ISOLATED` unless `is_weak_allowed`.
    `landlock_at_most` is the newest version of Landlock to use; 0 means none. With `is_warm`,
    children are forked, where possible, from a process that has loaded their modules already.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        cpu_per_wall: float = 2.0,
        tasks_module: str = "podium.sandbox.tasks",
        is_weak_allowed: bool = False,
        landlock_at_most: int | None = None,
        is_warm: bool = False,
        custom_metrics: CustomMetrics = "off",
    ) -> None:
        self._threads = threads
        self._cpu_per_wall = cpu_per_wall
        self._tasks_module = tasks_module
        self._is_weak_allowed = is_weak_allowed
        self._landlock_at_most = landlock_at_most
        self._warm = WarmChildren(tasks_module) if is_warm else None
        self._custom_metrics = custom_metrics

    def run(
        self,
        task: SandboxTask[Answer],
        *,
        limits: Limits,
        scratch: Path,
        on_progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Result[Answer | Rejected]:
        """Blocks until the child has ended; see the interface. Its failures do not raise."""
        if task.RUNS_FOREIGN_CODE and (refusal := self.custom_metrics_refusal()) is not None:
            return Result(failure=FailureReason.NOT_ALLOWED, report=refusal)
        memory_lacked = _memory_lacked()
        answers, answer_to = os.pipe()
        errors, errors_to = os.pipe()
        try:
            child = self._started(task, limits, scratch, answer_to, errors_to)
            come_last(child.pid, in_background=limits.in_background)
        except OSError as error:
            os.close(answers)
            os.close(errors)
            return Result(
                failure=FailureReason.NOT_STARTED, report=f"The child did not start: {error}"
            )
        finally:
            os.close(answer_to)
            os.close(errors_to)
        with os.fdopen(answers, "rb") as answer, os.fdopen(errors, "rb") as complaint:
            messages = Messages(answer, complaint, most_bytes=ANSWER_BYTES)
            watched = _WatchedChild(
                child, limits, scratch, messages, memory_lacked, _most_threads(task)
            )
            raw = watched.until_the_end(on_progress, should_stop)
        return with_files(_checked(raw, task), task.leaves, scratch)

    def describe(self) -> dict[str, str]:
        """Returns the state of each part of this machine's isolation, by name, as a child reported
        it."""
        return self._isolation

    def describe_start(self) -> str:
        """Returns how children are started: as the last one was, if there has been one."""
        return self._warm.latest if self._warm else "each by itself"

    def refusal(self) -> str | None:
        """Returns the reason why this machine runs no tasks, as a sentence, or None."""
        missing = missing_from(self._isolation)
        if not missing or self._is_weak_allowed:
            return None
        return (
            "Nothing is judged here, because this machine cannot isolate hostile files:"
            f" {in_words(missing)}. Use a kernel with Landlock and seccomp, or accept the risk by"
            " PODIUM_WEAK_SANDBOX=1."
        )

    def custom_metrics_refusal(self) -> str | None:
        """Returns the reason why this installation runs no code of organizers; None if it does."""
        isolation = {} if self._custom_metrics == "off" else self._isolation
        return refusal_of(self._custom_metrics, isolation)

    @cached_property
    def readable(self) -> list[Path]:
        """Paths that every child may read besides the files of its task; no data may lie below."""
        return readable_paths(self._tasks_module)

    @cached_property
    def _readable_by_code(self) -> list[Path]:
        return readable_paths(self._tasks_module, runs_code=True)

    @cached_property
    def _ways(self) -> tuple[list[Passage], str]:
        """The passages to libraries that another user needs, and the reason why it still cannot
        read all of them, or an empty text."""
        found = libraries(self._tasks_module)
        if (closed := closed_in(found)) is not None:
            return [], f"{closed} is closed to others: install Python and Podium below /opt"
        return passages_to(dict.fromkeys((*found, *self.readable))), ""

    def trouble(self) -> str | None:
        """Returns the reason why a child that loads all libraries fails; None if it does not."""
        result = self._described(is_whole=True)
        return None if result.answer else f"{result.failure}: {result.report}"

    @cached_property
    def _isolation(self) -> dict[str, str]:
        # A machine that has just booted may be too busy for the first child.
        for _ in range(DESCRIBING_TRIES):
            result = self._described(is_whole=False)
            if isinstance(result.answer, Described):
                return dict(result.answer.isolation)
        return {"child": f"missing: {result.failure}: {result.report}"}

    def _described(self, *, is_whole: bool) -> Result[Described | Rejected]:
        limits = Limits(memory_bytes=2 << 30, wall_seconds=30, file_bytes=1 << 20)
        with scratch_folder(None) as closed:
            # Like the data, the scratch folder lies in a folder that is closed to others.
            scratch = closed / "scratch"
            scratch.mkdir()
            return self.run(Describe(is_whole=is_whole), limits=limits, scratch=scratch)

    def _started(
        self,
        task: SandboxTask[Answer],
        limits: Limits,
        scratch: Path,
        answer_to: int,
        errors_to: int,
    ) -> Started:
        scratch = scratch.resolve()
        path = self._write(task, limits, scratch, answer_to)
        environment = self._environment(scratch) | environment_of(task)
        if self._warm is not None and may_be_warm(task):
            forked = self._warm.start(task, environment, scratch, (answer_to, errors_to))
            if forked is not None:
                return forked
        return subprocess.Popen(
            # -P: nothing in the scratch folder can be imported.
            [sys.executable, "-P", "-s", "-m", "podium.sandbox.child", str(path)],
            cwd=scratch,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors_to,
            pass_fds=(answer_to,),
            start_new_session=True,
        )

    def _write(
        self, task: SandboxTask[Answer], limits: Limits, scratch: Path, answer_to: int
    ) -> Path:
        path = scratch / "task.json"
        is_code, is_weak_allowed = task.RUNS_FOREIGN_CODE, self._is_weak_allowed
        if is_code:
            is_weak_allowed = self._custom_metrics == "on-unsandboxed"
        inputs = [str(path) for path in inputs_of(task)]
        user = own_user.given(scratch, runs_code=is_code)
        passages, closed = ([], "") if user is None else self._ways
        content = {
            "task": task.NAME,
            "arguments": encoded(task),
            "inputs": inputs,
            "tasks_module": self._tasks_module,
            "libraries": list(map(str, self._readable_by_code if is_code else self.readable)),
            "is_weak_allowed": is_weak_allowed,
            "landlock_at_most": self._landlock_at_most,
            "answer_to": answer_to,
            "scratch": str(scratch),
            "parent": os.getpid(),
            "user": user,
            "passages": passages if user is None else [*passages, *passages_to([scratch])],
            "closed": closed,
            "most_threads": _most_threads(task),
            "in_background": limits.in_background,
            "limits": {
                "memory_bytes": limits.memory_bytes,
                "cpu_seconds": int(limits.wall_seconds * self._cpu_per_wall) + 1,
                "file_bytes": limits.file_bytes,
                "open_files": (OPEN_FILES_OF_CODE if is_code else OPEN_FILES) + len(inputs),
            },
        }
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            json.dump(content, stream)
        return path

    def _environment(self, scratch: Path) -> dict[str, str]:
        environment = {
            "PYTHONPATH": os.pathsep.join(import_roots(self._tasks_module)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LANG": "C.UTF-8",
            # A process with threads is never forked, and OpenBLAS starts some when it is loaded.
            "OPENBLAS_NUM_THREADS": "1",
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
        }
        if self._threads is not None:
            environment["POLARS_MAX_THREADS"] = str(self._threads)
        return environment


class _WatchedChild:
    """A running child, watched until it has ended."""

    def __init__(
        self,
        child: Started,
        limits: Limits,
        scratch: Path,
        messages: Messages,
        memory_lacked: Callable[[], bool],
        most_threads: int | None,
    ) -> None:
        self._child = child
        self._limits = limits
        self._scratch = scratch
        self._memory_lacked = memory_lacked
        self._most_threads = most_threads
        self._remark = ""
        self._messages = messages
        self._deadline = time.monotonic() + limits.wall_seconds
        self._most_memory = 0
        self._status = 0

    def until_the_end(
        self,
        on_progress: Callable[[float], None] | None,
        should_stop: Callable[[], bool] | None,
    ) -> Result[dict[str, Any]]:
        killed: FailureReason | None = None
        asked = counted = time.monotonic()
        try:
            while killed is None and not _has_ended(self._child.pid):
                progress = self._messages.wait(TICK_SECONDS)
                if progress is not None and on_progress is not None:
                    on_progress(progress)
                killed = self._over_a_limit()
                if killed is None and time.monotonic() - counted >= COUNT_SECONDS:
                    counted = time.monotonic()
                    killed = self._over_its_disk()
                if should_stop is not None and time.monotonic() - asked >= ASK_SECONDS:
                    asked = time.monotonic()
                    killed = killed or (FailureReason.STOPPED if should_stop() else None)
        finally:
            # Even if a callback raised: no child outlives its task.
            self._kill_the_group()
        self._messages.drain()
        watch = Watch(
            self._status,
            killed,
            self._most_memory,
            self._limits,
            memory_lacked=self._memory_lacked(),
            remark=self._remark,
        )
        return result_of(watch, self._messages)

    def _over_a_limit(self) -> FailureReason | None:
        self._most_memory = max(self._most_memory, memory_of(self._child.pid))
        if self._most_memory > self._limits.memory_bytes:
            return FailureReason.MEMORY
        if self._messages.is_at_fault:
            return FailureReason.CRASH
        if self._most_threads is not None and threads_of(self._child.pid) > self._most_threads:
            # Where the kernel limits its threads, the child gets no more and is not killed.
            self._remark = f"It started more than {self._most_threads} threads."
            return FailureReason.CRASH
        return FailureReason.WALL_TIME if self._is_too_late() else None

    def _is_too_late(self) -> bool:
        """True once the wall limit has passed. A child has only the processors that others leave,
        so the time for which it had to wait for one is added to its limit."""
        late = time.monotonic() - self._deadline
        if late <= 0:
            return False
        # In the background, the limit of CPU time ends it instead.
        waits = math.inf if self._limits.in_background else WAITED_AT_MOST - 1
        most = waits * self._limits.wall_seconds
        return late > min(seconds_without_processor(self._child.pid), most)

    def _over_its_disk(self) -> FailureReason | None:
        most, used = self._limits.file_bytes, bytes_in(self._scratch)
        is_over = used is None or used > most
        is_over |= written_by(self._child.pid) > WRITTEN_AT_MOST * most
        return FailureReason.FILE_SIZE if is_over else None

    def _kill_the_group(self) -> None:
        # The child leads its group and has not been reaped, so the number is still the group's.
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._status = self._child.wait()


def _most_threads(task: SandboxTask[Any]) -> int | None:
    return MAX_THREADS if task.RUNS_FOREIGN_CODE else None


def _memory_lacked() -> Callable[[], bool]:
    """Returns a function that is true once the kernel has killed for lack of memory since now."""
    groups = ControlGroups()
    kills = groups.memory_kills()
    return lambda: groups.memory_kills() > kills


def _has_ended(process: int) -> bool:
    """True if the child has ended; does not reap it."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _checked(raw: Result[dict[str, Any]], task: SandboxTask[Answer]) -> Result[Answer | Rejected]:
    """Returns the child's result, checked as an answer to its task. A compromised child may write
    anything: whatever is not an answer to this task is our failure, never the file's."""
    if raw.answer is None:
        return Result(None, raw.failure, raw.report)
    try:
        answer = answer_of(task.RESULT, raw.answer)
        if task.RUNS_FOREIGN_CODE and isinstance(answer, Rejected):
            # An organizer's code would otherwise address the participant in our name.
            raise Malformed("code of organizers rejects no file")
    except Malformed as error:
        report = f"The child's answer is malformed: {error}"
        return Result(failure=FailureReason.OUR_ERROR, report=report)
    return Result(answer)

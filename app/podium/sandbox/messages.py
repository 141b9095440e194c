"""Derives a child's `Result` from its messages, its exit status and its last output.

A child that was compromised, or that runs an organizer's code, may write anything at any rate.
"""

from __future__ import annotations

import json
import math
import os
import selectors
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from podium.sandbox import FailureReason, Limits, Result

MAX_COMPLAINED = 1 << 20
"""Bytes on its standard error after which a child's output is ignored."""

REPORTED_BY_CHILDREN = frozenset(
    {FailureReason.MEMORY, FailureReason.CRASH, FailureReason.OUR_ERROR}
)
"""Failures that a child may report itself. The parent detects all others: a compromised child could
otherwise request retries forever."""

PAUSE_SECONDS = 0.002
"""Seconds of pause after each read, so that a child that writes byte by byte does not keep its
parent busier than others do."""

PROGRESS_STEP = 0.01
"""The smallest progress worth reporting; each report costs a query."""

REPORT_CHARACTERS = 4000

LARGEST = 1 << 64
"""Larger than any number that a child counts."""

COMPLAINT_BYTES = 4096
"""Bytes from the end of a child's standard error for the report."""

OUT_OF_MEMORY = (b"memory allocation of", b"MemoryError", b"out of memory", b"Cannot allocate")
"""Output of programs that die of a refused allocation: Rust, Python, C++, the kernel."""

BY_SIGNAL = {signal.SIGXCPU: FailureReason.CPU_TIME, signal.SIGXFSZ: FailureReason.FILE_SIZE}


class Messages:
    """Reads the child's two pipes while it runs, in bounded memory."""

    def __init__(self, answer: IO[bytes], complaint: IO[bytes], *, most_bytes: int) -> None:
        self.is_ready = False
        self.is_at_fault = False
        """True once it has written more than any answer has, or answered twice."""
        self.document: dict[str, Any] | None = None
        self.failure: FailureReason | None = None
        self.report = ""
        self.last_words = b""
        self._answer, self._complaint = answer.fileno(), complaint.fileno()
        self._most_bytes = most_bytes
        self._heard = self._complained = 0
        self._unfinished = b""
        self._progress: float | None = None
        self._reported_progress = 0.0
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._answer, self._complaint):
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ)

    def wait(self, seconds: float) -> float | None:
        """Waits for output, at most so many seconds; returns the latest progress if it is worth
        reporting."""
        heard = self._selector.select(seconds)
        for key, _ in heard:
            self._read(key.fd)
        if heard and self._selector.get_map():
            time.sleep(PAUSE_SECONDS)
        progress, self._progress = self._progress, None
        if progress is None or progress < self._reported_progress + PROGRESS_STEP:
            return None
        self._reported_progress = progress
        return progress

    def drain(self) -> None:
        """Reads the rest of an ended child's output, and closes the selector."""
        while self._selector.get_map() and self._selector.select(0):
            for key, _ in self._selector.select(0):
                self._read(key.fd)
        self._selector.close()

    def _read(self, descriptor: int) -> None:
        try:
            piece = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return
        if descriptor == self._complaint:
            self._complained += len(piece)
        if not piece or self._complained > MAX_COMPLAINED:
            self._selector.unregister(descriptor)
        elif descriptor == self._complaint:
            self.last_words = (self.last_words + piece)[-COMPLAINT_BYTES:]
        else:
            self._hear(piece)

    def _hear(self, piece: bytes) -> None:
        self._heard += len(piece)
        if self._heard > self._most_bytes:
            self.is_at_fault = True
            return
        *lines, self._unfinished = (self._unfinished + piece).split(b"\n")
        for line in lines:
            # Anything that is not a message is ignored: without a document the child has no answer.
            with suppress(
                ValueError, TypeError, AttributeError, KeyError, RecursionError, ArithmeticError
            ):
                self._take(_cleaned(json.loads(line)))

    def _take(self, message: dict[str, Any]) -> None:
        self.is_ready |= "ready" in message
        if "progress" in message:
            self._progress = min(1.0, max(0.0, float(message["progress"])))
        if "failure" in message:
            failure = FailureReason(message["failure"])
            if failure in REPORTED_BY_CHILDREN or (
                failure is FailureReason.NOT_ISOLATED and not self.is_ready
            ):
                self.failure, self.report = failure, str(message["report"])[-REPORT_CHARACTERS:]
        document = message.get("document")
        if isinstance(document, dict) and isinstance(document.get("status"), str):
            self.is_at_fault |= self.document is not None
            self.document = document


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Returns a JSON value without characters that databases cannot store. Raises ValueError for
    numbers that they cannot store, which none of our code sends."""
    if isinstance(value, dict):
        return {_cleaned(name): _cleaned(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("no finite number")
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise ValueError("too large a number")
    return value


@dataclass(frozen=True, slots=True)
class Watch:
    """The parent's observations: the exit status, why it killed the child if it did, the most
    memory used, whether the kernel killed any process for lack of memory meanwhile, and a remark on
    the kill, as a sentence."""

    status: int
    killed: FailureReason | None
    most_memory: int
    limits: Limits
    memory_lacked: bool = False
    remark: str = ""


def result_of(watch: Watch, messages: Messages) -> Result[dict[str, Any]]:
    """Returns the result that follows from the observations and the messages."""
    if messages.is_at_fault:
        return Result(
            failure=FailureReason.CRASH,
            report="The child said more than any answer holds, or answered twice.",
        )
    if watch.killed is not None:
        return Result(failure=watch.killed, report=_report(watch, messages))
    if watch.status == 0 and messages.document is not None:
        return Result(messages.document)
    if messages.failure is not None:
        return Result(failure=messages.failure, report=messages.report)
    return Result(failure=_failure_by(watch, messages), report=_report(watch, messages))


def _failure_by(watch: Watch, messages: Messages) -> FailureReason:
    if watch.status < 0 and -watch.status in BY_SIGNAL:
        return BY_SIGNAL[signal.Signals(-watch.status)]
    if watch.status and any(words in messages.last_words for words in OUT_OF_MEMORY):
        return FailureReason.MEMORY
    if watch.status == -signal.SIGKILL and watch.memory_lacked:
        # We did not send the signal, and no check found more memory than the limit.
        return FailureReason.LACK_OF_MEMORY
    if not messages.is_ready:
        # No untrusted byte was read yet, so the file cannot be at fault.
        return FailureReason.NOT_STARTED
    if watch.status == 0:
        return FailureReason.NO_ANSWER
    # A SIGKILL that is not ours, on a machine that does not show which process the kernel kills: a
    # large child was probably killed by the kernel, a small one by another process.
    was_large = watch.most_memory * 2 > watch.limits.memory_bytes
    return (
        FailureReason.MEMORY
        if watch.status == -signal.SIGKILL and was_large
        else FailureReason.CRASH
    )


def _report(watch: Watch, messages: Messages) -> str:
    megabytes = watch.most_memory >> 20
    words = messages.last_words.decode("utf-8", "replace").replace("\0", "\ufffd")
    exit_line = f"exit status {watch.status}, at most {megabytes} MiB of memory"
    if watch.memory_lacked:
        exit_line += (
            f" of the {watch.limits.memory_bytes >> 20} MiB that it may use; meanwhile the kernel"
            " killed for lack of memory on this machine or in this container"
        )
    return "\n".join(filter(None, (watch.remark, exit_line, words.strip())))

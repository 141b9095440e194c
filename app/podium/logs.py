"""Structured logging: events with fields, on standard error; JSON unless it is a terminal.

Events never hold file contents, tokens, ground truth or private scores. Those of a request carry
its `request_id`, and those of a judging the id of the request that it came with, also in a worker
on another machine.
"""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import AbstractContextManager
from typing import Any, TextIO, cast

import structlog
from structlog.typing import FilteringBoundLogger


def configure_logs(*, json: bool | None = None, level: int = logging.INFO) -> None:
    """Sets up structlog once per entry point; JSON unless standard error is a terminal."""
    as_json = not sys.stderr.isatty() if json is None else json
    # Prettier tracebacks show local variables: tokens and labels among them.
    for_people = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    renderer: Any = structlog.processors.JSONRenderer() if as_json else for_people
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(file=cast(TextIO, _Output())),
        cache_logger_on_first_use=True,
    )


def current_request() -> str | None:
    """The id of the request that this thread or task is about; None where there is none."""
    found: str | None = structlog.contextvars.get_contextvars().get("request_id")
    return found


def about(**fields: str | None) -> AbstractContextManager[None]:
    """Lets every event of this thread carry these fields while the block runs, but for None."""
    known = {name: value for name, value in fields.items() if value is not None}
    return structlog.contextvars.bound_contextvars(**known)


def get_logger(name: str) -> FilteringBoundLogger:
    """A logger whose events carry `source=name`, the name of a subject or library."""
    logger: FilteringBoundLogger = structlog.get_logger(source=name)
    return logger


def take_over_libraries() -> None:
    """Makes events of what libraries log: from warnings on, and of the HTTP server from its first
    line. Uncaught errors of threads and Python's own warnings go the same way. For processes that
    only serve or judge; everything on standard error has one form then."""
    handler = _ToEvents()
    root = logging.getLogger()
    if not any(isinstance(each, _ToEvents) for each in root.handlers):
        root.addHandler(handler)
    logging.getLogger("uvicorn").setLevel(logging.INFO)
    logging.captureWarnings(True)
    threading.excepthook = _thread_died


class _ToEvents(logging.Handler):
    """Hands records of the standard library's logging on to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        """One event for one record, with its traceback."""
        fields: dict[str, Any] = {"exc_info": record.exc_info} if record.exc_info else {}
        try:
            text = record.getMessage()
        except (TypeError, ValueError):
            text = str(record.msg)
        log = get_logger(record.name)
        log.log(max(record.levelno, logging.DEBUG), "library.logged", text=text, **fields)


def _thread_died(died: threading.ExceptHookArgs) -> None:
    if died.exc_value is not None:
        name = died.thread.name if died.thread is not None else ""
        get_logger("threads").error("thread.died", thread=name, exc_info=died.exc_value)


class _Output:
    """Standard error as it is at the moment of an event. What cannot be written is dropped and
    counted: a full disk for logs, or a stream that was closed, shall stop no request and no
    judging."""

    def __init__(self) -> None:
        self._dropped = 0

    def write(self, text: str) -> int:
        try:
            if self._dropped:
                sys.stderr.write(f'{{"event": "lines.dropped", "pieces": {self._dropped}}}\n')
                sys.stderr.flush()
                self._dropped = 0
            return sys.stderr.write(text)
        except (OSError, ValueError):
            self._dropped += 1
            return len(text)

    def flush(self) -> None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            self._dropped += 1

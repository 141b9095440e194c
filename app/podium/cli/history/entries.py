"""The history of this account's runs and submissions on this machine: one JSON line per entry, in
the user's data folder. Only `podium runs` reads it; losing it loses nothing else."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from podium.cli.outcome import complain
from podium.errors import PodiumError

if TYPE_CHECKING:
    from podium.client import Podium

History = Annotated[
    bool,
    typer.Option(
        "--history/--no-history",
        envvar="PODIUM_HISTORY",
        help="Keep it in your history, for `podium runs`.",
    ),
]

_PIECE_BYTES = 1 << 20

Entry = dict[str, Any]
"""A line of the history. All have `kind` and `at`, and

- `score`: `file`, `sha256`, `note`, `truth`, `truth_sha256`, `measure` (the preset or the metrics
  as given), `metric` (the ones that make the score), `objectives` (each with its `name`, `weight`
  and `metric`), `score`, unrounded, and `further` (the values of the other metrics, by their ids);
- `submission`: `file`, `sha256`, `url`, `id`, `competition`, `note`, `status`, `public_score`,
  `private_score`, `read_at`, and, if the server has sent them, `metric` and `decimals` (those of
  the competition); the last line with an `id` is the current state of it;
- `reading`: `url` and `competition`, whose scores were read again; those that had changed have
  lines of their own.

Old lines have neither `metric` nor `objectives`, `further`, `decimals` and `read_at`.
"""


@contextmanager
def hashed_meanwhile(*files: Path) -> Iterator[Callable[[Path], str]]:
    """Hashes files in a thread while the block runs, one after the other; yields a function that
    waits for the SHA-256 of one of them, in hex. It raises CancelledError for files that are not
    hashed when the block ends."""
    is_over = Event()
    with ThreadPoolExecutor(1) as beside:
        found = {file: beside.submit(_sha256_unless, is_over, file) for file in files}
        try:
            yield lambda file: found[file].result()
        finally:
            is_over.set()


def _sha256_unless(is_over: Event, file: Path) -> str:
    hashed = hashlib.sha256()
    with file.open("rb", buffering=0) as source:
        while piece := source.read(_PIECE_BYTES):
            if is_over.is_set():
                raise CancelledError
            hashed.update(piece)
    return hashed.hexdigest()


def keep_score(
    file: Path,
    truth: Path,
    sha256_of: Callable[[Path], str],
    *,
    measure: str,
    metric: str,
    objectives: list[dict[str, str]],
    note: str,
    score: float,
    further: dict[str, float],
) -> None:
    """Adds the score of a file against a ground truth to the history."""
    known = {"file": file.name, "sha256": sha256_of(file), "note": note}
    against = {"truth": truth.name, "truth_sha256": sha256_of(truth)}
    scored_by = {"measure": measure, "metric": metric, "objectives": objectives}
    _append("score", [{**known, **against, **scored_by, "score": score, "further": further}])


def scoring_of(podium: Podium, slug: str) -> dict[str, Any]:
    """Returns the metrics of a competition, in the form of a local score's, and its decimals;
    nothing if the server fails: the history must not fail a command."""
    with suppress(PodiumError):
        competition = podium.competition(slug)
        metrics = competition["objective_metrics"].values()
        named = " ".join(dict.fromkeys(metric["full_id"] for metric in metrics))
        return {"metric": named, "decimals": competition["decimals"]}
    return {}


def keep_submissions(url: str, scoring: dict[str, Any], *documents: dict[str, Any]) -> None:
    """Adds submissions to a competition with this scoring to the history, as the server sent
    them."""
    names = ("id", "competition", "note", "status", "public_score", "private_score", "sha256")
    _append(
        "submission",
        [
            {
                "at": document["submitted_at"],
                "read_at": _now(),
                "file": document["filename"],
                "url": url,
                **scoring,
                **{name: document[name] for name in names},
            }
            for document in documents
        ],
    )


def keep_reading(url: str, slug: str) -> None:
    """Adds to the history that all scores of a competition were read now."""
    _append("reading", [{"url": url, "competition": slug}])


def entries() -> list[Entry]:
    """Returns all entries, oldest first."""
    found = []
    try:
        lines = _path().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            # The machine lost power while the line was written.
            complain(f"{_path()}: a line that is not JSON is passed over.")
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _append(kind: Literal["score", "submission", "reading"], found: list[Entry]) -> None:
    """Adds lines. A history that cannot be written fails no command, whose work is done."""
    known = {"kind": kind, "at": _now()}
    lines = [json.dumps({**known, **entry}, ensure_ascii=False) for entry in found]
    try:
        path = _path()
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only the user may read the notes. One write per line, so that concurrent commands do not
        # mix.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "wb", buffering=0) as sink:
            for line in lines:
                sink.write(line.encode() + b"\n")
    except OSError as failure:
        _report_failure(str(failure))


@cache
def _report_failure(failure: str) -> None:
    """Reports only once that nothing is recorded: a command writes several lines."""
    complain(f"The run is not in the history: {failure}.")


def sha256_of(file: Path) -> str:
    """Returns the SHA-256 of a file's bytes, in hex. The client has the same function, but
    importing it would load an HTTP library."""
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("podium") / "runs.jsonl"

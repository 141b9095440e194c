"""`python -m benchmarks.uploads.last_byte`: what passes between the last byte of a full OTTO file
and its verdict, and how soon its ground truth is stored and launched.

`podium serve` with SQLite and a folder, judging with its default settings. In each round come the
floor (Polars counts the rows of the file), a new competition with a ground truth that is not stored
yet, a submission that is not, and the same submission again, whose bytes are stored by then.
The answer is that of a client; lease and verdict have the times of their rows, since a client that
asks more often than others takes the processor from the judging. Prints Markdown; progress goes to
stderr. A missed aim is only said, for a machine may be busy.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks import machine, report
from benchmarks.__main__ import add_files, made_files
from benchmarks.contest import measured
from benchmarks.contestants.lineup import floor_of
from benchmarks.report import Aim
from benchmarks.workers import TOKEN, WAIT_SECONDS, Installation, moments, serving
from podium.client import Organizer, Podium

PIECE = 1 << 20
OF_FLOOR, BESIDES_SECONDS = 2.0, 0.3
"""A verdict may come after so many floors and so many seconds more."""

MAX_STORED, MAX_LAUNCHED = 3.0, 5.0
"""Seconds for a ground truth."""

NEW, STORED = "not stored yet", "stored already"
STEPS = ("the answer 202", "the lease", "the verdict")


@dataclass
class Found:
    """Seconds of each round: of the floor; of an upload of the ground truth and of the launch; and
    from the last byte to each step, of files whose bytes are new and of those that are stored."""

    floor: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    launched: list[float] = field(default_factory=list)
    steps: dict[str, list[list[float]]] = field(default_factory=lambda: {NEW: [], STORED: []})


def main(argv: list[str]) -> None:
    """Makes the files where they are missing, starts the service, measures, prints."""
    began, options = machine.moment(), _options(argv)
    files = made_files(options.data_dir, options.sessions)
    found = Found()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, ExitStack() as stack:
        here = stack.enter_context(serving(Path(folder), "", options=()))
        organizer = stack.enter_context(Organizer(here.url, TOKEN))
        token = organizer.create_user("ada")["token"]
        ada = stack.enter_context(Podium(here.url, token))
        for number in range(1, options.rounds + 1):
            found.floor.append(measured(floor_of(files / "interleaved.csv")).wall)
            slug, truth = f"otto-{number}", Path(folder) / "labels.jsonl"
            with truth.open("wb") as sink:
                sink.writelines(_turned(files / "test_labels.jsonl", number))
            _open(organizer, slug, truth, found)
            ada.create_team(slug, "Ada")
            for which, steps in found.steps.items():
                sent = _Sent(here, slug, token, files / "interleaved.csv", number)
                steps.append(sent.seconds(ada))
                _say(f"round {number}, {which}: {_words(steps[-1])}")
    lines = [*report.head("The last byte", began), *_table(found, options.sessions)]
    report.publish("last-byte", lines, is_kept=options.write)


def _turned(labels: Path, count: int) -> Iterator[bytes]:
    """The lines of the file, with the first ones at the end: other bytes that mean the same."""
    with labels.open("rb") as source:
        first = list(islice(source, count))
        yield from source
        yield from first


def _open(organizer: Organizer, slug: str, truth: Path, found: Found) -> None:
    organizer.create_competition(slug, "OTTO", preset="otto", daily_limit=100)
    found.stored.append(_seconds(lambda: organizer.upload_ground_truth(slug, truth)))
    found.launched.append(_seconds(lambda: organizer.launch(slug)))
    _say(f"stored after {found.stored[-1]:.2f} s, launched after {found.launched[-1]:.2f} s more")


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class _Sent:
    """A submission to be sent. Its last list lacks `cut` items: no other has its bytes."""

    here: Installation
    slug: str
    token: str
    file: Path
    cut: int

    def seconds(self, ada: Podium) -> list[float]:
        """Sends the file as the body of one request and waits for its verdict; returns the seconds
        after its last byte to each step."""
        submission_id, last_byte, answered = self._sent()
        status = ada.wait(submission_id, timeout=WAIT_SECONDS)["status"]
        if status != "scored":
            sys.exit(f"A file is {status} instead of scored.")
        ((_, leased, judged),) = moments(self.here, [submission_id])
        return [moment - last_byte for moment in (answered, leased, judged)]

    def _sent(self) -> tuple[str, float, float]:
        """The submission's id, and the moments of its last byte and of its answer."""
        with self.file.open("rb") as source:
            size = source.seek(0, 2)
            source.seek(max(0, size - PIECE))
            *_, last = source.read().splitlines()
        end = last.rsplit(b" ", self.cut)[0] + b"\n"
        whole = size - len(last) - 1
        connection = http.client.HTTPConnection(urlsplit(self.here.url).netloc, timeout=600)
        path = f"/api/v1/competitions/{self.slug}/submissions?filename=full.csv"
        connection.putrequest("POST", path)
        connection.putheader("Content-Length", str(whole + len(end)))
        connection.putheader("Authorization", f"Bearer {self.token}")
        connection.endheaders()
        with self.file.open("rb") as source:
            for start in range(0, whole, PIECE):
                connection.send(source.read(min(PIECE, whole - start)))
        connection.send(end)
        last_byte = time.time()
        answer = connection.getresponse()
        body, answered = answer.read(), time.time()
        connection.close()
        if answer.status != http.HTTPStatus.ACCEPTED:
            sys.exit(f"The file was refused: {answer.status} {body!r}")
        return json.loads(body)["id"], last_byte, answered


def _table(found: Found, sessions: int) -> list[str]:
    lines = [
        f"The submission has {3 * sessions:,} rows of twenty items, seed 42.",
        f"Median (least–most) of {len(found.floor)} rounds, in seconds.",
        "",
        f"| from the last byte of a file to … | {NEW} | {STORED} |",
        "| --- | ---: | ---: |",
    ]
    for number, step in enumerate(STEPS):
        cells = [_spread([each[number] for each in found.steps[which]]) for which in (NEW, STORED)]
        lines.append(f"| {step} | {' | '.join(cells)} |")
    lines += [
        "",
        "| besides | s |",
        "| --- | ---: |",
        f"| the floor: Polars counts the rows of the file | {_spread(found.floor)} |",
        f"| an upload of the ground truth, until it is stored | {_spread(found.stored)} |",
        f"| its launch | {_spread(found.launched)} |",
        "",
        "| aim | reached | bound | held |",
        "| --- | ---: | ---: | --- |",
    ]
    return [*lines, *(aim.line() for aim in aims(found))]


def aims(found: Found) -> list[Aim]:
    """The aims; those of verdicts are shares of what the floor of the same round allows."""
    words = f"to the verdict / ({OF_FLOOR:g} × floor + {BESIDES_SECONDS:g} s)"
    of_verdicts = [
        Aim(f"{which}: {words}", median(_shares(found.floor, steps)), 1)
        for which, steps in found.steps.items()
    ]
    return [
        *of_verdicts,
        Aim("seconds until the ground truth is stored", median(found.stored), MAX_STORED),
        Aim("seconds of its launch", median(found.launched), MAX_LAUNCHED),
    ]


def _shares(floor: Sequence[float], steps: Sequence[Sequence[float]]) -> list[float]:
    pairs = zip(floor, steps, strict=True)
    return [each[-1] / (OF_FLOOR * least + BESIDES_SECONDS) for least, each in pairs]


def _words(seconds: Sequence[float]) -> str:
    return ", ".join(
        f"{step} after {each:.2f} s" for step, each in zip(STEPS, seconds, strict=True)
    )


def _spread(figures: Sequence[float]) -> str:
    return f"{median(figures):.2f} ({min(figures):.2f}–{max(figures):.2f})"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uploads.last_byte")
    add_files(parser)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of all (default: 5)")
    parser.add_argument("--folder", type=Path, help="where files are stored (default: a new one)")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])

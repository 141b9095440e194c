"""The number of faults of a run: few in `make test-all`, as many as asked for in `make faults`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

T = TypeVar("T")


class Place(Protocol):
    """An installation that faults are done to."""

    def described(self) -> str:
        """Its database and where its files are."""


@dataclass(frozen=True)
class Budget:
    """The budget of one test. `asked` is `FAULTS_POINTS`: how many kill points each kind of process
    gets."""

    asked: int | None
    report_to: Path | None
    started: float = field(default_factory=time.monotonic)
    seconds: float = 3 * 3600.0
    """After which a test begins no further point."""

    @classmethod
    def from_environment(cls) -> Budget:
        """As `make faults` says; without it, the short one."""
        asked, report_to = os.environ.get("FAULTS_POINTS"), os.environ.get("FAULTS_REPORT")
        return cls(
            int(asked) if asked else None,
            Path(report_to) if report_to else None,
            seconds=float(os.environ.get("FAULTS_SECONDS", "10800")),
        )

    def points(self, short: int) -> int:
        """The number of rounds, which is `short` in the short run."""
        return short if self.asked is None else self.asked

    def times(self, short: T, full: T) -> T:
        """Something else for each of the two runs."""
        return short if self.asked is None else full

    def in_time(self, faults: Iterable[T]) -> Iterator[T]:
        """One after the other, as long as there is time for another."""
        for fault in faults:
            if time.monotonic() - self.started > self.seconds:
                return
            yield fault

    def report(self, what: str, where: Place, faults: int, note: str = "") -> None:
        """Adds a line to the report of the full run."""
        if self.report_to is None:
            return
        line = {
            "what": what,
            "where": where.described(),
            "faults": faults,
            "seconds": round(time.monotonic() - self.started),
            "note": note,
        }
        with self.report_to.open("a") as stream:
            stream.write(json.dumps(line) + "\n")

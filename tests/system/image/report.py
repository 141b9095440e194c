"""Steps, each with its outcome on a line of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.system.image.engine import Refused


@dataclass
class Report:
    """Counts what went well and what did not."""

    passed: int = 0
    failed: int = 0

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Does the block and says how it ended; the next step comes in any case."""
        begun = time.monotonic()
        try:
            yield
        except (AssertionError, Refused, OSError, ValueError, subprocess.SubprocessError) as error:
            self.failed += 1
            say(f"FAIL  {what}: {error or type(error).__name__}")
        else:
            self.passed += 1
            say(f"ok    {what} ({time.monotonic() - begun:.1f} s)")


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()

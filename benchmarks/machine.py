"""The circumstances of a measurement: command, commit, day; processor, cores, memory, versions, and
what else the machine did meanwhile. Standard library only."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]

PACKAGES = ("polars", "duckdb", "backports.zstd", "isal")

MAX_BY_OTHERS = 0.1
"""Share of the processor that others may take of a machine that counts as quiet."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The load average of the last minute, and seconds: of a clock, of processor that all
    processes have used (None where the kernel does not tell) and that we and our children have."""

    load: float
    clock: float
    by_all: float | None
    by_us: float


def moment() -> Moment:
    """The machine now."""
    return Moment(os.getloadavg()[0], time.monotonic(), _by_all(), sum(os.times()[:4]))


def described(began: Moment | None = None) -> list[str]:
    """Lines for the head of the results; with the moment at which measuring began, also how busy
    the machine was, and a warning where others were at work on it."""
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    lines = [
        f"- command: `{_command()}`",
        f"- commit: {_commit()}, measured {time.strftime('%Y-%m-%d', time.gmtime())}",
        f"- machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB",
        f"- system: {platform.system()} {platform.release()}, Python {platform.python_version()}",
        f"- versions: {versions}",
    ]
    return lines if began is None else [*lines, *busy_lines(began, moment(), os.cpu_count() or 1)]


def busy_lines(began: Moment, ended: Moment, cores: int) -> list[str]:
    """The load between two moments. The machine was quiet if others took little of the processor;
    where that is not known, if the load average was small before."""
    taken = _taken_by_others(began, ended, cores)
    told = "unknown" if taken is None else f"{100 * taken:.0f} %"
    line = f"- load average: {began.load:.2f} before, {ended.load:.2f} after"
    lines = [f"{line}; processor taken by other programs meanwhile: {told}"]
    if (began.load / cores if taken is None else taken) > MAX_BY_OTHERS:
        lines.append("- **The machine was not quiet: these figures are no results.**")
    return lines


def _taken_by_others(began: Moment, ended: Moment, cores: int) -> float | None:
    if began.by_all is None or ended.by_all is None:
        return None
    others = ended.by_all - began.by_all - (ended.by_us - began.by_us)
    return max(0.0, others / (cores * (ended.clock - began.clock)))


def _by_all() -> float | None:
    """Seconds of processor that the machine has spent on anything, time stolen from it included."""
    counters = Path("/proc/stat")
    if not counters.exists():
        return None
    user, nice, system, _, _, *others = counters.read_text().split("\n", 1)[0].split()[1:9]
    ticks = sum(map(int, (user, nice, system, *others)))
    return ticks / os.sysconf("SC_CLK_TCK")


def _command() -> str:
    """The command that measures, as it was typed but for the option to write its page."""
    specification = sys.modules["__main__"].__spec__
    name = Path(sys.argv[0]).name if specification is None else specification.name
    words = ["python", "-m", name.removesuffix(".__main__"), *sys.argv[1:]]
    return shlex.join(word for word in words if word != "--write")


def _commit() -> str:
    """The short name of the commit that is measured, and whether anything but results differs."""
    try:
        commit = _git("rev-parse", "--short=8", "HEAD")
        changed = _git("status", "--porcelain", "--", ".", ":!benchmarks/results")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit} and changes" if changed else commit


def _git(*words: str) -> str:
    command = ["git", *words]
    return subprocess.check_output(command, cwd=ROOT, text=True, stderr=subprocess.DEVNULL).strip()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    """The processor's name; elsewhere than on Linux only its kind."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()

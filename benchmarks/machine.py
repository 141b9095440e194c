"""The machine of a measurement: processor, cores, memory, versions. Standard library only."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("polars", "duckdb", "backports.zstd")


def described() -> list[str]:
    """Lines for the head of the results."""
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return [
        f"- machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB",
        f"- system: {platform.system()} {platform.release()}, Python {platform.python_version()}",
        f"- versions: {versions}",
    ]


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

"""Lists the packages that a metric may import beside the standard library, and describes the
platform that it runs on."""

from __future__ import annotations

import platform
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "pandas", "polars", "scipy", "scikit-learn")
"""Packages of the extra `metrics`."""

PROVIDED = ("kaggle_metric_utilities", "podium_metric")
"""Modules that a metric may import by these names; no other process has them."""

MODEL = re.compile(r"^(?:model name|Model|cpu model|Hardware)\s*:\s*(.+)$", re.MULTILINE)


def installed() -> dict[str, str]:
    """Finds the installed versions of the extra's packages, by name."""
    found = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def missing() -> list[str]:
    """Lists the packages of the extra `metrics` that this installation lacks."""
    present = installed()
    return [name for name in PACKAGES if name not in present]


def processor() -> str:
    """Describes the processor's model, where the kernel reports it, and the versions of Python and
    packages."""
    model = ""
    with suppress(OSError):
        found = MODEL.search(Path("/proc/cpuinfo").read_text(errors="replace"))
        model = found[1].strip() if found else ""
    versions = {"Python": platform.python_version(), **installed()}
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"{model or platform.machine()}; {listed}"

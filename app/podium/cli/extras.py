"""The requirements of commands beyond the thin client: an extra of the package, and perhaps Linux.

They are checked before the module of the command is imported; if one is missing, the help is one
sentence and the line to type.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from importlib.util import find_spec

from podium import line_to_install
from podium.errors import NotConfigured


class Extra(StrEnum):
    """Extras that commands need, named as in `pyproject.toml`."""

    SCORE = "score"
    SERVER = "server"
    BASELINES = "baselines"
    ALS = "als"
    AB = "ab"
    METRICS = "metrics"


BRINGS = {
    Extra.SCORE: ("the scorer", ("polars",)),
    Extra.SERVER: ("the server", ("sqlalchemy",)),
    Extra.BASELINES: ("sparse matrices", ("polars", "scipy")),
    Extra.ALS: ("matrix factorization", ("polars", "implicit")),
    Extra.AB: ("SciPy", ("polars", "scipy")),
    Extra.METRICS: ("the packages of custom metrics", ("polars", "pandas", "scipy", "sklearn")),
}
"""The purpose of an extra, and modules that only it installs."""


def require(extra: Extra | None, command: str) -> None:
    """Raises `NotConfigured`, with the line to type, if the extra is not installed."""
    if extra is None:
        return
    if extra is Extra.SERVER:
        require_linux(command)
    what, modules = BRINGS[extra]
    if any(find_spec(module) is None for module in modules):
        raise NotConfigured(f"{command} needs {what}: {line_to_install(extra)}")


def require_linux(command: str) -> None:
    """Raises `NotConfigured` on other systems: files are judged in a sandbox of the Linux
    kernel."""
    if sys.platform != "linux":
        raise NotConfigured(f"{command} runs on Linux only, for example in the Docker image.")

"""The requirements of a command beyond the thin client: an extra of the package, and perhaps Linux.

Asked before the module of the command is imported; without, its help is one sentence and the line
to type.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from importlib.util import find_spec

from podium import line_to_install
from podium.errors import NotConfigured


class Extra(StrEnum):
    """Extras that commands need, as `pyproject.toml` names them."""

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
"""The contribution of an extra, and modules that are there only with it."""


def require(extra: Extra | None, command: str) -> None:
    """Raises `NotConfigured`, with the line to type, where the extra is not installed."""
    if extra is None:
        return
    if extra is Extra.SERVER:
        require_linux(command)
    what, modules = BRINGS[extra]
    if any(find_spec(module) is None for module in modules):
        raise NotConfigured(f"{command} needs {what}: {line_to_install(extra)}")


def require_linux(command: str) -> None:
    """Raises `NotConfigured` on other systems: files are judged in a sandbox of Linux's kernel."""
    if sys.platform != "linux":
        raise NotConfigured(f"{command} runs on Linux only, for example in the Docker image.")

"""Runs `podium` as a user who may do no more than the modes of files say: where that is root,
without its capabilities.

`python -m tests.builders.processes.powerless migrate` runs `podium migrate` so.
"""

from __future__ import annotations

import ctypes

from podium.cli import main as podium
from podium.sandbox.isolation import own_user


def main() -> None:
    """Runs the command line without any capability."""
    state = own_user.become(ctypes.CDLL(None, use_errno=True), None)
    assert state.startswith("dropped"), state
    podium()


if __name__ == "__main__":
    main()

"""Imports of metrics that run in the process of the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def imports_undone(folder: Path) -> Iterator[None]:
    """Forgets, after the block, what a metric below this folder has done to Python's imports: in a
    child of its own it ends with that."""
    path, modules = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(str(folder)):
                del sys.modules[name]

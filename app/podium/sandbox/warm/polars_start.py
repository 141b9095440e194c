"""Loads Polars without its threads, which start in each child instead.

Importing Polars starts a thread that deletes its temporary files, and its allocator starts others.
A process that forks must have none: `ENVIRONMENT` keeps the allocator from it, and the call that
starts the other one is deferred until `begin`. Should a version start threads elsewhere, the warm
process refuses to fork, and children are started cold.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

ENVIRONMENT: Mapping[str, str] = {"_RJEM_MALLOC_CONF": "background_thread:false"}

STARTS = "__register_startup_deps"
"""The function by which the Python package starts the Rust library, once, during its import."""


class PolarsLater(MetaPathFinder):
    """Defers the start of Polars, from its creation until `begin`."""

    def __init__(self) -> None:
        self._deferred: list[Callable[[], object]] = []
        sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds the Rust library as usual, and changes how it is loaded."""
        if not name.endswith("._polars_runtime"):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = self._loading(loader.exec_module)
        return spec

    def begin(self) -> None:
        """Starts what was deferred; afterwards nothing is deferred any more."""
        sys.meta_path.remove(self)
        for start in self._deferred:
            start()
        self._deferred.clear()

    def _loading(self, execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        def load(module: ModuleType) -> None:
            execute(module)
            start = getattr(module, STARTS, None)
            if start is None:
                return

            def later(*given: object) -> None:
                vars(module)[STARTS] = start
                self._deferred.append(lambda: start(*given))

            vars(module)[STARTS] = later

        return load

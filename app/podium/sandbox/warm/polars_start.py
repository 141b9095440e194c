"""Loads Polars without its threads, which begin in each child instead.

Importing Polars starts a thread that removes files of its own, and its allocator starts others.
A process that forks must have none: the allocator is told so by `ENVIRONMENT`, and the call that
starts the other one is put off until `begin`. Should a version start threads elsewhere, the warm
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
"""The function by which the package of Python starts the library of Rust, once, in its import."""


class PolarsLater(MetaPathFinder):
    """Puts off the start of Polars, from when it is made until `begin`."""

    def __init__(self) -> None:
        self._put_off: list[Callable[[], object]] = []
        sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds the library of Rust as always, and changes how it is loaded."""
        if not name.endswith("._polars_runtime"):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = self._loading(loader.exec_module)
        return spec

    def begin(self) -> None:
        """Starts what was put off; from here on, nothing is."""
        sys.meta_path.remove(self)
        for start in self._put_off:
            start()
        self._put_off.clear()

    def _loading(self, execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        def load(module: ModuleType) -> None:
            execute(module)
            start = getattr(module, STARTS, None)
            if start is None:
                return

            def later(*given: object) -> None:
                vars(module)[STARTS] = start
                self._put_off.append(lambda: start(*given))

            vars(module)[STARTS] = later

        return load

"""Runs `podium` where something is missing, as on another system or in a smaller installation.

`python -m tests.builders.processes.lacking fcntl,os.fork --help` runs `podium --help` in a process
that has neither the module nor the function. `linux` among the names makes it another system.
"""

from __future__ import annotations

import importlib
import sys
import sysconfig
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

LINUX = "linux"


class Refusing(MetaPathFinder):
    """Stands before all other finders, and refuses some modules."""

    def __init__(self, refused: frozenset[str]) -> None:
        self._refused = refused

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        if fullname.partition(".")[0] in self._refused:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def lack(names: Sequence[str]) -> None:
    """Takes modules, and members of modules such as `os.fork`, from this process."""
    modules = frozenset(name for name in names if "." not in name) - {LINUX}
    if LINUX in names:
        # Looked up by the platform, and kept from then on.
        sysconfig.get_config_vars()
        sys.platform = "other"
    sys.meta_path.insert(0, Refusing(modules))
    for name in modules:
        sys.modules.pop(name, None)
    for name in set(names) - modules - {LINUX}:
        module, _, member = name.rpartition(".")
        delattr(importlib.import_module(module), member)


def main() -> None:
    """Runs the command line without what the first argument names."""
    lack(sys.argv.pop(1).split(","))
    from podium.cli import main as podium

    podium()


if __name__ == "__main__":
    main()

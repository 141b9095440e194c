"""Paths that a child may read besides the files of its task: the interpreter, libraries, this
package.

Never a folder that may hold data: of a clone only the package's folder, of an environment only
`lib`. Before it starts, the service checks that its own data do not lie below these paths.
"""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

LIBRARY_PATHS = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/share/zoneinfo",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/urandom",
    "/proc/cpuinfo",
)
"""Paths that Python, the C library and numerical libraries read; none belongs to the
installation."""

MACHINE_PATHS = (
    "/proc/meminfo",
    "/proc/stat",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
)
"""Paths that show the number of processors and the amount of memory, for Polars."""

OWN_PATHS = ("/proc/self",)

OWN_PATHS_OF_CODE = tuple(
    f"/proc/self/{name}" for name in ("fd", "maps", "stat", "statm", "status")
)
"""The part of these that libraries read; the rest reveals mounts, groups and the command line."""

LIBRARIES = ("site-packages", "dist-packages")
"""Names of folders that contain only libraries."""


def readable_paths(tasks_module: str, *, runs_code: bool = False) -> list[Path]:
    """Returns the existing folders and files that every child may read, with links resolved.
    `tasks_module` is where its tasks are found; a child that `runs_code` of organizers has one
    thread, and may see less of the machine."""
    found = [*LIBRARY_PATHS, *map(str, libraries(tasks_module)), *_below(sys.base_prefix)]
    if not runs_code:
        found += MACHINE_PATHS
    # In /proc, `self` is the process that looks, so it stays as it is.
    own = {Path(path) for path in (OWN_PATHS_OF_CODE if runs_code else OWN_PATHS)}
    return sorted(own | {Path(path).resolve() for path in found if Path(path).exists()})


def libraries(tasks_module: str) -> list[Path]:
    """Returns the existing folders and archives that modules are imported from, as Python names
    them, with links unresolved."""
    found = [*_standard(), *_installed(), *_package_of(tasks_module), *_package_of(__name__)]
    return [path for path in map(Path, dict.fromkeys(found)) if path.exists()]


def import_roots(tasks_module: str) -> list[str]:
    """Returns the folders from which the packages of the tasks and of the sandbox are imported."""
    packages = [*_package_of(tasks_module), *_package_of(__name__)]
    return list(dict.fromkeys(str(Path(package).parent) for package in packages))


def _standard() -> list[str]:
    paths = sysconfig.get_paths()
    named = [paths["stdlib"], paths["platstdlib"]]
    return named + [entry for entry in sys.path if entry.endswith(".zip")]


def _below(prefix: str) -> list[str]:
    # Shared libraries are here, too. Whole prefixes are not readable: an environment may lie in the
    # folder of the data, or the data in the environment.
    return [str(Path(prefix, name)) for name in ("lib", "lib64")]


def _installed() -> list[str]:
    named = [entry for entry in sys.path if Path(entry).name in LIBRARIES]
    # Libraries may be installed into any folder; the others are where Polars is.
    polars = importlib.util.find_spec("polars")
    if polars is not None and polars.origin is not None:
        named.append(str(Path(polars.origin).parents[1]))
    return named


def _package_of(module: str) -> list[str]:
    try:
        found = importlib.util.find_spec(module.partition(".")[0])
    except ImportError:
        return []
    return list(found.submodule_search_locations or []) if found else []

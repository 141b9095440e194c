"""Loads add-ons: installed packages that provide metrics, kinds of task and presets by entry
points.

An operator lists the packages in `PODIUM_ADD_ONS`; no others are searched. They are loaded at the
first use of a registry, so that startup does not wait for them. Everything that an add-on provides
is named after it, `package__name`: it never shadows a built-in name, and identifies its package
even where that is missing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from podium.errors import NotConfigured

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

Group = Literal["metrics", "kinds", "presets"]
Value = TypeVar("Value")

VARIABLE = "PODIUM_ADD_ONS"

MAX_CHARACTERS = 32
"""The maximum length of names, which is the limit for names of metrics in settings."""

_WORDS = "[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
_KEY = re.compile(f"({_WORDS})__{_WORDS}")


class Later(Mapping[str, Value]):
    """A mapping that is created when it is first used: what an add-on provides may import the
    module that holds it."""

    def __init__(self, make: Callable[[], Mapping[str, Value]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, Value]:
        return self._make()

    def __getitem__(self, key: str) -> Value:
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def package_of(key: str) -> str | None:
    """Finds the package that a key is named after; None for a built-in key.

    >>> package_of("podium_acme__margin"), package_of("ndcg"), package_of("own_one_two")
    ('podium-acme', None, None)
    """
    found = _KEY.fullmatch(key)
    return found[1].replace("_", "-") if found else None


@cache
def allowed() -> Mapping[str, Distribution]:
    """Finds the packages that the operator allows, by name. Raises `NotConfigured` for one that is
    not installed."""
    names = [_normalized(each) for each in os.environ.get(VARIABLE, "").split(",") if each.strip()]
    if not names:
        return {}
    # For startup time: without add-ons none of this is needed.
    from importlib.metadata import PackageNotFoundError, distribution

    found = {}
    for name in names:
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            raise NotConfigured(
                f"{VARIABLE} names {name}, which is not installed. Type `pip install {name}` in the"
                " environment of Podium, or take the name out."
            ) from None
    return found


def versions() -> list[str]:
    """Lists the allowed packages, each with its version."""
    return [f"{name} {package.version}" for name, package in allowed().items()]


def versions_of(keys: Iterable[str]) -> list[str]:
    """Lists the allowed packages that any of these keys is named after, each with its version."""
    packages = {package_of(key) for key in keys}
    return [each for each in versions() if each.partition(" ")[0] in packages]


@cache
def contributed(group: Group) -> Mapping[str, Any]:
    """Loads everything that add-ons provide in one group, by name. Raises `NotConfigured`."""
    return {key: _loaded(entry) for key, entry in _entries(group).items()}


def lack_of(group: Group, key: str) -> str | None:
    """Explains which add-on is missing for a key; None where none is."""
    package = package_of(key)
    if package is None or key in contributed(group):
        return None
    if package in allowed():
        return f"{key} is not part of the add-on {package} {allowed()[package].version}"
    return f"{key} needs the add-on {package}, which {VARIABLE} does not name here"


def file_of(group: Group, key: str, path: str) -> Path:
    """Finds a file in the package that provides this key."""
    # For startup time, as above.
    from importlib.resources import files

    top = _entries(group)[key].module.partition(".")[0]
    return Path(str(files(top))) / path


def require(group: Group, key: str, is_so: bool, words: str) -> None:
    """Raises `NotConfigured`, with the name of the package, unless `is_so`; `words` describe the
    problem."""
    if not is_so:
        raise NotConfigured(f"The add-on {package_of(key)} cannot be used: {group} {key} {words}.")


@cache
def _entries(group: Group) -> Mapping[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for name, package in allowed().items():
        for entry in package.entry_points.select(group=f"podium.{group}"):
            if package_of(entry.name) != name or len(entry.name) > MAX_CHARACTERS:
                prefix = name.replace("-", "_")
                raise NotConfigured(
                    f"The add-on {name} cannot be used: it calls one of its {group} {entry.name}."
                    f" Names are {prefix}__ and lower-case letters, digits and single underscores,"
                    f" {MAX_CHARACTERS} characters at most."
                )
            found[entry.name] = entry
    return found


def _loaded(entry: EntryPoint) -> Any:  # noqa: ANN401 - a class, a kind or a dictionary
    try:
        return entry.load()
    except Exception as error:
        raise NotConfigured(
            f"The add-on {package_of(entry.name)} cannot be used: {entry.value} does not load"
            f" ({type(error).__name__}: {error})."
        ) from error


def _normalized(name: str) -> str:
    return re.sub("[-_.]+", "-", name.strip()).lower()

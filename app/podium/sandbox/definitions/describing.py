"""The task of saying how a child is isolated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from podium.sandbox import SandboxTask


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The parts of the isolation and their states, by name."""

    STATUS: ClassVar = "described"

    isolation: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe(SandboxTask[Described]):
    """Says how a child is isolated; `is_whole` loads everything that tasks need as well."""

    NAME: ClassVar = "describe"
    RESULT: ClassVar = Described

    is_whole: bool

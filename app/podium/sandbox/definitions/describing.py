"""The task that reports how a child is isolated."""

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
    """Reports how a child is isolated; with `is_whole` it also loads everything that tasks need."""

    NAME: ClassVar = "describe"
    RESULT: ClassVar = Described

    is_whole: bool

"""The states of a version of the ground truth."""

from __future__ import annotations

from enum import StrEnum


class TruthState(StrEnum):
    """`outdated`: the version was stored, and a change of the draft's settings made it useless."""

    CHECKING = "checking"
    STORED = "stored"
    REJECTED = "rejected"
    OUTDATED = "outdated"

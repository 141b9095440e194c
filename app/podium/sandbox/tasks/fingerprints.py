"""Converts the fingerprint of a file to the form of a task's answer."""

from __future__ import annotations

from podium.sandbox.definitions.judging import FingerprintFigures
from podium.scoring.fingerprint import SCHEME, FileFingerprint


def figures_of(fingerprint: FileFingerprint | None) -> FingerprintFigures | None:
    """Returns the figures of a fingerprint; None without one."""
    if fingerprint is None:
        return None
    sketch = fingerprint.sketch.hex()
    return FingerprintFigures(scheme=SCHEME, content=fingerprint.content, sketch=sketch)

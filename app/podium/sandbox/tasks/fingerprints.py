"""The fingerprint of a file, as a task answers it."""

from __future__ import annotations

from podium.sandbox.definitions.judging import FingerprintFigures
from podium.scoring.fingerprint import SCHEME, FileFingerprint


def figures_of(fingerprint: FileFingerprint | None) -> FingerprintFigures | None:
    """The figures of a fingerprint, where there is one."""
    if fingerprint is None:
        return None
    sketch = fingerprint.sketch.hex()
    return FingerprintFigures(scheme=SCHEME, content=fingerprint.content, sketch=sketch)

"""Prepares a competition from raw sessions: a training set, truncated test sessions, hidden labels.

The rules are those by which OTTO's organizers created the real test set. Reads and writes files
only, in bounded memory, and the order of files, blocks and threads does not change a byte.
"""

from podium.preparation.files.findings import RawFileRefused
from podium.preparation.files.text import Container
from podium.preparation.sessions.cutting import Cuts, keyed_cuts, seeded_key
from podium.preparation.sessions.held_types import held_types
from podium.preparation.sessions.preparing import PreparedSessions, prepare
from podium.preparation.sessions.raw import looks_raw

__all__ = [
    "Container",
    "Cuts",
    "PreparedSessions",
    "RawFileRefused",
    "held_types",
    "keyed_cuts",
    "looks_raw",
    "prepare",
    "seeded_key",
]

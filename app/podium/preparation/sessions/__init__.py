"""From raw sessions to a competition: a training set, truncated test sessions, hidden labels.

The rules are those by which OTTO's organizer made the real test set. Files in, files out; memory
stays bounded, and the order of files, blocks and threads changes no byte.
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

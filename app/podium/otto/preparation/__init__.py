"""From raw sessions to a competition: a training set, truncated test sessions, hidden labels.

The rules are those by which OTTO's organiser made the real test set. Files in, files out; memory
stays bounded, and the order of files, blocks and threads changes no byte.
"""

from podium.otto.preparation.clickstream import TYPE_NAME
from podium.otto.preparation.cutting import Cuts, keyed_cuts, seeded_key
from podium.otto.preparation.findings import RawFileRefused
from podium.otto.preparation.held_types import held_types
from podium.otto.preparation.preparing import PreparedSessions, prepare
from podium.otto.preparation.raw import looks_raw
from podium.otto.preparation.text import Container

__all__ = [
    "TYPE_NAME",
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

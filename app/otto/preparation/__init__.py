"""From raw sessions to a competition: a training set, truncated test sessions, hidden labels.

The rules are those by which OTTO's organiser made the real test set. Files in, files out; memory
stays bounded, and the order of files, blocks and threads changes no byte.
"""

from app.otto.preparation.clickstream import TYPE_NAME, Columns
from app.otto.preparation.cutting import Cuts, keyed_cuts, seeded_key
from app.otto.preparation.findings import Refused
from app.otto.preparation.held_types import held_types
from app.otto.preparation.preparing import Prepared, prepare
from app.otto.preparation.raw import looks_raw
from app.otto.preparation.text import Container

__all__ = [
    "TYPE_NAME",
    "Columns",
    "Container",
    "Cuts",
    "Prepared",
    "Refused",
    "held_types",
    "keyed_cuts",
    "looks_raw",
    "prepare",
    "seeded_key",
]

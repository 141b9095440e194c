"""All wrong files."""

from __future__ import annotations

from tests.builders.wrong_files.label_sets import LABEL_SETS
from tests.builders.wrong_files.lists import LISTS
from tests.builders.wrong_files.odd_names import ODD_NAMES
from tests.builders.wrong_files.pairs import PAIRS
from tests.builders.wrong_files.shape import Wrong
from tests.builders.wrong_files.tables import TABLES

WRONG_FILES: tuple[Wrong, ...] = (*LISTS, *PAIRS, *TABLES, *LABEL_SETS, *ODD_NAMES)

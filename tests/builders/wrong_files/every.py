"""All wrong files."""

from __future__ import annotations

from tests.builders.wrong_files.lists import LISTS
from tests.builders.wrong_files.pairs import PAIRS
from tests.builders.wrong_files.shape import Wrong
from tests.builders.wrong_files.tables import TABLES

WRONG_FILES: tuple[Wrong, ...] = (*LISTS, *PAIRS, *TABLES)

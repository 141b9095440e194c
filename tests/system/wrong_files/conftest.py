"""An installation in this process that gets wrong files, and its database."""

from __future__ import annotations

from tests.api.conftest import judging as judging
from tests.api.conftest import migrated_sqlite_file as migrated_sqlite_file

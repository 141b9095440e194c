"""The stage on which roles and objects are tried, and a site with its people."""

from __future__ import annotations

from tests.api.conftest import installation as installation
from tests.api.conftest import migrated_sqlite_file as migrated_sqlite_file
from tests.api.conftest import olga as olga
from tests.api.conftest import site as site
from tests.builders.access.fixtures import operations as operations
from tests.builders.access.fixtures import played as played
from tests.builders.access.fixtures import stage as stage

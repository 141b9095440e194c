"""The stage on which roles and objects are tried."""

from __future__ import annotations

from tests.builders.access.fixtures import operations as operations
from tests.builders.access.fixtures import played as played
from tests.builders.access.fixtures import stage as stage

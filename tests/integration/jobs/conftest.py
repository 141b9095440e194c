"""A draft that jobs belong to, a kind of job that does nothing, and a live worker in the books."""

from __future__ import annotations

import pytest

from podium.application import Application
from tests.builders.jobs.desk import Desk


@pytest.fixture
def desk(application: Application) -> Desk:
    """A draft and a client of jobs; a worker is alive."""
    desk = Desk(application)
    desk.register_worker()
    return desk

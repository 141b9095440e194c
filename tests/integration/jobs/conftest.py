"""A draft that jobs belong to, a kind of job that does nothing, and a live worker in the books."""

from __future__ import annotations

import pytest

from podium.application import Application
from tests.builders.jobs.requester import JobRequester


@pytest.fixture
def requester(application: Application) -> JobRequester:
    """A draft and a client of jobs; a worker is alive."""
    requester = JobRequester(application)
    requester.register_worker()
    return requester

"""The scenes that tests of judging begin with."""

from __future__ import annotations

import pytest

from podium.application import Application
from tests.builders.judging.scene import Scene


@pytest.fixture
def scene(application: Application) -> Scene:
    """A competition with a real ground truth, and one team."""
    return Scene(application)

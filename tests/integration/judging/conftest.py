"""The scene that all tests of judging begin with."""

from __future__ import annotations

import pytest

from podium.application import Application
from tests.integration.judging.scene import Scene


@pytest.fixture
def scene(application: Application) -> Scene:
    return Scene(application)

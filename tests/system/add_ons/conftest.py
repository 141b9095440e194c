"""An environment with the add-on of the guide, for all tests of this folder."""

from __future__ import annotations

import pytest

from tests.builders.add_ons.package import beside_podium, install, of_the_guide
from tests.builders.processes.environments import Environment


@pytest.fixture(scope="package")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("add-ons")
    environment = beside_podium(folder / "environment")
    install(environment, of_the_guide(), folder / "source")
    return environment

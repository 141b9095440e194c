"""Two replicas of an installation for the meetings of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.builders.servers import postgres
from tests.builders.servers.interleaving import Replicas, replicas_on


@pytest.fixture(scope="module")
def place(
    postgres_server_url: str, migrated_postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Replicas]:
    """Two replicas with the administrator alone."""
    with (
        postgres.copied(postgres_server_url, migrated_postgres) as url,
        replicas_on(url, tmp_path_factory.mktemp("replicas")) as replicas,
    ):
        yield replicas

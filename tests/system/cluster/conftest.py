"""One cluster for all tests of this folder, which xdist gives to one of its processes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from podium.client import Organizer
from tests.builders.cluster import Cluster
from tests.builders.processes.serving import launch
from tests.builders.servers.s3 import S3Server

SETTINGS = {
    "PODIUM_MIN_FREE_BYTES": "0",
    "PODIUM_LEASE_SECONDS": "3",
    "PODIUM_RECONCILE_SECONDS": "0.5",
    "PODIUM_JUDGING_MEMORY_BYTES": str(2 << 30),
    "PODIUM_JUDGING_RETRY_MEMORY_BYTES": str(2 << 30),
}


@pytest.fixture(scope="package")
def cluster(
    postgres_server_url: str, s3: S3Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    name = f"cluster_{uuid.uuid4().hex}"
    engine = sa.create_engine(postgres_server_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    url = sa.make_url(postgres_server_url).set(database=name)
    try:
        with Cluster(
            tmp_path_factory.mktemp("cluster"),
            url.render_as_string(hide_password=False),
            s3.address("cluster", name),
            environment={**s3.environment, **SETTINGS},
            is_forked=True,
        ) as cluster:
            with Organizer(cluster.address, cluster.token) as organizer:
                launch(organizer, "shop", cluster.folder, daily_limit=100)
            yield cluster
    finally:
        with engine.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()

"""Many replicas and workers on PostgreSQL and a bucket: nothing is lost whichever process is
killed."""

from __future__ import annotations

from pathlib import Path

import obstore
import pytest
import sqlalchemy as sa

from podium.client import Podium
from podium.storage.addresses import open_store
from tests.builders.cluster import Cluster
from tests.builders.processes.serving import submission
from tests.builders.servers.s3 import S3Server
from tests.system.cluster.people import joined

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("cluster")]


def test_what_one_replica_took_in_another_one_shows_and_sends(
    cluster: Cluster, tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = cluster.addresses[:2]
    file = tmp_path / "mine.csv"
    file.write_text(submission(orders="4"))
    token = joined(cluster, "ada")
    with Podium(first, token) as ada:
        sent = ada.submit("shop", file)
        assert ada.wait(sent["id"], timeout=120)["public_score"] == 0.3
    with Podium(second, token) as there:
        there.download_submission(sent["id"], tmp_path / "again.csv")
        board = there.leaderboard("shop")
        assert [row["score"] for row in board if row["team"]["name"] == "ada"] == [0.3]
    assert (tmp_path / "again.csv").read_bytes() == file.read_bytes()
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    store = open_store(cluster.storage_url, name="PODIUM_STORAGE_URL")
    kept = {found["path"].rpartition("/")[0] for some in obstore.list(store) for found in some}
    # The empty one is that of the object by which readiness is proven.
    always = {"", "submissions", "files", "secret/ground-truth", "secret/hits"}
    assert always <= kept <= always | {"uploads"}


def test_what_was_accepted_is_judged_once_although_workers_and_a_replica_are_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    with Podium(cluster.addresses[1], joined(cluster, "grace")) as grace:
        sent = []
        for number in range(6):
            file = tmp_path / f"{number}.csv"
            # Two right orders in one, so that every file is another and every score known.
            file.write_text(submission(orders="4", carts=str(100 + number)))
            sent.append(grace.submit("shop", file)["id"])
            if number in (1, 3):
                cluster.parts[f"worker-{number // 2 + 1}"].kill()
        cluster.parts["api-1"].kill()
        cluster.parts["worker-1"].start()
        scores = [grace.wait(each, timeout=200)["public_score"] for each in sent]
        assert scores == [0.3] * 6
    cluster.parts["api-1"].start()
    cluster.parts["worker-2"].start()
    cluster.wait_for(f"{cluster.addresses[0]}/readyz")
    engine = sa.create_engine(cluster.database_url)
    with engine.connect() as connection:
        verdicts = connection.execute(
            sa.text(
                "SELECT count(*), count(DISTINCT submission_id) FROM judgings"
                " WHERE state = 'scored' AND submission_id = ANY(:ids)"
            ),
            {"ids": sent},
        ).one()
    engine.dispose()
    assert tuple(verdicts) == (6, 6)


def test_a_worker_that_is_told_to_leave_does_so_and_the_other_goes_on(
    cluster: Cluster, tmp_path: Path
) -> None:
    file = tmp_path / "late.csv"
    file.write_text(submission(carts="2 3"))
    with Podium(cluster.address, joined(cluster, "edsger")) as edsger:
        assert cluster.parts["worker-1"].leave() == 0
        sent = edsger.submit("shop", file)
        assert edsger.wait(sent["id"], timeout=120)["status"] == "scored"
    cluster.parts["worker-1"].start()

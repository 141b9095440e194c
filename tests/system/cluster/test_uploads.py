"""One resumable upload through both replicas of a cluster, one of which is killed meanwhile."""

from __future__ import annotations

import httpx2
import pytest

from podium.client import Podium
from tests.builders.cluster import Cluster
from tests.builders.processes.serving import submission
from tests.system.cluster.people import joined

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("cluster")]

SEND_SECONDS = 120.0


class Sender:
    """A client that sends a file in parts, each to any replica."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.token = joined(cluster, name)

    def asks(
        self, method: str, address: str, content: bytes = b"", **headers: str
    ) -> httpx2.Response:
        """One request with these headers, of which underscores are dashes."""
        told = {key.replace("_", "-"): value for key, value in headers.items()}
        told["Authorization"] = f"Bearer {self.token}"
        return httpx2.request(
            method, address, content=content, headers=told, timeout=SEND_SECONDS, verify=False
        )

    def appends(self, address: str, content: bytes, offset: int) -> None:
        """One part, taken in as a whole."""
        answer = self.asks("PATCH", address, content, Upload_Offset=str(offset))
        assert answer.status_code == 204, answer.text
        assert answer.headers["Upload-Offset"] == str(offset + len(content))


def test_an_upload_goes_on_at_the_other_replica_and_is_composed_there_after_a_kill(
    cluster: Cluster,
) -> None:
    first, second = (f"{address}/api/v1/uploads" for address in cluster.addresses[:2])
    sender, file = Sender(cluster, "barbara"), submission(orders="4").encode()
    third = len(file) // 3
    started = sender.asks("POST", first, Upload_Length=str(len(file)))
    upload_id = started.json()["id"]
    sender.appends(f"{first}/{upload_id}", file[:third], 0)
    sender.appends(f"{second}/{upload_id}", file[third : 2 * third], third)
    stale = sender.asks("PATCH", f"{first}/{upload_id}", b"x", Upload_Offset=str(third))
    assert (stale.status_code, stale.headers["Upload-Offset"]) == (409, str(2 * third))
    cluster.parts["api-1"].kill()
    try:
        sender.appends(f"{second}/{upload_id}", file[2 * third :], 2 * third)
        with Podium(cluster.addresses[1], sender.token) as there:
            answer = sender.asks(
                "POST",
                f"{cluster.addresses[1]}/api/v1/competitions/shop/submissions",
                f'{{"upload_id": "{upload_id}"}}'.encode(),
                Content_Type="application/json",
            )
            assert answer.status_code == 202, answer.text
            sent = answer.json()
            assert sent["bytes"] == len(file)
            assert there.wait(sent["id"], timeout=120)["public_score"] == 0.3
    finally:
        cluster.parts["api-1"].start()
        cluster.wait_for(f"{cluster.addresses[0]}/readyz")
    # The replica that was away answers a repetition with the same submission.
    again = sender.asks(
        "POST",
        f"{cluster.addresses[0]}/api/v1/competitions/shop/submissions",
        f'{{"upload_id": "{upload_id}"}}'.encode(),
        Content_Type="application/json",
    )
    assert again.json()["id"] == sent["id"]

"""Methods that no operation names, and `HEAD`, for several roles."""

from __future__ import annotations

import re

import pytest

from tests.builders.access.operations import Operation
from tests.builders.access.stage import Stage

# One installation for all tests of this file.
pytestmark = pytest.mark.xdist_group("methods")

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def test_head_is_answered_as_get_without_the_body(
    stage: Stage, operations: list[Operation]
) -> None:
    chance = {"x-request-id", "date", "content-length"}
    for operation in operations:
        if operation.method != "GET" or operation.id in ("getMetrics", "exportCompetition"):
            continue
        for role in ("anonymous", "rival", "member", "organizer"):
            heads = []
            for method in ("GET", "HEAD"):
                address = operation.address(stage.objects)
                query = {
                    "invite_code": stage.objects["invite_code"],
                    "a": stage.objects["submission_id"],
                    "b": stage.objects["others_submission"],
                }
                answer = stage.call(role, method, address, params=query)
                kept = {
                    # The time that is left may be a second less.
                    name: re.sub("max-age=[0-9]+", "max-age", value)
                    for name, value in answer.headers.items()
                    if name not in chance
                }
                heads.append((answer.status_code, kept))
            assert heads[0] == heads[1], (operation.name, role)
            assert answer.content == b"", (operation.name, role)


@pytest.mark.parametrize("role", ["anonymous", "administrator"])
def test_no_other_method_is_served(stage: Stage, operations: list[Operation], role: str) -> None:
    before, tried = stage.content(), 0
    for address in {operation.address(stage.objects) for operation in operations}:
        served = {one.method for one in operations if one.is_at(address)}
        for method in METHODS - served:
            answer = stage.call(role, method, address)
            assert answer.status_code == 405, (method, address)
            assert method not in answer.headers["allow"].split(", "), (method, address)
            # Pages of other sites are told nothing that would let them in.
            assert not [name for name in answer.headers if name.startswith("access-control")]
            tried += 1
    assert tried > 300
    assert stage.content() == before

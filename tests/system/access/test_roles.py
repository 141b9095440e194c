"""Authorization: every operation of the service, for every role, while a competition is open. The
other phases are in `test_phases`.

Each request is a good one, and the database is put back after it, so that a status depends on the
role and on nothing else. An operation without a line in the tables fails.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.builders.access import rules as acce_rules
from tests.builders.access.deviations import cells, deviations
from tests.builders.access.operations import Operation, undescribed
from tests.builders.access.rules_organizing import ALL_PAGES
from tests.builders.access.seeing import told
from tests.builders.access.stage import PHASES, ROLES, Stage, queue_another

pytestmark = pytest.mark.xdist_group("roles")

OTHERS = ("anonymous", "stranger", "rival", "foreign")
"""Roles that are neither in the team nor organizers."""


def test_every_operation_has_a_rule_and_every_rule_an_operation(
    operations: list[Operation],
) -> None:
    assert {one.name for one in operations} == acce_rules.OPEN.keys()
    for rows in acce_rules.LATER.values():
        assert rows.keys() <= acce_rules.OPEN.keys()


def test_every_role_is_answered_what_the_rules_say(
    stage: Stage, operations: list[Operation]
) -> None:
    queue_another(stage)
    stage.keep()
    assert deviations(stage, cells(acce_rules.OPEN, operations)) == []


@pytest.mark.parametrize("phase", PHASES)
def test_the_private_board_exists_from_the_reveal_on_and_not_earlier(
    stage: Stage, phase: str
) -> None:
    for act in PHASES[phase]:
        stage.act(act)
    expected = 200 if phase == "revealed" else 404
    for address in (
        "/api/v1/competitions/otto/leaderboard?split=private",
        "/api/v1/competitions/otto/leaderboard.csv?split=private",
        "/competitions/otto/leaderboard?split=private",
    ):
        found = {role: stage.call(role, "GET", address).status_code for role in ROLES}
        assert found == dict.fromkeys(ROLES, expected), address


def _about_a_competition(operations: list[Operation]) -> list[Operation]:
    return [one for one in operations if "slug" in one.parameters]


def _as_if_unknown(stage: Stage, operation: Operation, role: str, slug: str) -> list[str]:
    """The answers about a competition, and about one that does not exist."""
    unknown = "x" * len(slug)
    answers = []
    for name in (slug, unknown):
        answer = stage.send(operation, role, {**stage.objects, "slug": name})
        answers.append(told(answer).replace(name, "<slug>"))
    return answers


@pytest.mark.parametrize("role", [*OTHERS, "member"])
def test_a_draft_is_answered_as_a_competition_that_does_not_exist(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    made = stage.call(
        "organizer",
        "POST",
        "/api/v1/admin/competitions",
        json={"slug": "draft", "title": "Not yet", "preset": "otto"},
    )
    assert made.status_code == 201
    for operation in _about_a_competition(operations):
        draft, nothing = _as_if_unknown(stage, operation, role, "draft")
        assert draft == nothing, operation.name
        assert draft[:3] in ("401", "404"), operation.name
    assert stage.call(role, "GET", "/competitions/draft").status_code == 404


@pytest.mark.parametrize("role", ["anonymous", "stranger", "foreign"])
def test_a_private_competition_is_answered_to_others_as_one_that_does_not_exist(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    address = "/api/v1/admin/competitions/otto"
    changed = stage.call("organizer", "PATCH", address, json={"visibility": "private"})
    assert changed.status_code == 200
    for operation in _about_a_competition(operations):
        # An invite code opens a private competition to its holder.
        if operation.id not in ("joinTeam", "getInvitation"):
            hidden, nothing = _as_if_unknown(stage, operation, role, "otto")
            assert hidden == nothing, operation.name
    for page in ("/competitions/otto", "/competitions/otto/announcements.atom"):
        assert stage.call(role, "GET", page).status_code == 404
    assert stage.call("member", "GET", "/api/v1/competitions/otto").status_code == 200


@pytest.mark.parametrize("role", OTHERS)
def test_an_object_of_others_is_answered_as_one_that_does_not_exist(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    compared = 0
    for operation in operations:
        ids = [name for name in operation.parameters if name.endswith("_id")]
        if not ids or acce_rules.OPEN[operation.name][ROLES.index(role)] not in acce_rules.REFUSED:
            continue
        # The rival's team has made this request, and knows of it.
        if role == "rival" and "request_id" in ids:
            continue
        invented = {name: str(uuid.uuid4()) for name in ids}
        answers = [
            told(stage.send(operation, role, {**stage.objects, **objects}))
            for objects in ({}, invented)
        ]
        assert answers[0] == answers[1], operation.name
        compared += 1
    assert compared >= 20


def test_the_rules_know_every_page(stage: Stage) -> None:
    app: Any = stage.installation.client.app
    assert undescribed(app) == ALL_PAGES.keys()


def test_a_finished_upload_opens_no_route_that_a_file_does_not(
    stage: Stage, operations: list[Operation]
) -> None:
    taking = [
        one
        for one in operations
        if one.takes_a_file and "FinishedUpload" in str(one.document["requestBody"])
    ]
    assert {one.id for one in taking} >= {"uploadGroundTruth", "putFile", "importCompetition"}
    before = stage.content()
    for operation in taking:
        for role, status in zip(ROLES, acce_rules.OPEN[operation.name], strict=True):
            if status in acce_rules.REFUSED:
                address = operation.address(stage.objects)
                body = {"upload_id": str(uuid.uuid4())}
                answer = stage.call(role, operation.method, address, json=body)
                assert answer.status_code == status, (operation.name, role)
                assert "upload" not in answer.json()["detail"], (operation.name, role)
    assert not stage.differs_from(before)

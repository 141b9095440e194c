"""Authorization in the phases after the start, and on pages: the rest of what `test_roles` begins
with."""

from __future__ import annotations

import pytest

from tests.builders.access import rules as acce_rules
from tests.builders.access.deviations import cells, deviations
from tests.builders.access.operations import Operation
from tests.builders.access.rules_organizing import ALL_PAGES
from tests.builders.access.stage import PHASES, ROLES, Stage

# One installation for all tests of this file.
pytestmark = pytest.mark.xdist_group("phases")


@pytest.mark.parametrize("phase", PHASES)
def test_a_later_phase_changes_what_the_rules_say(
    stage: Stage, operations: list[Operation], phase: str
) -> None:
    for act in PHASES[phase]:
        assert stage.act(act).status_code == 200
    stage.keep()
    expected = cells(acce_rules.OPEN | acce_rules.LATER[phase], operations)
    # A role that is refused an act while a competition is open is refused it before anything else
    # is looked at.
    asked = {
        (operation, role): status
        for (operation, role), status in expected.items()
        if operation.method == "GET" or status not in acce_rules.REFUSED
    }
    assert deviations(stage, asked) == []


def test_pages_answer_as_the_rules_say(stage: Stage) -> None:
    for name, statuses in ALL_PAGES.items():
        method, path = name.split()
        objects = {**stage.objects, "name": "podium.css", "release": "0", "kind": "items"}
        address = path.format(**objects)
        found = tuple(stage.call(role, method, address).status_code for role in ROLES)
        assert found == statuses, name
        stage.restore()

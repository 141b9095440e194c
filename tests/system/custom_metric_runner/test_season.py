"""A competition that a custom metric scores, in real children, from its launch over another
version of the metric to the reveal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.custom_metrics.scene import MetricScene, draft_of_tables
from tests.builders.installation import Installation, Person
from tests.builders.season import reveal, until

MAE = '''
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    """The mean distance."""
    if (submission["y"] > 90).any():
        raise ParticipantVisibleError("y above 90")
    if (submission["y"] == 77).any():
        raise KeyError("secret of the truth")
    return (solution["y"] - submission["y"]).abs().mean()
'''

RMSE = MAE.replace(".abs().mean()", ".pow(2).mean() ** 0.5")

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("custom metrics")]


def keeps(scene: MetricScene, source: str) -> None:
    """Uploads a version; a busy machine may take longer to check it than an answer waits."""
    answer = scene.upload(source)
    assert answer.status_code in (201, 202), answer.text
    version = f"{scene.route}/{answer.json()['id']}"
    until(lambda: scene.organizer.get(version).json()["status"] == "stored", seconds=300)


@pytest.fixture
def scene(running: Installation) -> MetricScene:
    scene = draft_of_tables(running, running.person("olga", organizer=True), "tables")
    scene.load_truth()
    for source in (MAE, RMSE):
        keeps(scene, source)
    answer = scene.change(own_metric={"version": 1})
    assert answer.status_code == 200, answer.text
    launch = "/admin/competitions/tables/launch"
    until(lambda: scene.organizer.post(launch).status_code in (200, 409), seconds=300)
    assert scene.organizer.get("/competitions/tables").json()["phase"] == "open"
    return scene


def sends(person: Person, value: float) -> Any:
    rows = "".join(f"{100 + row},{value}\n" for row in range(12))
    answer = person.post("/competitions/tables/submissions", content=f"id,y\n{rows}")
    assert answer.status_code == 202, answer.text
    path = f"/submissions/{answer.json()['id']}"
    until(lambda: person.get(path).json()["status"] not in ("queued", "judging"), seconds=300)
    return person.get(path).json()


def changes_its_metric(scene: MetricScene, ada: Person, submission: str) -> None:
    """A rejudging by version 2: previewed, and then applied."""
    body = {"reason": "squares", "settings": {"own_metric": {"version": 2}}}
    begun = scene.organizer.post("/admin/competitions/tables/rejudgings", json=body)
    assert begun.status_code == 202, begun.text
    route = f"/admin/rejudgings/{begun.json()['id']}"
    until(lambda: scene.organizer.get(route).json()["status"] == "ready", seconds=300)
    preview = scene.organizer.get(route).json()
    (change,) = preview["changes"]
    assert (change["old"]["public"], change["old"]["private"]) == (2.5, 8.5)
    assert (change["new"]["public"], change["new"]["private"]) == (3.02765, 8.66987)
    assert ada.get(f"/submissions/{submission}").json()["public_score"] == 2.5
    applied = scene.organizer.post(f"{route}/apply")
    assert applied.status_code == 200, applied.text
    after = ada.get(f"/submissions/{submission}").json()
    assert (after["public_score"], after["metric_version"]) == (3.02765, 2)


def test_from_the_launch_to_the_reveal(scene: MetricScene, running: Installation) -> None:
    ada = running.person("ada")
    assert ada.post("/competitions/tables/teams", json={"name": "Ada"}).status_code == 201
    good = sends(ada, 1)
    # Public 1 … 6, private 7 … 12.
    assert (good["status"], good["public_score"], good["private_score"]) == ("scored", 2.5, None)
    assert (good["metric_version"], good["metric_notes"]) == (1, None)
    refused = sends(ada, 91)
    assert refused["status"] == "rejected"
    assert refused["problem"]["code"] == "metric-refused"
    assert refused["problem"]["detail"] == "y above 90"
    failed = sends(ada, 77)
    assert (failed["status"], failed["problem"]["code"]) == ("failed", "metric-failed")
    assert "secret" not in str(failed)
    path = f"/submissions/{failed['id']}"
    seen = scene.organizer.get(path).json()
    assert "secret of the truth" in seen["metric_notes"]["public"]["report"]
    returned = scene.organizer.post(f"/admin{path}/return-slot", json={"reason": "a mistake"})
    assert returned.status_code == 200, returned.text
    assert (failed["charged"], returned.json()["charged"]) == (True, False)
    assert "does not count" in ada.get(path).json()["problem"]["detail"]
    again = scene.organizer.post(f"/admin{path}/return-slot", json={})
    assert (again.status_code, again.json()["code"]) == (409, "no-slot-to-return")
    receipt = ada.get(f"/submissions/{good['id']}/receipt").json()
    assert receipt["metric"]["version"] == 1
    assert receipt["metric"]["processor"]

    changes_its_metric(scene, ada, good["id"])
    assert scene.look()["own_metric"]["version"] == 2
    answer = scene.organizer.post("/admin/competitions/tables/close")
    assert answer.status_code == 200, answer.text
    reveal(scene.organizer, "tables")
    assert ada.get(f"/submissions/{good['id']}").json()["private_score"] == 8.66987

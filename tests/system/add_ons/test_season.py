"""A competition by a metric and a kind of an add-on: judged in the sandbox, opened without the
add-on, and judged further once it is back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.add_ons.site import AddOnSite
from tests.builders.installation import Person, problem_of
from tests.builders.processes.environments import Environment
from tests.builders.season import until

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("add-ons")]

ROUTE = "/admin/competitions/houses"

TRUTH = "id,price,Usage\n1,100,Public\n2,200,Public\n3,300,Private\n4,400,Private\n"
ANSWERS = "id,price\n1,105\n2,100\n3,290\n4,410\n"
"""Public: one of two within 10 %. Private: both."""

Starts = Callable[[str], AddOnSite]


@pytest.fixture
def starts(acme: Environment, tmp_path: Path) -> Iterator[Starts]:
    """Starts the service on the same data, with these add-ons allowed; one at a time."""
    running: list[AddOnSite] = []

    def start(allowed: str) -> AddOnSite:
        for site in running:
            site.stop()
        running.append(AddOnSite(tmp_path, acme, allowed))
        running[-1].start()
        return running[-1]

    yield start
    for site in running:
        site.stop()


def launch(site: AddOnSite) -> None:
    body = {"slug": "houses", "title": "Houses", "preset": "podium_acme__houses", "split": "usage"}
    made = site.admin.post("/admin/competitions", json=body)
    assert made.status_code == 201, made.text
    for path, content in (("ground-truth", TRUTH.encode()), ("launch", b"")):
        answer = site.admin.post(f"{ROUTE}/{path}", content=content)
        assert answer.status_code in (200, 201), answer.text


def sends(person: Person, file: str) -> str:
    sent = person.post("/competitions/houses/submissions", content=file.encode())
    assert sent.status_code == 202, sent.text
    return str(sent.json()["id"])


def seen(person: Person, submission: str) -> Any:
    return person.get(f"/submissions/{submission}").json()


def ended(person: Person, submission: str) -> Any:
    until(lambda: seen(person, submission)["judged_at"] is not None, seconds=120)
    return seen(person, submission)


def shows_its_board(site: AddOnSite) -> None:
    board = site.anonymous.get("/competitions/houses/leaderboard")
    assert [(row["rank"], row["score"]) for row in board.json()["rows"]] == [(1, 0.5)]
    for page in ("", "/leaderboard", "/rules"):
        assert site.client.get(f"/competitions/houses{page}").status_code == 200, page


def test_a_competition_outlives_its_add_on(
    acme: Environment, tmp_path: Path, starts: Starts
) -> None:
    site = starts("podium-acme")
    names = [each["name"] for each in site.anonymous.get("/metrics").json()["items"]]
    assert "podium_acme__near" in names
    assert "Near prices" in site.client.get("/help/metrics").text
    launch(site)
    ada = site.enters("houses", "ada")
    first = ended(ada, sends(ada, ANSWERS))
    assert (first["status"], first["public_score"]) == ("scored", 0.5)
    receipt = ada.get(f"/submissions/{first['id']}/receipt").json()
    assert receipt["scorer_version"] == "3 + podium-acme 1.2.0"
    shows_its_board(site)

    site = starts("")
    ada = Person(site.client, ada.token)
    shows_its_board(site)
    assert ada.get(f"/submissions/{first['id']}/receipt").json() == receipt
    waiting = sends(ada, ANSWERS.replace("2,100", "2,201"))
    until(lambda: "run.left" in (tmp_path / "server.log").read_text())
    assert seen(ada, waiting)["status"] == "queued"
    sample = ada.get("/competitions/houses/sample-submission")
    assert "needs the add-on podium-acme" in problem_of(sample, 503, "unavailable")["detail"]
    environment = {"PODIUM_DATA_DIR": str(tmp_path / "data")}
    doctor = acme.types(tmp_path, "doctor", "--json", **environment).document
    assert doctor["facts"]["add-ons"] == "none"
    assert [each for each in doctor["failures"] if "podium-acme" in each] == [
        "Competitions need the add-on podium-acme, and their judgings wait. Install it, and name it"
        " in PODIUM_ADD_ONS."
    ]

    site = starts("podium-acme")
    ada = Person(site.client, ada.token)
    assert ended(ada, waiting)["public_score"] == 1
    environment["PODIUM_ADD_ONS"] = "podium-acme"
    doctor = acme.types(tmp_path, "doctor", "--json", **environment).document
    assert doctor["facts"]["add-ons"] == "podium-acme 1.2.0"
    assert [each for each in doctor["failures"] if "add-on" in each] == []

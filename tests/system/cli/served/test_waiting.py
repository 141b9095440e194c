"""Commands that wait for the server, while no worker does its work: `--timeout` ends them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from podium.client import Podium
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving, submission

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("waiting at the command line")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An open competition with a scored file; nothing is judged any more."""
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as here, here.organizer() as organizer:
        launch(organizer, "shop", folder)
        (folder / "scored.csv").write_text(submission(clicks="3"))
        with Podium(here.url, organizer.create_user("bob")["token"]) as bob:
            bob.create_team("shop", "Team Bob")
            bob.wait(bob.submit("shop", folder / "scored.csv")["id"])
    with serving(folder, "--no-worker") as here:
        yield here


def test_a_submit_ends_after_its_timeout_and_says_how_to_go_on(
    person: Person, server: Installation
) -> None:
    with server.organizer() as organizer:
        token = organizer.create_user("ada")["token"]
    here = {"PODIUM_URL": server.url, "PODIUM_TOKEN": token}
    (person.home / "good.csv").write_text(submission(clicks="3"))
    assert person.types("team", "create", "Team Ada", "-c", "shop", **here).code == 0
    ran = person.types("submit", "shop", "-f", "good.csv", "-q", "--timeout", 1, **here)
    assert (ran.code, ran.out) == (7, "")
    told = re.fullmatch(
        r"Submission (\S+) is still queued after 1 s\. It will be judged all the same: `podium"
        r" submission (\S+)` shows how far it is\.\n",
        ran.err,
    )
    assert told is not None, ran.err
    assert told[1] == told[2]
    assert person.types("submission", told[2], **here).code == 0
    as_json = person.types("submit", "shop", "-f", "good.csv", "--timeout", 1, "--json", **here)
    found = as_json.document
    assert (as_json.code, found["code"], found["exit_code"]) == (7, "wait-timed-out", 7)


def test_a_rejudging_goes_on_after_the_timeout_of_its_command(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    ran = person.types("rejudge", "shop", "--reason", "a try", "--timeout", 1, "-q", **here)
    assert (ran.code, ran.out) == (7, "")
    told = re.match(r"Rejudging (\S+) has judged 0 of \d+ after 1 s\. It goes on: `", ran.err)
    assert told is not None, ran.err
    (row,) = person.types("rejudgings", "shop", "--json", **here).document
    assert (row["id"], row["status"]) == (told[1], "running")


def test_a_timeout_is_a_time(person: Person) -> None:
    for wrong in ("0", "soon"):
        ran = person.types("launch", "shop", "--timeout", wrong)
        assert (ran.code, ran.out) == (2, "")
        assert "--timeout" in ran.err

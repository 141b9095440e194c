"""Readers of boards who see the account names of people."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from podium.core.models import Competition
from tests.builders.installation import Person
from tests.builders.season import Season, until

FILE = b"session_type,labels\n" + b"".join(
    b"%d_%s,%d\n" % (session, kind, session)
    for session in range(100, 160)
    for kind in (b"clicks", b"carts", b"orders")
)


@pytest.fixture
def team(season: Season) -> Person:
    """Ada, who is in a team with another name, on the board."""
    ada = season.installation.person("ada the person")
    assert ada.post("/competitions/otto/teams", json={"name": "Engines"}).status_code == 201
    assert ada.post("/competitions/otto/submissions", content=FILE).status_code == 202
    until(lambda: ada.get("/competitions/otto/leaderboard").json()["rows"])
    return ada


def change(season: Season, **settings: Any) -> None:
    answer = season.installation.admin.patch("/admin/competitions/otto", json=settings)
    assert answer.status_code == 200, answer.text


def seen(person: Person) -> list[str]:
    (row,) = person.get("/competitions/otto/leaderboard").json()["rows"]
    return list(row["members"])


def test_a_new_board_names_people_to_participants_and_organizers_only(
    season: Season, team: Person
) -> None:
    installation = season.installation
    stranger = installation.person("stranger")
    rival = installation.person("rival")
    assert rival.post("/competitions/otto/teams", json={"name": "Rivals"}).status_code == 201
    told = {
        name: seen(person)
        for name, person in (
            ("anonymous", installation.anonymous),
            ("stranger", stranger),
            ("rival", rival),
            ("organizer", installation.admin),
        )
    }
    names = ["ada the person"]
    assert told == {"anonymous": [], "stranger": [], "rival": names, "organizer": names}
    page = installation.client.get("/competitions/otto/leaderboard").text
    assert "Engines" in page
    assert "ada the person" not in page
    assert installation.admin.get("/competitions/otto").json()["member_names"] == "participants"


def test_an_organizer_can_name_people_to_all_or_to_organizers_only(
    season: Season, team: Person
) -> None:
    change(season, member_names="everyone")
    assert seen(season.installation.anonymous) == ["ada the person"]
    page = season.installation.client.get("/competitions/otto/leaderboard").text
    assert "ada the person" in page
    change(season, member_names="organizers")
    assert seen(season.installation.anonymous) == []
    assert seen(team) == []
    assert seen(season.installation.admin) == ["ada the person"]


def test_what_is_kept_of_a_board_for_one_reader_is_not_shown_to_another(
    season: Season, team: Person
) -> None:
    tags: dict[str, list[str]] = {}
    for reader in (season.installation.anonymous, team, season.installation.anonymous):
        answer = reader.get("/competitions/otto/leaderboard")
        names = answer.json()["rows"][0]["members"]
        tags.setdefault(answer.headers["etag"], names)
        assert tags[answer.headers["etag"]] == names
    assert len(tags) == 2
    (anonymous,) = [tag for tag, names in tags.items() if not names]
    headers = {"If-None-Match": anonymous}
    again = season.installation.anonymous.get("/competitions/otto/leaderboard", headers=headers)
    assert again.status_code == 304
    assert team.get("/competitions/otto/leaderboard", headers=headers).status_code == 200


def test_a_competition_from_before_the_choice_stays_as_it_is(season: Season, team: Person) -> None:
    with season.installation.application.database.write() as session:
        (settings,) = session.query(Competition.settings).one()
        before = {name: kept for name, kept in settings.items() if name != "member_names"}
        session.execute(update(Competition).values(settings=before))
    assert seen(season.installation.anonymous) == ["ada the person"]
    document = season.installation.admin.get("/competitions/otto").json()
    for each in (document, document["settings"]):
        assert each.keys().isdisjoint({"member_names", "registration_code"})

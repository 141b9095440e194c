"""Lists that organizers and the administrator narrow down: submissions, the audit log, what they
organize."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.builders.installation import Installation, problem_of


def sent(installation: Installation) -> dict[str, str]:
    """Ada's two files and Bob's one, by their names."""
    installation.launched()
    found = {}
    for name, files in (("ada", ("first.csv", "100%_b.csv")), ("bob", ("B.csv",))):
        person = installation.person(name)
        person.post("/competitions/otto/teams", json={"name": f"Team {name}"})
        for number, filename in enumerate(files):
            answer = person.post(
                "/competitions/otto/submissions",
                content=f"{name} {number}".encode(),
                params={"filename": filename, "note": "tuned"},
            )
            assert answer.status_code == 202, answer.text
            found[filename] = answer.json()["id"]
    return found


def listed(installation: Installation, **asked: str) -> list[str]:
    answer = installation.admin.get("/admin/competitions/otto/submissions", params=asked)
    assert answer.status_code == 200, answer.text
    return [row["filename"] for row in answer.json()["items"]]


def test_submissions_are_found_by_a_part_of_what_is_written_on_them(
    installation_on_both: Installation,
) -> None:
    ids = sent(installation_on_both)
    assert listed(installation_on_both, text="b.csv") == ["B.csv", "100%_b.csv"]
    assert listed(installation_on_both, text="team ADA") == ["100%_b.csv", "first.csv"]
    assert listed(installation_on_both, text="%_") == ["100%_b.csv"]
    assert listed(installation_on_both, text=ids["first.csv"]) == ["first.csv"]
    assert len(listed(installation_on_both, text="tuned")) == 3
    assert listed(installation_on_both, text="nothing like it") == []
    assert listed(installation_on_both, text="b.csv", state="scored") == []


def test_submissions_are_found_by_when_they_came(installation_on_both: Installation) -> None:
    ids = sent(installation_on_both)
    answer = installation_on_both.admin.get(f"/submissions/{ids['first.csv']}")
    moment = datetime.fromisoformat(answer.json()["submitted_at"])
    before, after = (moment + timedelta(seconds=hour * 3600) for hour in (-1, 1))
    assert len(listed(installation_on_both, since=before.isoformat())) == 3
    assert listed(installation_on_both, since=after.isoformat()) == []
    assert len(listed(installation_on_both, until=after.isoformat())) == 3
    assert listed(installation_on_both, until=before.isoformat()) == []


@pytest.mark.parametrize("asked", [{"since": "yesterday"}, {"text": ""}, {"text": "x" * 101}])
def test_what_no_filter_understands_is_refused(
    installation: Installation, asked: dict[str, str]
) -> None:
    installation.draft()
    answer = installation.admin.get("/admin/competitions/otto/submissions", params=asked)
    problem_of(answer, 422, "invalid")


def test_the_audit_log_is_narrowed_by_action_person_and_time(
    installation_on_both: Installation,
) -> None:
    installation_on_both.draft()
    olga = installation_on_both.person("olga", organizer=True)
    olga.post("/admin/competitions", json={"slug": "olgas", "title": "Hers"})

    def actions(**asked: str) -> list[str]:
        answer = installation_on_both.admin.get("/admin/audit", params=asked)
        assert answer.status_code == 200, answer.text
        return [entry["action"] for entry in answer.json()["items"]]

    assert actions(action="competition.") == ["competition.create", "competition.create"]
    assert actions(who="olga") == ["competition.create"]
    assert actions(who=olga.id, action="user") == []
    assert actions(since="2999-01-01T00:00:00Z") == []
    assert actions(until="2000-01-01T00:00:00Z") == []
    assert actions(action="competition%") == []


def test_organized_competitions_are_a_list_of_their_own(installation_on_both: Installation) -> None:
    installation_on_both.launched("open")
    installation_on_both.draft("draft")
    olga = installation_on_both.person("olga", organizer=True)
    olga.post("/admin/competitions", json={"slug": "olgas", "title": "Hers"})

    def slugs(answer: object) -> list[str]:
        return [row["slug"] for row in answer.json()["items"]]  # type: ignore[attr-defined]

    asked = {"organized": "true"}
    assert slugs(olga.get("/competitions")) == ["olgas", "open"]
    assert slugs(olga.get("/competitions", params=asked)) == ["olgas"]
    administrators = installation_on_both.admin.get("/competitions", params=asked)
    assert slugs(administrators) == ["olgas", "draft", "open"]
    assert slugs(installation_on_both.anonymous.get("/competitions", params=asked)) == []


def test_teams_are_found_by_their_name_and_by_their_people(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    for name, team in (("ada", "The 50% Club"), ("bob", "Bobcats"), ("clubber", "Others")):
        person = installation_on_both.person(name)
        person.post("/competitions/otto/teams", json={"name": team})

    def names(text: str) -> list[str]:
        answer = installation_on_both.admin.get(
            "/admin/competitions/otto/teams", params={"text": text}
        )
        return [row["name"] for row in answer.json()["items"]]

    assert names("CLUB") == ["The 50% Club", "Others"]
    assert names("ada") == ["The 50% Club"]
    assert names("%") == ["The 50% Club"]
    assert names("nobody") == []


def test_a_team_is_shown_alone(installation: Installation) -> None:
    installation.launched()
    ada = installation.person("ada")
    made = ada.post("/competitions/otto/teams", json={"name": "Ada"}).json()
    found = installation.admin.get(f"/admin/teams/{made['id']}").json()
    assert (found["name"], [each["name"] for each in found["members"]]) == ("Ada", ["ada"])
    problem_of(ada.get(f"/admin/teams/{made['id']}"), 404, "not-found")
    problem_of(installation.admin.get("/admin/teams/nothing"), 404, "not-found")


def test_accounts_are_found_by_a_part_of_their_name(installation_on_both: Installation) -> None:
    for name in ("Ada Lovelace", "Grace"):
        installation_on_both.person(name)

    def names(text: str) -> list[str]:
        answer = installation_on_both.admin.get("/admin/users", params={"text": text})
        return [row["name"] for row in answer.json()["items"]]

    assert names("LOVE") == ["Ada Lovelace"]
    assert names("a") == ["administrator", "Ada Lovelace", "Grace"]
    assert names("_") == []

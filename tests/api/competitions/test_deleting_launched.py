"""A competition that is over is deleted: with a worker, and before one has begun to remove it."""

from __future__ import annotations

from tests.builders.installation import Installation, problem_of
from tests.builders.season import Season, file_with
from tests.builders.uploads.server import eventually

ROUTE = "/admin/competitions/otto"
CONFIRMED = {"confirm": "otto"}


def test_the_administrator_deletes_a_launched_competition_once_it_is_over(season: Season) -> None:
    admin = season.admin
    ada = season.enters("ada")
    sent = season.judged(ada, file_with(5))["id"]
    problem_of(admin.delete(ROUTE, json=CONFIRMED), 409, "competition-open")
    admin.post(f"{ROUTE}/freeze")
    problem_of(admin.delete(ROUTE, json=CONFIRMED), 409, "competition-frozen")
    admin.post(f"{ROUTE}/close")
    for body in ({"json": {"confirm": "other"}}, {}):
        refusal = problem_of(admin.delete(ROUTE, **body), 422, "not-confirmed")
        assert "download that first" in refusal["detail"]
    problem_of(admin.delete(ROUTE, json={"slug": "otto"}), 422, "invalid")
    assert admin.get("/competitions/otto").status_code == 200

    assert admin.delete(ROUTE, json=CONFIRMED).status_code == 204
    assert eventually(lambda: admin.get("/admin/audit?action=competition.remove").json()["items"])
    problem_of(admin.get(f"/submissions/{sent}"), 404, "not-found")
    [entry] = admin.get("/admin/audit?action=competition.delete").json()["items"]
    assert entry["facts"]["submissions"] == 1
    assert entry["actor"]["name"] == admin.get("/me").json()["name"]
    assert season.installation.launched()["phase"] == "open"
    assert ada.post("/competitions/otto/teams", json={"name": "Again"}).status_code == 201


def test_before_its_rows_are_removed_a_deleted_competition_is_found_by_no_user(
    installation: Installation,
) -> None:
    installation.launched()
    admin, ada, olga = installation.admin, installation.person("ada"), installation.person("olga")
    admin.post(f"{ROUTE}/organizers", json={"user_id": olga.id})
    team = ada.post("/competitions/otto/teams", json={"name": "Ada"}).json()["id"]
    sending = "/competitions/otto/submissions?filename=a.csv"
    sent = ada.post(sending, content=file_with(5)).json()["id"]
    code = admin.post("/admin/invites", json={"competition": "otto"}).json()["code"]
    assert admin.get(f"/links/{code}").status_code == 200
    admin.post(f"{ROUTE}/close")
    problem_of(admin.delete(ROUTE, json=CONFIRMED), 409, "still-judging")
    admin.patch(ROUTE, json={"judge_uploads": False})
    assert admin.delete(ROUTE, json=CONFIRMED).status_code == 204

    for person in (admin, ada, olga, installation.anonymous):
        problem_of(person.get("/competitions/otto"), 404, "not-found")
        problem_of(person.get("/competitions/otto/leaderboard"), 404, "not-found")
        assert person.get("/competitions").json()["items"] == []
    for person in (admin, ada, olga):
        problem_of(person.get(f"/submissions/{sent}"), 404, "not-found")
        problem_of(person.post(sending, content=file_with(5)), 404, "not-found")
        assert person.get("/competitions?organized=true").json()["items"] == []
        me = person.get("/me").json()
        assert (me["teams"], me["organizes"]) == ([], [])
    problem_of(
        admin.post(f"/admin/teams/{team}/disqualify", json={"reason": "x"}), 404, "not-found"
    )
    problem_of(admin.get(f"/links/{code}"), 404, "unknown-link")
    assert admin.get("/admin/invites").json()["items"] == []
    problem_of(admin.delete(ROUTE, json=CONFIRMED), 404, "not-found")
    entries = admin.get("/admin/audit").json()["items"]
    assert [each["competition"] for each in entries if each["action"] == "competition.launch"] == [
        None
    ]


def test_a_tag_of_a_deleted_competition_means_nothing_for_the_next_one_of_its_slug(
    installation: Installation,
) -> None:
    admin, reader = installation.admin, installation.anonymous
    boards = [f"/competitions/otto/{part}" for part in ("leaderboard", "leaderboard.csv", "charts")]
    installation.launched()
    tags = {path: reader.get(path).headers["etag"] for path in boards}
    settings = admin.get("/competitions/otto").headers["etag"]
    admin.post(f"{ROUTE}/close")
    assert admin.delete(ROUTE, json=CONFIRMED).status_code == 204

    installation.launched()
    for path, tag in tags.items():
        assert reader.get(path, headers={"If-None-Match": tag}).status_code == 200, path
    headers = {"If-Match": settings}
    refused = admin.patch(ROUTE, json={"title": "Late"}, headers=headers)
    problem_of(refused, 412, "precondition-failed")
    assert admin.get("/competitions/otto").json()["title"] == "OTTO"

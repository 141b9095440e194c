"""Drafts, competitions that are over and data files, which are taken away."""

from __future__ import annotations

from tests.builders.installation import Installation, problem_of
from tests.builders.site import Site


def test_a_draft_is_deleted_with_everything_in_it_and_its_slug_is_free_again(
    judging: Installation,
) -> None:
    judging.draft()
    judging.upload_truth()
    admin = judging.admin
    ada = judging.person("ada")
    route = "/admin/competitions/otto"
    admin.put(f"{route}/files/train.csv", content=b"1,2\n")
    admin.post(f"{route}/announcements", json={"title": "Soon", "text": "…"})
    admin.post(f"{route}/teams", json={"name": "A", "members": [ada.id]})
    admin.post(f"{route}/teams", json={"name": "B", "members": [judging.person("bob").id]})
    admin.post("/admin/invites", json={"competition": "otto"})
    assert admin.delete(route).status_code == 204
    problem_of(admin.get("/competitions/otto"), 404, "not-found")
    assert ada.get("/me").json()["teams"] == []
    assert admin.get("/admin/audit?action=competition.delete").json()["items"][0]["facts"] == {
        "slug": "otto",
        "title": "OTTO",
    }
    assert judging.draft()["ground_truth"]["active_version"] is None


def test_strangers_and_organizers_do_not_delete_what_was_launched(judging: Installation) -> None:
    judging.launched("kept")
    organizer = judging.person("olga")
    route = "/admin/competitions/kept"
    judging.admin.post(f"{route}/organizers", json={"user_id": organizer.id})
    judging.admin.post(f"{route}/close")
    confirmed = {"confirm": "kept"}
    problem_of(judging.anonymous.delete(route, json=confirmed), 401, "not-authenticated")
    problem_of(judging.person("eve").delete(route, json=confirmed), 404, "not-found")
    refusal = problem_of(organizer.delete(route, json=confirmed), 409, "already-launched")
    assert "the administrator of this installation can delete it" in refusal["detail"]
    assert judging.admin.get("/competitions/kept").json()["phase"] == "closed"


def test_a_competition_that_has_not_begun_takes_late_files_or_is_rejudged_is_not_deleted(
    judging: Installation,
) -> None:
    begins = {"starts_at": "2999-01-01T00:00:00Z"}
    judging.launched("later", late_submissions=True, **begins)
    admin, route, confirmed = judging.admin, "/admin/competitions/later", {"confirm": "later"}
    problem_of(admin.delete(route, json=confirmed), 409, "competition-upcoming")
    admin.post(f"{route}/close")
    refusal = problem_of(admin.delete(route, json=confirmed), 409, "competition-open")
    assert "Pause uploads" in refusal["detail"]
    admin.patch(route, json={"accept_uploads": False})
    begun = admin.post(f"{route}/rejudgings", json={"reason": "labels"})
    assert begun.status_code == 202, begun.text
    problem_of(admin.delete(route, json=confirmed), 409, "rejudging-running")
    admin.post(f"/admin/rejudgings/{begun.json()['id']}/cancel")
    assert admin.delete(route, json=confirmed).status_code == 204


def test_only_administrators_find_the_form_that_deletes_a_competition(site: Site) -> None:
    installation = site.installation
    installation.launched("form")
    organizer = installation.person("olga of the form")
    route = "/admin/competitions/form"
    installation.admin.post(f"{route}/organizers", json={"user_id": organizer.id})
    administrator = site.browser(installation.admin)
    page, act = "/organize/form", "/organize/form/acts/delete-launched"
    assert act not in administrator.get(page).text
    installation.admin.post(f"{route}/close")
    assert act in administrator.get(page).text
    assert act not in site.browser(organizer).get(page).text
    assert site.browser(organizer).send(act, confirm="form").status_code == 409
    assert administrator.send(act, confirm="from").status_code == 422
    assert installation.admin.get("/competitions/form").status_code == 200
    answer = administrator.send(act, confirm="Form")
    assert answer.headers["location"] == "/organize?done=competition-deleted"
    problem_of(installation.admin.get("/competitions/form"), 404, "not-found")


def test_a_data_file_is_taken_away(installation: Installation) -> None:
    installation.draft()
    route = "/admin/competitions/otto/files/train.csv"
    installation.admin.put(route, content=b"1,2\n")
    assert installation.admin.delete(route).status_code == 204
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []
    problem_of(installation.admin.get("/competitions/otto/files/train.csv"), 404, "not-found")
    problem_of(installation.admin.delete(route), 404, "not-found")
    assert installation.admin.put(route, content=b"3,4\n").status_code == 201

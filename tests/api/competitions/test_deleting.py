"""Drafts and data files that are taken away."""

from __future__ import annotations

from tests.builders.installation import Installation, problem_of


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


def test_what_was_launched_stays(judging: Installation) -> None:
    judging.launched("kept")
    refusal = problem_of(judging.admin.delete("/admin/competitions/kept"), 409, "already-launched")
    assert refusal["detail"] == "Only drafts can be deleted: this competition was launched."


def test_a_data_file_is_taken_away(installation: Installation) -> None:
    installation.draft()
    route = "/admin/competitions/otto/files/train.csv"
    installation.admin.put(route, content=b"1,2\n")
    assert installation.admin.delete(route).status_code == 204
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []
    problem_of(installation.admin.get("/competitions/otto/files/train.csv"), 404, "not-found")
    problem_of(installation.admin.delete(route), 404, "not-found")
    assert installation.admin.put(route, content=b"3,4\n").status_code == 201

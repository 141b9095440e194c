"""The launch checklist and the state of the installation: looking changes nothing."""

from __future__ import annotations

from tests.builders.installation import PNG, Installation, problem_of

LAUNCH = "/admin/competitions/otto/launch"


def test_a_draft_without_a_ground_truth_misses_it(installation: Installation) -> None:
    installation.draft()
    found = installation.admin.get(LAUNCH).json()
    assert (found["ready"], found["probed"]) == (False, False)
    assert {line["code"]: line["status"] for line in found["items"]} == {
        "ground-truth": "missing",
        "ends-at": "passed",
    }


def test_an_end_in_the_past_is_missing_too(installation: Installation) -> None:
    installation.draft(ends_at="2001-01-01T00:00:00Z")
    found = installation.admin.get(LAUNCH).json()
    assert [line["status"] for line in found["items"]] == ["missing", "missing"]


def test_a_picture_that_a_text_shows_and_that_is_missing_is_a_warning(
    installation: Installation,
) -> None:
    address = "/api/v1/competitions/otto/files/shop.png"
    installation.draft(description=f"# Task\n\n![shop]({address})")
    installation.admin.put(f"/admin{address.removeprefix('/api/v1')}", content=PNG)
    seen = {line["code"]: line for line in installation.admin.get(LAUNCH).json()["items"]}
    assert seen["text-pictures"]["status"] == "passed"
    installation.admin.delete(f"/admin{address.removeprefix('/api/v1')}")
    seen = {line["code"]: line for line in installation.admin.get(LAUNCH).json()["items"]}
    assert seen["text-pictures"]["status"] == "warning"
    assert "missing: shop.png." in seen["text-pictures"]["detail"]


def test_organizers_are_told_how_far_the_public_part_is_from_the_setting(
    installation: Installation,
) -> None:
    installation.draft(split={"public_fraction": 0.5})
    objectives = installation.upload_truth()["objectives"]
    public = sum(splits["public"]["queries"] for splits in objectives.values())
    seen = {line["code"]: line for line in installation.admin.get(LAUNCH).json()["items"]}
    words = f"{public} of 180 lists ({public / 1.8:.0f} %) are public; the public share is set to"
    assert seen["public-share"]["detail"].startswith(f"{words} 50 %.")
    assert seen["public-share"]["status"] == ("passed" if 81 <= public <= 99 else "warning")
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    for section in ("ground-truth", "ground-truth/1"):
        page = installation.client.get(f"/organize/otto/{section}", headers=headers)
        assert words in page.text


def test_the_checklist_probes_and_opens_nothing(installation: Installation) -> None:
    installation.draft(split={"public_fraction": 0.5})
    installation.upload_truth()
    found = installation.admin.get(LAUNCH).json()
    assert (found["ready"], found["probed"]) == (True, True)
    seen = {line["code"]: line["status"] for line in found["items"]}
    assert seen["perfect-file"] == seen["sample-file"] == seen["scorable-split"] == "passed"
    assert seen["standard-error"] == "warning"
    assert installation.admin.get("/competitions/otto").json()["phase"] == "draft"
    launched = installation.admin.post(LAUNCH).json()
    as_told = [(line["code"], line["detail"], line["status"]) for line in found["items"]]
    assert [(each["code"], each["detail"], each["status"]) for each in launched["checklist"]] == (
        as_told
    )
    problem_of(installation.admin.get(LAUNCH), 409, "already-launched")


def test_the_administrator_sees_the_queue_and_what_is_stored(installation: Installation) -> None:
    installation.launched()
    ada = installation.person("ada")
    ada.post("/competitions/otto/teams", json={"name": "Ada"})
    ada.post("/competitions/otto/submissions", content=b"a")
    found = installation.admin.get("/admin/server").json()
    assert found["queue"]["waiting"] == found["queue"]["by_state"]["queued"] == 1
    assert found["queue"]["oldest_waiting_seconds"] >= 0
    assert [worker["alive"] for worker in found["workers"]] == [True]
    assert (found["uploads"], found["oldest_uploads"]) == (0, [])
    assert found["database"]["up_to_date"] is True
    assert found["storage"]["kind"] == "folder"
    assert found["storage"]["free_bytes"] > 0
    problem_of(ada.get("/admin/server"), 403, "not-allowed")


def test_the_kind_of_the_database_is_told(installation_on_both: Installation) -> None:
    found = installation_on_both.admin.get("/admin/server").json()["database"]
    is_sqlite = installation_on_both.application.database.is_sqlite
    assert found["kind"] == ("sqlite" if is_sqlite else "postgresql")
    assert found["version"][0].isdigit()

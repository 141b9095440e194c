"""Ground truth and published ids: read in the sandbox, answered with counts, never with labels."""

from __future__ import annotations

import base64
import gzip
import hashlib
from typing import Any

import pytest

from podium.storage import Area
from tests.builders.installation import TRUTH, Installation, problem_of

ROUTE = "/admin/competitions/otto/ground-truth"


def _draft(installation: Installation) -> None:
    installation.draft(split={"public_fraction": 0.5})


def test_the_first_version_is_active_and_comes_with_its_counts(installation: Installation) -> None:
    _draft(installation)
    answer = installation.admin.post(ROUTE, content=TRUTH)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1{ROUTE}/1"
    version = answer.json()
    assert (version["version"], version["status"], version["active"]) == (1, "stored", True)
    assert version["sha256"] == hashlib.sha256(TRUTH).hexdigest()
    assert version["bytes"] == len(TRUTH)
    assert version["counts"] == {"sessions": 60, "queries": 180, "labels": 240}
    both = {
        name: {
            key: sum(version["objectives"][name][split][key] for split in ("public", "private"))
            for key in ("queries", "labels", "denominator")
        }
        for name in ("clicks", "carts", "orders")
    }
    assert both == {
        "clicks": {"queries": 60, "labels": 60, "denominator": 60},
        "carts": {"queries": 60, "labels": 120, "denominator": 120},
        "orders": {"queries": 60, "labels": 60, "denominator": 60},
    }
    assert any("standard error" in text for text in version["warnings"])
    assert installation.admin.get(f"{ROUTE}/1").json() == version
    assert installation.admin.get(f"{ROUTE}/{version['id']}").json() == version


def test_the_same_file_again_is_the_same_version(installation_on_both: Installation) -> None:
    _draft(installation_on_both)
    first = installation_on_both.admin.post(ROUTE, content=TRUTH).json()
    again = installation_on_both.admin.post(ROUTE, content=TRUTH)
    assert again.status_code == 200
    assert again.json() == first
    assert len(installation_on_both.admin.get(ROUTE).json()["items"]) == 1


def test_a_later_version_is_only_stored(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    other = TRUTH.replace(b"7]", b"8]")
    answer = installation_on_both.admin.post(ROUTE, content=other)
    assert answer.status_code == 201
    assert (answer.json()["version"], answer.json()["active"]) == (2, False)
    shown = installation_on_both.admin.get("/competitions/otto").json()["ground_truth"]
    assert (shown["active_version"], shown["latest_version"]) == (1, 2)
    assert [row["version"] for row in installation_on_both.admin.get(ROUTE).json()["items"]] == [
        2,
        1,
    ]


def test_a_later_version_is_compared_with_the_one_in_force(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    lines = TRUTH.splitlines(keepends=True)
    assert installation_on_both.admin.get(f"{ROUTE}/1").json()["changes"] is None
    fewer = b"".join([lines[2].replace(b'"orders": [', b'"orders": [77'), *lines[3:]])
    version = installation_on_both.admin.post(ROUTE, content=fewer).json()
    changes = version["changes"]
    assert changes["version"] == 1
    assert changes["ids"] == {
        "before": 60,
        "after": 58,
        "only_before": 2,
        "only_after": 0,
        "different": 1,
    }
    of_lists = {"before": 180, "after": 174, "only_before": 6, "only_after": 0, "different": 1}
    assert changes["lists"] == of_lists
    assert changes["labels"] == {"before": 240, "after": 232, "only_before": 9, "only_after": 1}
    assert version["warnings"][:2] == [
        "2 ids have labels in version 1 and none in this one: 100, 101.",
        "7 lists of labels differ from version 1.",
    ]


@pytest.mark.parametrize(
    ("settings", "before", "after", "words"),
    [
        (
            {},
            "user,labels,Usage\n1,2,Public\n2,3,Private\n",
            "user,labels,Usage\n1,2,Public\n2,4,Private\n",
            "1 list of labels differs",
        ),
        (
            {
                "task": "table",
                "metric": {"name": "rmse"},
                "table_columns": [{"name": "y", "type": "number"}],
            },
            "user,y,Usage\n1,2,Public\n2,3,Private\n3,1,Private\n",
            "user,y,Usage\n1,2,Public\n2,4,Private\n3,5,Private\n",
            "2 rows differ",
        ),
        (
            {"task": "rating", "metric": {"name": "rmse"}, "labels_column": "rating"},
            "user,item,rating,Usage\n1,2,3,Public\n2,3,4,Private\n",
            "user,item,rating,Usage\n1,2,3,Public\n2,3,5,Private\n",
            "1 pair differs",
        ),
    ],
)
def test_what_differs_is_named_as_the_task_has_it(
    installation: Installation, settings: dict[str, Any], before: str, after: str, words: str
) -> None:
    given = {"objectives": {"y": 1}, "id_column": "user", "item_column": "item", **settings}
    installation.draft(preset="map@12", split="usage", **given)
    installation.upload_truth(truth=before.encode())
    found = installation.upload_truth(truth=after.encode())
    assert f"{words} from version 1." in found["warnings"]


def test_a_version_that_is_lost_keeps_no_other_from_taking_its_place(
    installation: Installation,
) -> None:
    installation.launched()
    sha256 = installation.admin.get(f"{ROUTE}/1").json()["canonical_sha256"]
    installation.application.storage.delete(Area.GROUND_TRUTH, sha256)
    answer = installation.admin.post(ROUTE, content=TRUTH.replace(b"7]", b"8]"))
    assert answer.status_code == 201
    assert (answer.json()["version"], answer.json()["changes"]) == (2, None)


def test_an_outdated_version_is_read_again_with_the_settings_of_now(
    installation_on_both: Installation,
) -> None:
    _draft(installation_on_both)
    admin = installation_on_both.admin
    before = admin.post(ROUTE, content=TRUTH).json()
    admin.patch("/admin/competitions/otto", json={"split": {"public_fraction": 0.9}})
    answer = admin.post(f"{ROUTE}/1/read")
    assert (answer.status_code, answer.headers["location"]) == (201, f"/api/v1{ROUTE}/2")
    after = answer.json()
    assert (after["status"], after["active"], after["sha256"]) == ("stored", True, before["sha256"])
    public = [version["objectives"]["clicks"]["public"]["queries"] for version in (before, after)]
    assert public[0] < 45 < public[1]
    same = admin.post(f"{ROUTE}/2/read")
    assert (same.status_code, same.json()) == (200, after)
    problem_of(admin.post(f"{ROUTE}/9/read"), 404, "not-found")


def with_usage(labels: str, *sides: str) -> bytes:
    """Sixty sessions with these labels, which go through these sides in turn."""
    rows = [
        f"{session},{labels},{sides[place % len(sides)]}" for place, session in enumerate(range(60))
    ]
    return "\n".join(["session,labels,Usage", *rows]).encode()


def test_a_session_keeps_its_usage_in_every_version(installation_on_both: Installation) -> None:
    """Or else the public board, judged anew, would show what was private."""
    admin = installation_on_both.admin
    installation_on_both.draft(preset="otto-clicks", split="usage")
    first = with_usage("5", "Public", "Private", "Ignored")
    assert admin.post(ROUTE, content=first).status_code == 201
    moved = admin.post(ROUTE, content=with_usage("6", "Private", "Public", "Ignored"))
    problem = problem_of(moved, 422, "bad-usage")
    assert problem["detail"].startswith("40 of those that were public are private here")
    kept = admin.post(ROUTE, content=with_usage("6", "Public", "Private", "Ignored"))
    assert (kept.status_code, kept.json()["version"]) == (201, 2)
    decoys = admin.post(ROUTE, content=with_usage("7", "Public", "Private", "Private"))
    assert (decoys.status_code, decoys.json()["version"]) == (201, 3)


def test_a_compressed_file_is_known_by_its_bytes(installation: Installation) -> None:
    _draft(installation)
    answer = installation.admin.post(
        ROUTE, content=gzip.compress(TRUTH), headers={"Content-Type": "image/png"}
    )
    assert answer.status_code == 201
    assert answer.json()["counts"]["sessions"] == 60


def test_curl_sends_a_form_type_and_that_is_fine(installation: Installation) -> None:
    _draft(installation)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert installation.admin.post(ROUTE, content=TRUTH, headers=form).status_code == 201


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"", "empty-file", None),
        (TRUTH.splitlines(keepends=True)[0] + b"{\n", "bad-json", 2),
        (gzip.compress(TRUTH)[:-8], "archive-truncated", None),
        (b'{"session": 1, "labels": {"clicks": 5}}\n' * 2, "duplicate-id", 2),
        (b'{"session": 1, "labels": {"views": 5}}\n', "bad-json", 1),
    ],
    ids=["empty", "broken", "cut", "duplicate", "objective"],
)
def test_a_bad_file_is_422_with_its_lines_and_leaves_no_version(
    installation: Installation, content: bytes, code: str, line: int | None
) -> None:
    _draft(installation)
    answer = installation.admin.post(ROUTE, content=content)
    problem = problem_of(answer, 422, code)
    assert problem["errors"][0]["code"] == code
    assert problem["errors"][0]["line"] == line
    rows = installation.admin.get(ROUTE).json()["items"]
    assert [(row["version"], row["status"]) for row in rows] == [(None, "rejected")]
    assert installation.admin.get("/competitions/otto").json()["ground_truth"] == {
        "active_version": None,
        "latest_version": None,
        "published_ids": None,
    }


def test_an_objective_without_labels_in_a_split_is_422(installation: Installation) -> None:
    _draft(installation)
    clicks_only = b'{"session": 1, "labels": {"clicks": 5}}\n{"session": 2, "labels": {}}\n'
    answer = installation.admin.post(ROUTE, content=clicks_only)
    problem_of(answer, 422, "zero-denominator")


def test_a_wrong_digest_is_422_and_a_malformed_one_400(installation: Installation) -> None:
    _draft(installation)
    wrong = base64.b64encode(hashlib.sha256(b"other").digest()).decode()
    right = base64.b64encode(hashlib.sha256(TRUTH).digest()).decode()
    answer = installation.admin.post(
        ROUTE, content=TRUTH, headers={"Content-Digest": f"sha-256=:{wrong}:"}
    )
    problem_of(answer, 422, "digest-mismatch")
    answer = installation.admin.post(ROUTE, content=TRUTH, headers={"Content-Digest": "sha-256=x"})
    problem_of(answer, 400, "bad-digest")
    answer = installation.admin.post(
        ROUTE, content=TRUTH, headers={"Content-Digest": f"sha-256=:{right}:"}
    )
    assert answer.status_code == 201


def test_other_sessions_than_the_published_ones_are_422(installation: Installation) -> None:
    installation.launched()
    foreign = TRUTH + b'{"session": 999, "labels": {"clicks": 5}}\n'
    answer = installation.admin.post(ROUTE, content=foreign)
    problem = problem_of(answer, 422, "unpublished-session")
    assert problem["errors"][0]["line"] == 61


def test_a_participant_finds_no_ground_truth(installation: Installation) -> None:
    installation.launched()
    ada = installation.person("ada")
    for answer in (
        ada.get(ROUTE),
        ada.get(f"{ROUTE}/1"),
        ada.post(ROUTE, content=TRUTH),
        ada.put("/admin/competitions/otto/published-ids", content=b"1\n"),
    ):
        problem_of(answer, 404, "not-found")
    problem_of(installation.anonymous.get(ROUTE), 401, "not-authenticated")


def test_an_unknown_version_is_404(installation_on_both: Installation) -> None:
    _draft(installation_on_both)
    installation_on_both.upload_truth()
    for name in ("2", "0", "-1", "99999999999999999999", "x", "1%20"):
        problem_of(installation_on_both.admin.get(f"{ROUTE}/{name}"), 404, "not-found")


def test_a_single_objective_has_bare_sessions_and_its_own_name(installation: Installation) -> None:
    installation.draft(objectives={"buys": 1}, id_column="session", split="usage")
    truth = b"session,labels,Usage\n1,5 6,Public\n2,7,Private\n3,,Ignored\n"
    version = installation.admin.post(ROUTE, content=truth)
    assert version.status_code == 201, version.text
    assert version.json()["objectives"]["buys"]["public"] == {
        "queries": 1,
        "labels": 2,
        "denominator": 2,
    }
    sample = installation.admin.get("/competitions/otto/sample-submission").text
    assert sample == "session,labels\n1,\n2,\n3,\n"
    assert installation.admin.post("/admin/competitions/otto/launch").status_code == 200


def test_a_list_of_published_ids_rules_over_the_ground_truth(installation: Installation) -> None:
    _draft(installation)
    listed = b"session\n" + b"".join(b"%d\n" % session for session in range(159, 98, -1))
    answer = installation.admin.put("/admin/competitions/otto/published-ids", content=listed)
    assert answer.status_code == 200, answer.text
    assert answer.json()["sessions"] == 61
    assert answer.json()["published_ids"] == 183
    assert answer.json()["source"] == "list"

    version = installation.admin.post(ROUTE, content=TRUTH)
    assert version.status_code == 201
    assert version.json()["counts"] == {"sessions": 61, "queries": 180, "labels": 240}
    sample = installation.admin.get("/competitions/otto/sample-submission").text.splitlines()
    assert sample[:2] == ["session_type,labels", "159_clicks,"]
    assert len(sample) == 184


def test_another_list_puts_stored_ground_truth_out_of_use(
    installation_on_both: Installation,
) -> None:
    _draft(installation_on_both)
    installation_on_both.upload_truth()
    same = b"".join(b"%d\n" % session for session in range(100, 160))
    other = same + b"160\n"
    route = "/admin/competitions/otto/published-ids"
    assert (
        installation_on_both.admin.put(route, content=same).json()["ground_truth_outdated"] is False
    )
    assert installation_on_both.admin.get(f"{ROUTE}/1").json()["active"] is True
    assert (
        installation_on_both.admin.put(route, content=other).json()["ground_truth_outdated"] is True
    )
    assert installation_on_both.admin.get(f"{ROUTE}/1").json()["status"] == "outdated"
    assert installation_on_both.upload_truth()["version"] == 2


def test_a_bad_list_is_refused_with_its_lines(installation: Installation) -> None:
    _draft(installation)
    for content in (b"", b"1\n1\n", b"one\n", b"-1\n", b"\x89PNG\r\n\x1a\n"):
        answer = installation.admin.put("/admin/competitions/otto/published-ids", content=content)
        assert answer.status_code in (415, 422), content
        assert answer.json()["error_count"] >= 1
    problem_of(installation.admin.get("/competitions/otto/sample-submission"), 404, "not-found")


def test_no_answer_and_no_log_about_ground_truth_holds_a_label(
    installation: Installation, capfd: pytest.CaptureFixture[str]
) -> None:
    installation.draft(split={"public_fraction": 0.5})
    canary = TRUTH.replace(b", 7]", b", 1999000001]")
    answers = [
        installation.admin.post(ROUTE, content=canary),
        installation.admin.get(ROUTE),
        installation.admin.post("/admin/competitions/otto/launch"),
        installation.admin.get("/competitions/otto"),
        installation.admin.get("/competitions/otto/sample-submission"),
        installation.admin.get("/admin/audit"),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200, 200]
    assert all("1999000001" not in answer.text for answer in answers)
    assert "1999000001" not in "".join(capfd.readouterr())

"""Competitions: made, seen, listed and changed."""

from __future__ import annotations

from typing import Any

import pytest

from podium.core.models import Competition
from tests.builders.installation import Installation, problem_of

NONSENSE: list[dict[str, Any]] = [
    {"slug": "Otto"},
    {"slug": "-otto"},
    {"slug": "a/b"},
    {"slug": "otto\n"},
    {"slug": "x" * 65},
    {"slug": ""},
    {"title": ""},
    {"title": "   "},
    {"title": "a\nb"},
    {"title": "x" * 201},
    {"description": "a\x1bb"},
    {"description": "x" * 100_001},
    {"preset": "kaggle"},
    {"task": "guessing"},
    {"objectives": {}},
    {"objectives": {"clicks": 0}},
    {"objectives": {"clicks": -1}},
    {"objectives": {"clicks ": 1}},
    {"objectives": {"a_b": 1, "c": 1}},
    {"objectives": {f"o{i}": 1 for i in range(17)}},
    {"objectives": ["clicks"]},
    {"objectives": {"clicks": {"metric": "ndcg@10"}}},
    {"metric": "ndcg@10@20"},
    {"metric": {"name": "ndcg", "k": 1001}},
    {"metric": {"name": "ndcg", "k": 10, "average": "median"}},
    {"diagnostics": "mrr@20"},
    {"diagnostics": ["MRR@20"]},
    {"diagnostics": ["mrr@20\n"]},
    {"diagnostics": [f"mrr@{k}" for k in range(1, 34)]},
    {"metric": {"name": "recall_capped", "k": 0}},
    {"metric": {"k": 5, "secret": 1}},
    {"id_column": "a\nb"},
    {"labels_column": ""},
    {"item_ids": "float"},
    {"split": "random"},
    {"split": {"public_fraction": 0}},
    {"split": {"public_fraction": 1}},
    {"split": {"public_fraction": 0.5, "usage": True}},
    {"split": {}},
    {"daily_limit": 0},
    {"daily_limit": None},
    {"daily_limit": 2**62},
    {"total_limit": 0},
    {"decimals": 13},
    {"visibility": "secret"},
    {"board": "noisy"},
    {"registration": "closed"},
    {"starts_at": "2030-01-01"},
    {"ends_at": "2030-01-01T00:00:00"},
    {"starts_at": 1893456000},
]


def test_slug_title_and_preset_are_enough(installation: Installation) -> None:
    answer = installation.admin.post(
        "/admin/competitions", json={"slug": "otto", "title": "OTTO", "preset": "otto"}
    )
    assert answer.status_code == 201
    assert answer.headers["location"] == "/api/v1/competitions/otto"
    made = answer.json()
    assert made["phase"] == "draft"
    assert made["objectives"] == {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
    assert made["metric"]["id"] == "recall_capped@20"
    assert made["metric"]["average"] == "micro"
    assert (made["id_column"], made["labels_column"]) == ("session_type", "labels")
    assert made["settings"]["split"] == {"public_fraction": 0.33}
    assert (made["daily_limit"], made["final_selections"], made["team_size"]) == (5, 2, 5)
    assert made["decimals"] == 5
    assert made["counts"] == {"sessions": 0, "published_ids": 0, "teams": 0, "submissions": 0}


def test_every_setting_can_be_given_and_is_read_back(installation: Installation) -> None:
    settings: dict[str, Any] = {
        "task": "ranking",
        "objectives": {"buys": 0.25, "views": 0.75},
        "objective_metrics": {"buys": {"name": "ndcg", "k": 5, "average": "macro"}},
        "metric": {"name": "recall_capped", "k": 10, "average": "micro"},
        "diagnostics": ["mrr@20", "recall@10:micro"],
        "id_column": "user_type",
        "item_column": "thing",
        "labels_column": "items",
        "query_ids": "string",
        "item_ids": "string",
        "duplicates": "drop",
        "submission_duplicates": "reject",
        "forms": ["item-rows"],
        "summary": "What comes next?",
        "image": "cover.png",
        "rules": "Be fair.",
        "missing_rows": "zero",
        "split": "usage",
        "daily_limit": 7,
        "total_limit": 70,
        "final_selections": 3,
        "team_size": 2,
        "max_upload_bytes": 1000,
        "max_expanded_bytes": 2000,
        "decimals": 4,
        "board": "exact",
        "objective_scores": "always",
        "registration": "code",
        "registration_code": "spring 26",
        "member_names": "everyone",
        "late_submissions": True,
        "accept_uploads": False,
        "judge_uploads": False,
        "concurrent_uploads": 3,
    }
    texts = {
        "description": "# Rules\n\n\t* fair play",
        "visibility": "private",
        "starts_at": "2030-01-01T00:00:00+01:00",
        "ends_at": "2030-02-01T00:00:00Z",
    }
    made = installation.draft("all", **settings, **texts)
    assert made["settings"] == settings
    assert made["description"] == texts["description"]
    assert made["visibility"] == "private"
    assert made["starts_at"] == "2029-12-31T23:00:00Z"
    assert made["ends_at"] == "2030-02-01T00:00:00Z"


def test_a_setting_that_makes_no_sense_is_422(installation: Installation) -> None:
    for change in NONSENSE:
        body = {"slug": "otto", "title": "OTTO"} | change
        answer = installation.admin.post("/admin/competitions", json=body)
        problem = problem_of(answer, 422, "invalid")
        assert problem["errors"][0]["column"].startswith(f"body.{next(iter(change))}"), change
    assert installation.admin.get("/competitions").json()["items"] == []


def test_no_column_can_be_set_beside_the_settings(installation: Installation) -> None:
    columns = set(Competition.__table__.columns.keys()) - {
        "slug",
        "title",
        "description",
        "visibility",
        "starts_at",
        "ends_at",
    }
    installation.draft("other")
    for column in sorted(columns | {"score", "split_key", "phase", "counts", "organizers"}):
        made = {"slug": "otto", "title": "OTTO", column: 1}
        problem_of(installation.admin.post("/admin/competitions", json=made), 422, "invalid")
        answer = installation.admin.patch("/admin/competitions/other", json={column: 1})
        problem_of(answer, 422, "invalid")


def test_an_end_before_the_start_is_422(installation: Installation) -> None:
    body = {"slug": "otto", "title": "OTTO", "starts_at": "2030-01-02T00:00:00Z"}
    for ends_at in ("2030-01-01T00:00:00Z", "2030-01-02T00:00:00Z"):
        answer = installation.admin.post("/admin/competitions", json=body | {"ends_at": ends_at})
        problem_of(answer, 422, "bad-date")


def test_a_slug_is_taken_once(installation: Installation) -> None:
    installation.draft("otto")
    answer = installation.admin.post("/admin/competitions", json={"slug": "otto", "title": "Two"})
    problem_of(answer, 409, "slug-taken")


def test_participants_make_no_competitions(installation: Installation) -> None:
    body = {"slug": "otto", "title": "OTTO"}
    answer = installation.person("ada").post("/admin/competitions", json=body)
    problem_of(answer, 403, "not-allowed")
    problem_of(
        installation.anonymous.post("/admin/competitions", json=body), 401, "not-authenticated"
    )


def test_a_draft_is_its_organizers_alone(installation: Installation) -> None:
    grace = installation.person("grace", organizer=True)
    body = {"slug": "secret", "title": "Secret"}
    assert grace.post("/admin/competitions", json=body).status_code == 201
    rival, ada = installation.person("rival", organizer=True), installation.person("ada")

    assert grace.get("/competitions/secret").status_code == 200
    assert installation.admin.get("/competitions/secret").status_code == 200
    for stranger in (rival, ada, installation.anonymous):
        assert stranger.get("/competitions").json()["items"] == []
        hidden = problem_of(stranger.get("/competitions/secret"), 404, "not-found")
        unknown = problem_of(stranger.get("/competitions/nothing"), 404, "not-found")
        assert hidden["detail"] == unknown["detail"]


def test_a_stranger_changes_nothing_and_learns_nothing(installation: Installation) -> None:
    installation.draft("otto")
    rival, ada = installation.person("rival", organizer=True), installation.person("ada")
    for person in (rival, ada):
        for method, path in (
            ("PATCH", ""),
            ("POST", "/ground-truth"),
            ("GET", "/ground-truth"),
            ("GET", "/ground-truth/1"),
            ("PUT", "/published-ids"),
            ("PUT", "/files/a.csv"),
            ("POST", "/organizers"),
            ("DELETE", f"/organizers/{ada.id}"),
            ("POST", "/launch"),
            ("POST", "/close"),
            ("POST", "/reopen"),
            ("POST", "/reveal"),
        ):
            texts = []
            for slug in ("otto", "nothing"):
                body = {"user_id": ada.id} if path == "/organizers" else {}
                answer = person.send(method, f"/admin/competitions/{slug}{path}", json=body)
                texts.append(problem_of(answer, 404, "not-found")["detail"])
            assert texts[0] == texts[1]
    assert installation.admin.get("/competitions/otto").json()["title"] == "OTTO"


def test_competitions_are_listed_in_pages_newest_first(installation: Installation) -> None:
    for number in range(5):
        installation.draft(f"c{number}")
    slugs, cursor = [], ""
    while cursor is not None:
        query = f"?limit=2&cursor={cursor}" if cursor else "?limit=2"
        page = installation.admin.get(f"/competitions{query}").json()
        slugs += [item["slug"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert slugs == ["c4", "c3", "c2", "c1", "c0"]


def test_a_change_keeps_what_is_not_named(installation: Installation) -> None:
    installation.draft("otto", total_limit=9)
    answer = installation.admin.patch(
        "/admin/competitions/otto", json={"title": "Two", "daily_limit": 3, "total_limit": None}
    )
    assert answer.status_code == 200
    changed = answer.json()
    assert (changed["title"], changed["daily_limit"], changed["total_limit"]) == ("Two", 3, None)
    assert changed["team_size"] == 5
    assert changed["version"] == 2


def test_what_was_read_can_be_sent_back(installation: Installation) -> None:
    made = installation.draft("otto", split="usage")
    answer = installation.admin.patch("/admin/competitions/otto", json=made["settings"])
    assert answer.status_code == 200
    assert answer.json()["version"] == 1


def test_a_stale_if_match_is_412_and_changes_nothing(installation: Installation) -> None:
    installation.draft("otto")
    first = installation.admin.get("/competitions/otto").headers["etag"]
    fresh = installation.admin.patch(
        "/admin/competitions/otto", json={"title": "Two"}, headers={"If-Match": first}
    )
    assert fresh.status_code == 200
    for tag in (first, f"W/{fresh.headers['etag']}", '"x"', '"99999999999999999999"'):
        stale = installation.admin.patch(
            "/admin/competitions/otto", json={"title": "Three"}, headers={"If-Match": tag}
        )
        problem_of(stale, 412, "precondition-failed")
    assert installation.admin.get("/competitions/otto").json()["title"] == "Two"
    for tag in ("*", f'"7", {fresh.headers["etag"]}'):
        answer = installation.admin.patch(
            "/admin/competitions/otto", json={"daily_limit": 5}, headers={"If-Match": tag}
        )
        assert answer.status_code == 200


def test_an_if_match_that_is_no_tag_is_400(installation: Installation) -> None:
    installation.draft("otto")
    answer = installation.admin.patch(
        "/admin/competitions/otto", json={"title": "Two"}, headers={"If-Match": "1"}
    )
    problem_of(answer, 400, "bad-request")


@pytest.mark.parametrize("change", [{"id": "b"}, {"preset": "otto"}, {"color": "red"}])
def test_an_unknown_member_of_a_change_is_422(
    installation: Installation, change: dict[str, object]
) -> None:
    installation.draft("otto")
    answer = installation.admin.patch("/admin/competitions/otto", json={"title": "Two"} | change)
    problem_of(answer, 422, "invalid")
    assert installation.admin.get("/competitions/otto").json()["title"] == "OTTO"


def test_the_slug_of_a_draft_changes_until_the_launch(installation: Installation) -> None:
    installation.draft("otto")
    installation.draft("taken")
    admin = installation.admin
    refused = admin.patch("/admin/competitions/otto", json={"slug": "taken", "title": "Two"})
    problem_of(refused, 409, "slug-taken")
    problem_of(admin.patch("/admin/competitions/otto", json={"slug": "No"}), 422, "invalid")
    assert admin.get("/competitions/otto").json()["title"] == "OTTO"
    changed = admin.patch("/admin/competitions/otto", json={"slug": "shop"})
    assert (changed.status_code, changed.json()["slug"]) == (200, "shop")
    assert admin.get("/competitions/otto").status_code == 404
    (entry,) = admin.get("/admin/audit?action=competition.change").json()["items"]
    assert (entry["facts"]["slug_before"], entry["facts"]["slug"]) == ("otto", "shop")


def test_the_slug_is_fixed_at_the_launch(installation: Installation) -> None:
    slug = installation.launched("otto")["slug"]
    path = f"/admin/competitions/{slug}"
    refused = installation.admin.patch(path, json={"slug": "shop"})
    assert problem_of(refused, 409, "fixed-at-launch")["settings"] == ["slug"]
    same = installation.admin.patch(path, json={"slug": slug, "daily_limit": 3})
    assert same.status_code == 200


@pytest.mark.parametrize(
    ("settings", "column", "hint"),
    [
        ({"preset": "oto"}, "body.preset", "Did you mean otto?"),
        ({"dayly_limit": 3}, "body.dayly_limit", "Did you mean daily_limit?"),
        (
            {"split": {"public_fracton": 0.3}},
            "body.split.public_fracton",
            "Did you mean public_fraction?",
        ),
        ({"luck": 3}, "body.luck", None),
    ],
)
def test_a_misspelt_member_or_choice_is_answered_with_the_nearest_one(
    installation: Installation, settings: dict[str, object], column: str, hint: str | None
) -> None:
    body = {"slug": "otto", "title": "OTTO", **settings}
    answer = installation.admin.post("/admin/competitions", json=body)
    (entry,) = problem_of(answer, 422, "invalid")["errors"]
    assert (entry["column"], entry["hint"]) == (column, hint)


def test_a_change_may_not_turn_the_dates_around(installation: Installation) -> None:
    installation.draft("otto", starts_at="2030-01-02T00:00:00Z")
    answer = installation.admin.patch(
        "/admin/competitions/otto", json={"ends_at": "2030-01-01T00:00:00Z"}
    )
    problem_of(answer, 422, "bad-date")
    assert installation.admin.get("/competitions/otto").json()["ends_at"] is None

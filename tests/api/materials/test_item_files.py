"""The item file, from its upload to the diagnostics that are computed against it."""

from __future__ import annotations

import html
from typing import Any

import pytest

from tests.builders.competing import Competition, numbers
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Browser

TRUTH = (
    "user,labels,Usage\n1,3,Public\n2,4,Public\n3,,Public\n4,5,Private\n5,1,Private\n6,2,Ignored\n"
)
FILE = "user,labels\n1,1 3\n2,2\n3,5 6\n4,1 5 9\n5,9 9\n6,3 4\n"
ITEMS = "item,users,sweet,sour\n1,8,1,0\n2,2,0,1\n3,0,0,2\n4,2,,\n5,1,0,0\n"
DIAGNOSTICS = ["coverage@2", "novelty@2", "ild@2", "serendipity@2"]
SETTINGS: dict[str, Any] = {
    "objectives": {"items": 1},
    "id_column": "user",
    "metric": "recall@2",
    "diagnostics": DIAGNOSTICS,
    "split": "usage",
}
"""By hand, of 8 training users. Public: lists 1 3 and 2; they show 3 of 5 items, are 3/2 and 2/2
bits novel, and 1 and 0 diverse; 3 is a hit that is not among the popular 1 and 2. Private: 1 5 and
9 9; 2 of 5 items, 3/2 and 3/2 bits, no diversity, as 5 has no direction; and 5 is the hit."""

VALUES = {
    "coverage@2": {"public": 0.6, "private": 0.4},
    "novelty@2": {"public": 1.25, "private": 1.5},
    "ild@2": {"public": 0.5, "private": 0.0},
    "serendipity@2": {"public": 0.25, "private": 0.25},
}
NOTES = {
    "ild@2": {
        "public": {"short_lists": {"items": 1}, "pairs_without_features": {"items": 0}},
        "private": {"short_lists": {"items": 1}, "pairs_without_features": {"items": 1}},
    }
}


def draft(judging: Installation, **settings: Any) -> str:
    """A draft with its ground truth, and where it is managed."""
    slug = f"items-{next(numbers)}"
    body = {"slug": slug, "title": slug, **SETTINGS, **settings}
    made = judging.admin.post("/admin/competitions", json=body)
    assert made.status_code == 201, made.text
    route = f"/admin/competitions/{slug}"
    assert judging.admin.post(f"{route}/ground-truth", content=TRUTH).status_code == 201
    return route


def put(person: Person, route: str, items: str | bytes = ITEMS, users: Any = 8) -> Any:
    """Sends an item file."""
    params = {} if users is None else {"training_users": users}
    return person.put(f"{route}/items", content=items, params=params)


def test_diagnostics_beyond_accuracy_appear_for_organizers(judging: Installation) -> None:
    route = draft(judging)
    answer = put(judging.admin, route)
    assert answer.status_code == 201, answer.text
    assert judging.admin.get(f"{route}/items").json() == answer.json()
    launched = judging.admin.post(f"{route}/launch")
    assert launched.status_code == 200, launched.text
    competition = Competition(judging, route.rsplit("/", 1)[1], launched.json())
    team = competition.team()
    seen = competition.judged(team, FILE)
    assert (seen["public_score"], seen["diagnostics"], seen["notes"]) == (0.5, None, None)
    managed = judging.admin.get(f"/submissions/{seen['id']}").json()
    assert (managed["diagnostics"], managed["notes"]) == (VALUES, NOTES)
    assert managed["diagnostic_errors"]["coverage@2"] == {"public": None, "private": None}
    assert managed["diagnostic_errors"]["novelty@2"] == {"public": 0.25, "private": 0.0}
    competition.reveal()
    after = team.get(f"/submissions/{seen['id']}").json()
    assert (after["diagnostics"], after["notes"]) == (VALUES, None)


STRANGE = "user,labels\n1,71 73\n2,72\n3,75\n4,76\n5,77\n6,78\n"


def page(judging: Installation, person: Person, address: str) -> str:
    """The text of a page, as this person sees it."""
    browser = Browser(judging.client.app)
    browser.sign_in(person.token or "")
    return html.unescape(browser.get(address).text)


def lists_of(judging: Installation, route: str, text: str) -> tuple[dict[str, Any], str]:
    """The document of a scored file as a participant gets it, and its page."""
    launched = judging.admin.post(f"{route}/launch").json()
    competition = Competition(judging, route.rsplit("/", 1)[1], launched)
    team = competition.team()
    seen = competition.judged(team, text)
    return seen, page(judging, team, f"/competitions/{competition.slug}/submissions/{seen['id']}")


def test_the_catalogue_is_measured_though_no_metric_needs_it(judging: Installation) -> None:
    route = draft(judging, diagnostics=[])
    assert put(judging.admin, route).status_code == 201
    seen, shown = lists_of(judging, route, FILE)
    assert seen["lists"] == {
        "objectives": {"items": {"k": 2, "lists": 6, "empty": 0, "full": 5, "items": 11}},
        "counted_share": 1,
        "distinct": 7,
        "catalogue": {"items": 5, "predicted": 5, "unknown": 2},
    }
    assert "Your lists" in shown
    assert "1.8 items per list on average; 83 % of lists are full (2 items)" in shown
    assert "2 items are not in the catalogue" in shown
    assert "right ids" not in shown


def test_a_file_of_other_items_is_asked_about(judging: Installation) -> None:
    route = draft(judging, diagnostics=[])
    assert put(judging.admin, route).status_code == 201
    seen, shown = lists_of(judging, route, STRANGE)
    assert "None of your items is in the catalogue: are these the right ids?" in shown
    address = f"/organize/{seen['competition']}/submissions/{seen['id']}"
    managed = page(judging, judging.admin, address)
    assert "None of the items is in the catalogue: are these the right ids?" in managed


def test_without_a_catalogue_items_are_counted_alone(judging: Installation) -> None:
    seen, shown = lists_of(judging, draft(judging, diagnostics=[]), FILE)
    assert (seen["lists"]["distinct"], seen["lists"]["catalogue"]) == (7, None)
    assert "7 different items." in shown


def test_the_summary_says_what_the_file_holds(judging: Installation) -> None:
    answer = put(judging.admin, draft(judging)).json()
    for name in ("created_at", "sha256", "canonical_sha256"):
        assert answer.pop(name)
    assert answer == {
        "items": 5,
        "item_ids": "integer",
        "training_users": 8,
        "without_users": 1,
        "features": ["sweet", "sour"],
        "without_features": 1,
        "tells": ["features", "items", "users"],
        "bytes": len(ITEMS),
    }


def test_a_launch_says_what_the_item_file_lacks(judging: Installation) -> None:
    route = draft(judging)
    problem = problem_of(judging.admin.post(f"{route}/launch"), 409, "launch-checklist")
    assert [error["code"] for error in problem["errors"]] == ["item-file"] * 4
    assert put(judging.admin, route, "item,users\n1,1\n", 1).status_code == 201
    problem = problem_of(judging.admin.post(f"{route}/launch"), 409, "launch-checklist")
    assert [error["detail"] for error in problem["errors"]] == [
        "The item file has features: any columns of numbers, as ild@2 needs. Upload such a file"
        " under “Ground truth”: it is missing or lacks this."
    ]
    again = put(judging.admin, route)
    assert (again.status_code, again.json()["items"]) == (200, 5)
    assert judging.admin.delete(f"{route}/items").status_code == 204
    problem_of(judging.admin.get(f"{route}/items"), 404, "not-found")
    problem_of(judging.admin.delete(f"{route}/items"), 404, "not-found")
    problem_of(judging.admin.post(f"{route}/launch"), 409, "launch-checklist")


def test_items_that_became_texts_must_be_sent_again(judging: Installation) -> None:
    route = draft(judging)
    assert put(judging.admin, route).status_code == 201
    assert judging.admin.patch(route, json={"item_ids": "string"}).status_code == 200
    stored = judging.admin.post(f"{route}/ground-truth", content=TRUTH + "\n")
    assert stored.status_code == 201, stored.text
    problem_of(judging.admin.post(f"{route}/launch"), 409, "launch-checklist")
    assert put(judging.admin, route).json()["item_ids"] == "string"
    assert judging.admin.post(f"{route}/launch").status_code == 200


def test_a_launched_competition_keeps_its_item_file(judging: Installation) -> None:
    route = draft(judging)
    put(judging.admin, route)
    assert judging.admin.post(f"{route}/launch").status_code == 200
    problem_of(put(judging.admin, route), 409, "fixed-at-launch")
    problem_of(judging.admin.delete(f"{route}/items"), 409, "fixed-at-launch")
    assert judging.admin.get(f"{route}/items").json()["items"] == 5


def test_a_rejudging_can_add_what_a_first_item_file_allows(judging: Installation) -> None:
    route = draft(judging, diagnostics=[])
    assert judging.admin.post(f"{route}/launch").status_code == 200
    body = {"reason": "more to see", "settings": {"diagnostics": DIAGNOSTICS}}
    answer = judging.admin.post(f"{route}/rejudgings", json=body)
    problem = problem_of(answer, 422, "item-file-lacks")
    assert "as coverage@2 needs" in problem["detail"]
    assert put(judging.admin, route).status_code == 201
    answer = judging.admin.post(f"{route}/rejudgings", json=body)
    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize(
    ("items", "users", "code", "line"),
    [
        ("", None, "empty-file", None),
        ("item\n1\n1\n", None, "duplicate-id", 3),
        ("item,users\n1,1\n", None, "header-mismatch", 1),
        ("item,users\n1,1\n2,9\n", 8, "bad-number", 3),
        ("item,sweet\n1,1\n2,nan\n", None, "bad-number", 3),
        ("item,sweet\n1,1\n", 8, "header-mismatch", 1),
    ],
)
def test_a_bad_file_is_422_with_its_line_and_changes_nothing(
    judging: Installation, items: str, users: int | None, code: str, line: int | None
) -> None:
    route = draft(judging)
    before = put(judging.admin, route).json()
    problem = problem_of(put(judging.admin, route, items, users), 422, code)
    assert problem["errors"][0]["line"] == line
    assert judging.admin.get(f"{route}/items").json() == before


@pytest.mark.parametrize("users", ["0", "-1", str(2**31), "many", "1.5", ""])
def test_a_number_of_training_users_is_checked_before_the_body(
    judging: Installation, users: str
) -> None:
    route = draft(judging)
    assert put(judging.admin, route, ITEMS, users).status_code == 422
    problem_of(judging.admin.get(f"{route}/items"), 404, "not-found")


def test_an_item_file_is_its_organizers_alone(judging: Installation) -> None:
    route = draft(judging)
    put(judging.admin, route)
    other = judging.person(f"organizer {next(numbers)}", organizer=True)
    stranger = judging.person(f"stranger {next(numbers)}")
    for person, status, code in (
        (judging.anonymous, 401, "not-authenticated"),
        (stranger, 404, "not-found"),
        (other, 404, "not-found"),
    ):
        problem_of(put(person, route), status, code)
        problem_of(person.get(f"{route}/items"), status, code)
        problem_of(person.delete(f"{route}/items"), status, code)
    assert judging.admin.get(f"{route}/items").json()["items"] == 5


def test_every_act_is_in_the_audit_log(judging: Installation) -> None:
    route = draft(judging)
    put(judging.admin, route)
    judging.admin.delete(f"{route}/items")
    entries = judging.admin.get("/admin/audit").json()["items"]
    assert [entry["action"] for entry in entries[:2]] == ["item-file.remove", "item-file.put"]


@pytest.mark.parametrize("metric", ["coverage@2", "serendipity@2"])
def test_no_competition_is_scored_by_them(judging: Installation, metric: str) -> None:
    body = {"slug": f"noise-{next(numbers)}", "title": "Noise", **SETTINGS, "metric": metric}
    answer = judging.admin.post("/admin/competitions", json=body)
    assert answer.status_code == 422
    assert "diagnostic" in answer.text

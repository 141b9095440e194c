"""Comparing submissions over HTTP and on a page: organizers see intervals, teams what they are
shown."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.builders.comparing import SESSIONS, SETTINGS, TRUTH, file_of
from tests.builders.competing import Competition
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Page


@pytest.fixture(scope="module")
def competition(judging: Installation) -> Competition:
    return Competition.opened(judging, TRUTH, **SETTINGS)


def route(competition: Competition, *ids: str) -> str:
    more = "".join(f"&submission={one}" for one in ids[2:])
    return f"/admin/competitions/{competition.slug}/comparison?a={ids[0]}&b={ids[1]}{more}"


def test_two_submissions_are_compared_with_intervals(
    judging: Installation, competition: Competition
) -> None:
    ada, bob = competition.team(), competition.team()
    one, two = competition.judged(ada, file_of(5)), competition.judged(bob, file_of(4))
    answer = judging.admin.get(route(competition, one["id"], two["id"]))
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert [each["id"] for each in document["submissions"]] == [one["id"], two["id"]]
    assert (document["competition"], document["ground_truth_version"]) == (competition.slug, 1)
    public = document["splits"]["public"]
    assert (public["sessions"], public["method"]) == (SESSIONS, "bootstrap")
    # Half of all sessions reach 1, the others 1/2: 0.75 against 0.7.
    assert [each["score"]["value"] for each in public["submissions"]] == [0.75, 0.7]
    score = public["pairs"][0]["score"]
    assert score["value"] == pytest.approx(0.05)
    # A tenth of the sessions differ, by 1/2.
    expected = math.sqrt((0.1 * 0.25 - 0.05**2) / SESSIONS)
    assert score["standard_error"] == pytest.approx(expected, rel=0.06)
    assert score["better"] == "first"
    assert public["pairs"][0]["metrics"]["hit_rate@5"]["value"] == 0.0
    assert set(document["splits"]) == {"public", "private"}


def test_more_than_two_are_compared_in_pairs(
    judging: Installation, competition: Competition
) -> None:
    team = competition.team()
    ids = [competition.judged(team, file_of(found))["id"] for found in (1, 2, 3)]
    document = judging.admin.get(route(competition, *ids)).json()
    pairs = document["splits"]["private"]["pairs"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert all(pair["score"]["better"] == "second" for pair in pairs)


def test_the_same_question_has_the_same_answer(
    judging: Installation, competition: Competition
) -> None:
    team = competition.team()
    ids = [competition.judged(team, file_of(found))["id"] for found in (6, 7)]
    first, second = (judging.admin.get(route(competition, *ids)).json() for _ in range(2))
    assert first == second


def test_only_organizers_compare(judging: Installation, competition: Competition) -> None:
    team, stranger = competition.team(), judging.person("a stranger to comparisons")
    other = judging.person("another organizer of comparisons", organizer=True)
    ids = [competition.judged(team, file_of(found))["id"] for found in (8, 9)]
    problem_of(judging.anonymous.get(route(competition, *ids)), 401, "not-authenticated")
    for person in (team, stranger, other):
        problem_of(person.get(route(competition, *ids)), 404, "not-found")


def test_what_is_not_in_this_competition_is_not_found(
    judging: Installation, competition: Competition
) -> None:
    elsewhere = Competition.opened(judging, TRUTH, **SETTINGS)
    here = competition.judged(competition.team(), file_of(1))["id"]
    there = elsewhere.judged(elsewhere.team(), file_of(2))["id"]
    problem_of(judging.admin.get(route(competition, here, there)), 404, "not-found")
    problem_of(judging.admin.get(route(competition, here, "nobody")), 404, "not-found")
    assert judging.admin.get(route(competition, here, here)).status_code == 422


def test_a_rejected_file_cannot_be_compared(
    judging: Installation, competition: Competition
) -> None:
    team = competition.team()
    good = competition.judged(team, file_of(1))["id"]
    sent = team.post(f"/competitions/{competition.slug}/submissions", content=b"nonsense")
    answer = judging.admin.get(route(competition, good, sent.json()["id"]))
    problem_of(answer, 409, "not-scored")


def page(person: Person, path: str) -> Any:
    headers = {"Authorization": f"Bearer {person.token}"} if person.token else {}
    return person.client.get(path, headers=headers, follow_redirects=False)


def test_organizers_see_differences_with_intervals(
    judging: Installation, competition: Competition
) -> None:
    ada, bob = competition.team(), competition.team()
    one, two = competition.judged(ada, file_of(5)), competition.judged(bob, file_of(4))
    address = f"/competitions/{competition.slug}/comparison?a={one['id']}&b={two['id']}"
    answer = page(judging.admin, address)
    assert answer.status_code == 200, answer.text
    rows = {row[0]: row[1:] for row in Page(answer.text).rows if len(row) == 7}
    assert rows["Score"][2] == "+0.05000"
    assert rows["Score"][-1] == "first"
    assert rows["hit_rate@5"][2] == "+0.00000"
    assert rows["hit_rate@5"][-1] == "cannot tell"
    apart = page(judging.admin, f"{address}&apart=1")
    assert apart.status_code == 200
    assert "Public split: by the position of the hit in the list" in apart.text


def test_a_team_sees_of_its_own_what_it_is_shown_anyway(
    judging: Installation, competition: Competition
) -> None:
    ada = competition.team()
    one, two = (competition.judged(ada, file_of(found)) for found in (5, 4))
    address = f"/competitions/{competition.slug}/comparison?a={one['id']}&b={two['id']}"
    answer = page(ada, address)
    assert answer.status_code == 200, answer.text
    shown = Page(answer.text)
    assert ["Public score", "0.75000", "0.70000", "+0.05000"] in shown.rows
    assert not any("rivate" in row[0] for row in shown.rows)
    # One is enough: it is compared with the newest other one.
    assert Page(page(ada, address.partition("&")[0]).text).rows == shown.rows
    # No error, interval or p is told before the reveal, nor a link to segments.
    assert not any(word in answer.text for word in ("interval", "Holm", "±", "apart=1"))
    early = page(ada, f"{address}&apart=1")
    assert early.status_code == 404
    assert "Scores are taken apart after the reveal" in early.text


def test_a_file_without_scores_has_dashes_beside_a_scored_one(
    judging: Installation, competition: Competition
) -> None:
    ada = competition.team()
    scored = competition.judged(ada, file_of(5))
    other = ada.post(f"/competitions/{competition.slug}/submissions", content=b"nonsense").json()
    address = f"/competitions/{competition.slug}/comparison?a={scored['id']}&b={other['id']}"
    shown = Page(page(judging.admin, address).text)
    scores = [row for row in shown.rows if row[0] in ("Public score", "Private score")]
    assert [row[2] for row in scores] == ["–", "–"]
    assert "–" not in [row[1] for row in scores]
    # The score of a single objective is the score.
    assert not any(row[0].endswith((", public", ", private")) for row in shown.rows)


def test_no_other_user_sees_any_of_it(judging: Installation, competition: Competition) -> None:
    ada, rival = competition.team(), competition.team()
    stranger = judging.person("a stranger to pages that compare")
    one, two = (competition.judged(ada, file_of(found)) for found in (5, 4))
    address = f"/competitions/{competition.slug}/comparison?a={one['id']}&b={two['id']}"
    for person in (rival, stranger):
        assert page(person, address).status_code == 404
    anonymous = page(judging.anonymous, address)
    assert anonymous.status_code == 303
    assert anonymous.headers["location"].startswith("/sign-in?next=")


def test_a_user_with_nothing_to_compare_is_told_so(
    judging: Installation, competition: Competition
) -> None:
    stranger = judging.person("somebody with nothing to compare")
    answer = page(stranger, f"/competitions/{competition.slug}/comparison")
    assert answer.status_code == 200
    assert "Nothing to compare yet" in answer.text

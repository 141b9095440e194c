"""Scores by segments over HTTP: what is shown, to whom, and files about sessions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of

SESSIONS = 100
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1}{' 5000' if n % 2 else ''},{'Public' if n < SESSIONS else 'Private'}\n"
    for n in range(2 * SESSIONS)
)
FILE = "user,labels\n" + "".join(f"{n},{n + 1}\n" for n in range(2 * SESSIONS))
SHOPS = "session,length,shop\n" + "".join(
    f"{n},{n % 100},{'de' if n % 4 else 'at'}\n" for n in range(2 * SESSIONS)
)


@pytest.fixture(scope="module")
def competition(judging: Installation) -> Competition:
    return Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5")


def groups(document: Any, name: str) -> dict[str, Any]:
    return {group["group"]: group for group in document["splits"]["public"][name]}


def test_an_organizer_sees_a_score_by_labels_ranks_and_popularity(
    judging: Installation, competition: Competition
) -> None:
    submission = competition.judged(competition.team(), FILE)
    answer = judging.admin.get(f"/admin/submissions/{submission['id']}/segments")
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert (document["submission_id"], document["popularity_by"]) == (submission["id"], "labels")
    by_labels = groups(document, "labels")
    assert {name: group["score"] for name, group in by_labels.items()} == {"1": 1.0, "2": 0.5}
    assert by_labels["1"]["sessions"] == 50
    assert by_labels["2"]["objectives"]["items"]["value"] == 0.5
    assert groups(document, "rank")["1"]["objectives"]["items"]["found"] == 100
    equal = {"miss_rate": 0.0, "mred": 0.0, "largest": 0.0}
    assert document["differences"]["public"]["labels"] == {"items": equal}
    popular = groups(document, "popularity")["100 to 999"]["objectives"]["items"]
    assert (popular["labels"], popular["found"]) == (50, 0)


def test_teams_see_theirs_after_the_reveal_and_no_other(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5")
    team, other = competition.team(), competition.team()
    submission = competition.judged(team, FILE)
    route = f"/submissions/{submission['id']}/segments"
    problem_of(team.get(route), 404, "not-revealed")
    competition.reveal()
    assert team.get(route).status_code == 200
    assert groups(team.get(route).json(), "labels")["1"]["score"] == 1.0
    problem_of(team.get(f"/admin{route}"), 404, "not-found")
    problem_of(other.get(route), 404, "not-found")
    problem_of(judging.anonymous.get(route), 401, "not-authenticated")
    problem_of(judging.anonymous.get(f"/admin{route}"), 401, "not-authenticated")


def test_what_is_known_about_sessions_takes_scores_apart(
    judging: Installation, competition: Competition
) -> None:
    route = f"/admin/competitions/{competition.slug}/sessions"
    problem_of(judging.admin.get(route), 404, "not-found")
    stored = judging.admin.put(route, content=SHOPS.encode())
    assert stored.status_code == 201, stored.text
    assert (stored.json()["columns"], stored.json()["sessions"]) == (["length", "shop"], 200)
    assert judging.admin.get(route).json() == stored.json()
    submission = competition.judged(competition.team(), FILE)
    segments = f"/admin/submissions/{submission['id']}/segments"
    document = judging.admin.get(segments).json()
    shops = groups(document, "shop")
    # Of four numbers the first is in Austria: 25 sessions, too few to be shown beside the others.
    assert shops.keys() == {"other"}
    assert (shops["other"]["sessions"], shops["other"]["score"]) == (100, 0.75)
    # Twenty sessions of each length are too few as well, so that two are put together.
    assert sum(group["sessions"] for group in groups(document, "length").values()) == 100
    assert judging.admin.put(route, content=b"session,shop\n1,de\n").status_code == 200
    assert judging.admin.delete(route).status_code == 204
    assert "shop" not in judging.admin.get(segments).json()["splits"]["public"]
    log = judging.admin.get("/admin/audit", params={"competition": competition.slug}).json()
    actions = [entry["action"] for entry in log["items"]]
    assert actions.count("session-file.put") == 2
    assert actions.count("session-file.remove") == 1


def test_a_bad_file_about_sessions_is_refused_with_its_lines(
    judging: Installation, competition: Competition
) -> None:
    route = f"/admin/competitions/{competition.slug}/sessions"
    answer = judging.admin.put(route, content=b"session,shop\n1,de\n9999,de\n1,de\n")
    problem = problem_of(answer, 422, "unknown-id")
    assert [error["line"] for error in problem["errors"]] == [3, 4]


def test_only_organizers_say_what_is_known_about_sessions(
    judging: Installation, competition: Competition
) -> None:
    route = f"/admin/competitions/{competition.slug}/sessions"
    other = judging.person("an organizer of another shop", organizer=True)
    for person in (competition.team(), other):
        problem_of(person.put(route, content=SHOPS.encode()), 404, "not-found")
        problem_of(person.get(route), 404, "not-found")
        problem_of(person.delete(route), 404, "not-found")
    problem_of(judging.anonymous.put(route, content=b""), 401, "not-authenticated")

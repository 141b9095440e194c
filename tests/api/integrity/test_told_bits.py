"""The leak budget through HTTP with a real worker: who sees what a team was told, the alert, and
the limit."""

from __future__ import annotations

from typing import Any

from tests.builders.competing import Competition
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Browser

ROWS = 40
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1},{'Public' if n % 2 else 'Private'}\n" for n in range(2 * ROWS)
)


def file_of(found: int) -> str:
    rows = (f"{n},{n + 1 if n < 2 * found else 9999}\n" for n in range(2 * ROWS))
    return "user,labels\n" + "".join(rows)


def opened(judging: Installation, **settings: Any) -> Competition:
    given = {"daily_limit": 100, **settings}
    return Competition.opened(judging, TRUTH, preset="ndcg@10", metric="ndcg@10", **given)


def told(competition: Competition) -> list[tuple[int, int]]:
    path = f"/admin/competitions/{competition.slug}/teams"
    answer = competition.installation.admin.get(path)
    assert answer.status_code == 200, answer.text
    return [(team["told_bits"], team["public_rows"]) for team in answer.json()["items"]]


def team_of(competition: Competition, person: Person) -> Any:
    return person.get(f"/competitions/{competition.slug}/team").json()


def signed_in(judging: Installation, token: str) -> Browser:
    browser = Browser(judging.client.app)
    browser.sign_in(token)
    return browser


def test_organizers_alone_see_what_a_team_was_told(judging: Installation) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(1))
    # log2 of 100,001 numbers.
    assert told(competition) == [(17, ROWS)]
    competition.judged(team, file_of(1))
    assert told(competition) == [(17, ROWS)]
    competition.judged(team, file_of(2))
    assert told(competition) == [(34, ROWS)]
    assert "leak" not in team_of(competition, team)
    assert team.get(f"/admin/competitions/{competition.slug}/teams").status_code == 404
    page = signed_in(judging, str(judging.admin.token)).get(f"/organize/{competition.slug}/teams")
    assert '<td class="number" data-label="Bits revealed">34</td>' in page.text
    assert "beside 40 labeled public rows" in page.text


def test_a_bit_for_each_public_row_is_an_alert_that_comes_back_when_they_double(
    judging: Installation,
) -> None:
    competition = opened(judging)
    team = competition.team()
    path = f"/admin/competitions/{competition.slug}/alerts"

    def found() -> Any:
        items = judging.admin.get(path).json()["items"]
        return [alert for alert in items if alert["code"] == "told-bits"]

    sent = [competition.judged(team, file_of(number))["id"] for number in (1, 2)]
    assert found() == []
    sent += [competition.judged(team, file_of(3))["id"]]
    (alert,) = found()
    assert alert["submission_ids"] == sent
    assert "50 bits, and the public split has 40 labeled rows" in alert["reason"]
    look = {
        "code": "told-bits",
        "team_ids": [alert["teams"][0]["id"]],
        "submissions": 3,
        "note": "A small course.",
    }
    assert judging.admin.post(f"{path}/looks", json=look).status_code == 204
    competition.judged(team, file_of(4))
    (alert,) = found()
    assert alert["looked_at"]["note"] == "A small course."
    competition.judged(team, file_of(5))
    (alert,) = found()
    assert (len(alert["submission_ids"]), alert["looked_at"]) == (5, None)


def test_a_team_at_its_limit_is_told_so_and_refused(judging: Installation) -> None:
    competition = opened(judging, leak_limit=33)
    team, slug = competition.team(), competition.slug
    browser = signed_in(judging, str(team.token))
    assert "may tell it 33 bits" in browser.get(f"/competitions/{slug}").text
    competition.judged(team, file_of(1))
    assert team_of(competition, team)["leak"] == {"limit": 33, "told": 17, "undecided": 0}
    assert "of 33" in browser.get(f"/competitions/{slug}/submit").text
    competition.judged(team, file_of(2))
    refused = team.post(f"/competitions/{slug}/submissions", content=file_of(3).encode())
    problem_of(refused, 403, "leak-limit")
    seen = team_of(competition, team)
    assert (seen["submissions_left_today"], seen["limited_by"]) == (0, "leak_limit")
    page = browser.get(f"/competitions/{slug}/submit").text
    assert "Leak limit reached: your scores have told your team 34 bits" in page
    higher = judging.admin.patch(f"/admin/competitions/{slug}", json={"leak_limit": None})
    assert higher.status_code == 200, higher.text
    competition.judged(team, file_of(3))

"""Similarity and alerts through HTTP with a real worker."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of
from tests.builders.page import Browser

SESSIONS = 2000
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1},{'Public' if n % 2 else 'Private'}\n" for n in range(SESSIONS)
)


def lists_of(seed: int) -> dict[int, str]:
    rng = random.Random(seed)
    return {n: " ".join(str(rng.randrange(9999)) for _ in range(8)) for n in range(SESSIONS)}


def text_of(lists: dict[int, str], *, order: int = 0) -> str:
    numbers = list(lists)
    random.Random(order).shuffle(numbers)
    return "user,labels\n" + "".join(f"{n},{lists[n]}\n" for n in numbers)


def opened(judging: Installation) -> Competition:
    return Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5", daily_limit=100)


def alike(competition: Competition, **query: Any) -> Any:
    path = f"/admin/competitions/{competition.slug}/similarity"
    answer = competition.installation.admin.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_copies_of_other_teams_are_found_however_they_are_dressed(judging: Installation) -> None:
    competition = opened(judging)
    ada, bob, eve, mia = (competition.team() for _ in range(4))
    lists = lists_of(1)
    original = competition.judged(ada, text_of(lists))
    again = competition.judged(ada, text_of(lists, order=1))
    copied = competition.judged(bob, text_of(lists, order=2))
    disguised = dict(lists) | dict.fromkeys(range(40), "1 2 3")
    close = competition.judged(eve, text_of(disguised, order=3))
    competition.judged(mia, text_of(lists_of(2)))
    pairs = alike(competition)["items"]
    assert [(p["first"]["submission_id"], p["second"]["submission_id"]) for p in pairs[:2]] == [
        (original["id"], copied["id"]),
        (again["id"], copied["id"]),
    ]
    assert [p["identical"] for p in pairs] == [True, True, False, False, False]
    assert {p["second"]["submission_id"] for p in pairs[2:]} == {close["id"]}
    # 40 of 2000 lists differ; the sample of 256 has a standard error of 0.9 %.
    assert pairs[2]["equal_lists"] == pytest.approx(0.98, abs=0.06)
    assert copied["identical_to"] is None
    assert again["identical_to"] is None


def test_pairs_come_in_pages(judging: Installation) -> None:
    competition = opened(judging)
    for order in range(3):
        competition.judged(competition.team(), text_of(lists_of(1), order=order))
    whole = alike(competition)["items"]
    first = alike(competition, limit=2)
    second = alike(competition, limit=2, cursor=first["next_cursor"])
    assert first["items"] + second["items"] == whole
    assert (len(whole), second["next_cursor"]) == (3, None)


def test_single_lists_that_change_raise_an_alert_within_twenty_files(
    judging: Installation,
) -> None:
    competition = opened(judging)
    prober, honest = competition.team(), competition.team()
    lists = lists_of(1)
    ids = [competition.judged(prober, text_of(lists))["id"]]
    for number in range(8):
        lists = dict(lists) | {number: f"{number + 1}"}
        ids.append(competition.judged(prober, text_of(lists))["id"])
    for seed in range(3):
        competition.judged(honest, text_of(lists_of(seed + 5)))
    path = f"/admin/competitions/{competition.slug}/alerts"
    (alert,) = [a for a in judging.admin.get(path).json()["items"] if a["code"] == "few-lists"]
    assert [team["id"] for team in alert["teams"]] == [
        prober.get(f"/competitions/{competition.slug}/team").json()["id"]
    ]
    assert alert["submission_ids"] == ids[1:]


def test_teams_that_keep_sending_the_same_are_named_together(judging: Installation) -> None:
    competition = opened(judging)
    teams = [competition.team(), competition.team()]
    for seed in range(3):
        for team in teams:
            competition.judged(team, text_of(lists_of(seed)))
    (alert,) = judging.admin.get(f"/admin/competitions/{competition.slug}/alerts").json()["items"]
    assert (alert["code"], len(alert["teams"]), len(alert["submission_ids"])) == (
        "alike-teams",
        2,
        6,
    )


def test_an_alert_is_set_aside_with_a_note_until_more_files_belong_to_it(
    judging: Installation,
) -> None:
    competition = opened(judging)
    teams = [competition.team(), competition.team()]
    for seed in range(3):
        for team in teams:
            competition.judged(team, text_of(lists_of(seed)))
    base, path = f"/organize/{competition.slug}", f"/admin/competitions/{competition.slug}/alerts"
    (alert,) = judging.admin.get(path).json()["items"]
    assert alert["looked_at"] is None
    browser = Browser(judging.client.app)
    browser.sign_in(str(judging.admin.token))
    named = {
        "code": alert["code"],
        "team": [team["id"] for team in reversed(alert["teams"])],
        "submissions": "6",
    }
    looked = browser.send(f"{base}/integrity/alerts", **named, note="One <b>course</b>.")
    assert looked.headers["location"] == f"{base}/integrity?done=alert-looked-at", looked.text
    (alert,) = judging.admin.get(path).json()["items"]
    assert alert["looked_at"]["note"] == "One <b>course</b>."
    assert alert["looked_at"]["by"]["name"] == "administrator"
    page = browser.get(f"{base}/integrity").text
    assert "No open alerts" in page
    assert "1 alert reviewed" in page
    assert "One &lt;b&gt;course&lt;/b&gt;." in page
    assert "needs review" not in browser.get(base).text
    entries = judging.admin.get("/admin/audit", params={"competition": competition.slug}).json()
    (entry,) = [each for each in entries["items"] if each["action"] == "alert.look"]
    assert (entry["facts"]["note"], entry["facts"]["submissions"]) == ("One <b>course</b>.", 6)
    # More files bring it back, and so does an organizer.
    competition.judged(teams[0], text_of(lists_of(0), order=5))
    (alert,) = judging.admin.get(path).json()["items"]
    assert (len(alert["submission_ids"]), alert["looked_at"]) == (7, None)
    assert "needs review" in browser.get(base).text
    browser.send(f"{base}/integrity/alerts", **named | {"submissions": "7"}, note="Still.")
    assert judging.admin.get(path).json()["items"][0]["looked_at"]["note"] == "Still."
    browser.send(f"{base}/integrity/alerts", **named, act="reopen")
    assert judging.admin.get(path).json()["items"][0]["looked_at"] is None


def test_looks_are_kept_in_the_log_of_either_database(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    ada = installation_on_both.person("ada")
    team = ada.post("/competitions/otto/teams", json={"name": "Engines"}).json()["id"]
    path = "/admin/competitions/otto/alerts"
    body = {"code": "few-lists", "team_ids": [team], "submissions": 7, "note": "Fine."}
    for reopen in (False, True):
        sent = installation_on_both.admin.post(f"{path}/looks", json=body | {"reopen": reopen})
        assert sent.status_code == 204, sent.text
        assert installation_on_both.admin.get(path).json()["items"] == []
    log = installation_on_both.admin.get("/admin/audit?competition=otto&action=alert.").json()
    assert [each["action"] for each in log["items"]] == ["alert.reopen", "alert.look"]
    facts = {"code": "few-lists", "teams": [team], "submissions": 7, "note": "Fine."}
    assert all(each["facts"] == facts for each in log["items"])


def test_only_an_alert_that_there_can_be_is_set_aside(judging: Installation) -> None:
    competition, other = opened(judging), opened(judging)
    foreign = other.team().get(f"/competitions/{other.slug}/team").json()["id"]
    path = f"/admin/competitions/{competition.slug}/alerts/looks"
    body = {"code": "few-lists", "team_ids": [foreign], "submissions": 1}
    problem_of(judging.admin.post(path, json=body), 422, "unknown-team")
    problem_of(judging.admin.post(path, json=body | {"code": "boredom"}), 422, "invalid")
    problem_of(judging.admin.post(path, json=body | {"team_ids": []}), 422, "invalid")


def test_one_copy_is_named_and_a_file_that_many_were_given_is_not(judging: Installation) -> None:
    competition = opened(judging)
    teams = [competition.team() for _ in range(4)]
    for order, team in enumerate(teams[:3]):
        competition.judged(team, text_of(lists_of(1), order=order))
    path = f"/admin/competitions/{competition.slug}/alerts"
    assert judging.admin.get(path).json()["items"] == []
    files = [competition.judged(team, text_of(lists_of(2)))["id"] for team in teams[2:]]
    (alert,) = judging.admin.get(path).json()["items"]
    assert alert["submission_ids"] == files
    assert alert["reason"] == "Both teams sent a file with the same lists, and no third team did."
    # Who previews the final ranking is told, too, and that both scores are the same.
    browser = Browser(judging.client.app)
    browser.sign_in(str(judging.admin.token))
    preview = browser.get(f"/organize/{competition.slug}/finale").text
    assert "1 team or pair of teams needs review" in preview
    assert ">equal</span>" in preview
    body = {"reason": "the same file"}
    copier = judging.admin.post(f"/admin/teams/{alert['teams'][1]['id']}/disqualify", json=body)
    assert copier.status_code == 200
    assert judging.admin.get(path).json()["items"] == []


@pytest.mark.parametrize("what", ["similarity", "alerts"])
def test_both_reports_are_for_organizers_only(judging: Installation, what: str) -> None:
    competition = opened(judging)
    path = f"/admin/competitions/{competition.slug}/{what}"
    problem_of(competition.team().get(path), 404, "not-found")
    problem_of(judging.person(f"other {what}", organizer=True).get(path), 404, "not-found")
    assert judging.anonymous.get(path).status_code == 401

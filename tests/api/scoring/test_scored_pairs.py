"""A competition of scored pairs from its creation to the reveal: several targets, contexts, and
errors beside other metrics."""

from __future__ import annotations

import pytest

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation, problem_of

TRUTH = (
    "user,item,view,like,reply,Usage\n"
    "1,10,100,1,0,Public\n1,10,101,0,1,Public\n2,11,102,0,0,Public\n2,12,103,1,1,Public\n"
    "3,10,104,1,0,Private\n3,11,105,0,1,Private\n4,11,106,0,0,Private\n4,12,107,1,1,Private\n"
)
PAIRS = [",".join(row.split(",")[:3]) for row in TRUTH.splitlines()[1:]]

SETTINGS = {
    "task": "scores",
    "id_column": "user",
    "item_column": "item",
    "context_column": "view",
    "objectives": {"like": {"weight": 1}, "reply": {"weight": 0.5, "metric": "log_loss"}},
    "metric": "auc",
    "diagnostics": ["brier", "gauc"],
    "split": "usage",
    "objective_scores": "always",
}


def file_of(likes: list[float], replies: list[float]) -> str:
    rows = zip(PAIRS, likes, replies, strict=True)
    return "\n".join(["user,item,view,like,reply", *(f"{p},{a},{b}" for p, a, b in rows), ""])


GOOD = file_of([0.9, 0.1, 0.5, 0.5, 0.6, 0.2, 0.1, 0.8], [0.5] * 8)
"""Public AUC of likes: of four comparisons two are won and one is a tie with the other kind: 1 and
0.5 of 0.9 against 0.1 and 0.5, and of 0.5 against both: (1 + 1 + 1 + 0.5) / 4 = 0.875."""


def test_objectives_of_both_directions_make_one_score(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    ada, bob = competition.team(), competition.team()
    seen = competition.judged(ada, GOOD)
    assert seen["objectives"]["like"]["public"] == 0.875
    assert seen["objectives"]["reply"]["public"] == 0.69315
    # 1 · 0.875 − 0.5 · ln 2: an error counts against the score.
    assert seen["public_score"] == 0.52843
    sample = bob.get(f"/competitions/{competition.slug}/sample-submission").text
    assert sample == file_of([0.5] * 8, [0.5] * 8)
    # 0.5 − 0.5 · ln 2
    assert competition.judged(bob, sample)["public_score"] == 0.15343
    assert competition.board("public") == [(1, 0.52843), (2, 0.15343)]
    competition.reveal()
    # All four comparisons of the private likes are won.
    assert competition.board("private") == [(1, 0.65343), (2, 0.15343)]


def test_the_checklist_tries_random_and_reordered_answers(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    checks = {each["code"]: each for each in competition.launched["checklist"]}
    musts = ("perfect-file", "empty-file", "reordered-file", "sample-file")
    assert {checks[code]["status"] for code in musts} == {"passed"}
    assert "the same number everywhere, scores 0.1534" in checks["empty-file"]["detail"]
    assert "random-guesses" in checks
    # The second and the fourth of the public pairs are placed as badly as the first is well.
    assert "order-of-pairs" in checks


def test_a_number_that_is_no_probability_is_refused_by_line(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    ada = competition.team()
    bad = GOOD.replace("1,10,101,0.1,0.5", "1,10,101,1.2,0.5")
    problem = verdict(ada, competition.slug, bad.encode())["problem"]
    assert (problem["code"], problem["line"]) == ("bad-label", 3)
    assert problem["errors"][0]["column"] == "like"
    twice = GOOD + "1,10,100,0.5,0.5\n"
    problem = verdict(ada, competition.slug, twice.encode())["problem"]
    assert (problem["code"], problem["line"]) == ("duplicate-id", 10)
    assert "(1, 10, 100)" in problem["detail"]


def test_a_split_without_both_classes_is_refused_at_the_upload(judging: Installation) -> None:
    body = {"slug": "one-class", "title": "One class", **SETTINGS}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    truth = TRUTH.replace(",0,0,Private", ",1,0,Private").replace("3,11,105,0", "3,11,105,1")
    refused = judging.admin.post(
        "/admin/competitions/one-class/ground-truth", content=truth.encode()
    )
    problem = problem_of(refused, 422, "zero-denominator")
    assert "like: the split private" in problem["errors"][0]["detail"]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"metric": "ndcg@10"}, "metric"),
        ({"task": "rerank"}, "objectives"),
        ({"unit": "context", "context_column": ""}, "unit"),
        ({"missing_rows": "zero"}, "missing_rows"),
        ({"objectives": {"like": 1, "user": 1}, "metric": "auc"}, "objectives"),
        ({"group_column": "Usage"}, "group_column"),
        ({"objectives": {"user": 1, "like": 1}}, "objectives"),
        ({"objectives": {"view": 1, "like": 1}}, "objectives"),
        ({"task": "ranking", "metric": "ndcg@10", "diagnostics": []}, "context_column"),
    ],
)
def test_settings_that_do_not_fit_the_task_are_named(
    judging: Installation, changed: dict[str, object], place: str
) -> None:
    body = {"slug": "unfit", "title": "Unfit", **SETTINGS, **changed}
    refused = judging.admin.post("/admin/competitions", json=body)
    assert refused.status_code == 422
    named = {error["column"].removeprefix("body.") for error in refused.json()["errors"]}
    assert place in named, refused.text


def text_of(judging: Installation, path: str) -> str:
    """A page as the administrator sees it."""
    headers = {"Authorization": f"Bearer {judging.admin.token}"}
    answer = judging.admin.client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_pages_of_the_ground_truth_show_only_what_pairs_have(
    judging: Installation,
) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    text = text_of(judging, f"/organize/{competition.slug}/ground-truth")
    assert "4 of 8 pairs (50 %) are public" in text
    words = ("Lists with labels", "Items that can be found", "File about pairs")
    assert [one for one in words if one in text] == []
    version = text_of(judging, f"/organize/{competition.slug}/ground-truth/1")
    assert "Lists with labels" not in version


def test_a_draft_of_pairs_takes_no_raw_sessions(judging: Installation) -> None:
    body = {"slug": "no-sessions", "title": "No sessions", **SETTINGS}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    refused = judging.admin.post("/admin/competitions/no-sessions/raw-sessions", content=b"{}")
    detail = problem_of(refused, 422, "bad-preparation")["detail"]
    assert detail.endswith("The setting task is scores; change it to ranking.")
    text = text_of(judging, "/organize/no-sessions/ground-truth")
    assert "raw sessions" not in text
    assert "interactions" not in text


def test_a_score_below_the_base_rate_is_shown_as_negative(judging: Installation) -> None:
    truth = "user,item,click,Usage\n1,1,1,Public\n2,1,0,Public\n3,1,1,Private\n4,1,0,Private\n"
    settings = {"task": "scores", "id_column": "user", "objectives": {"click": 1}}
    settings |= {"labels_column": "click", "metric": "rce"}
    competition = Competition.opened(judging, truth, **settings)
    ada = competition.team()
    worse = "user,item,click\n1,1,0.25\n2,1,0.75\n3,1,0.5\n4,1,0.5\n"
    # Base 0.5: CE = ln 2; the file's is ln 4 = 2 · ln 2: 100 · (1 − 2).
    assert competition.judged(ada, worse)["public_score"] == -100.0
    assert competition.board("public") == [(1, -100.0)]
    charts = judging.anonymous.get(f"/competitions/{competition.slug}/charts").json()
    assert (charts["is_error"], charts["best"][0]["points"][0]["score"]) == (False, -100.0)


def test_documents_name_contexts_only_where_there_are_some(judging: Installation) -> None:
    with_context = Competition.opened(judging, TRUTH, **SETTINGS)
    shown = judging.anonymous.get(f"/competitions/{with_context.slug}").json()
    assert shown["context_column"] == "view"
    plain = Competition.opened(
        judging, "user,item,rating,Usage\n1,2,3,Public\n2,2,1,Private\n", preset="rmse"
    )
    other = judging.anonymous.get(f"/competitions/{plain.slug}").json()
    assert {"context_column", "context_ids", "unit", "group_column"} & set(other) == set()


def test_a_diagnostic_without_a_value_stops_the_launch(judging: Installation) -> None:
    truth = "user,item,click,Usage\n1,1,1,Public\n2,1,0,Public\n3,1,1,Private\n4,1,1,Private\n"
    body: dict[str, object] = {"slug": "undefined", "title": "Undefined", "id_column": "user"}
    body |= {
        "task": "scores",
        "objectives": {"click": 1},
        "labels_column": "click",
        "metric": "log_loss",
    }
    route = "/admin/competitions/undefined"
    made = judging.admin.post("/admin/competitions", json={**body, "split": "usage"})
    assert made.status_code == 201, made.text
    assert judging.admin.post(f"{route}/ground-truth", content=truth.encode()).status_code == 201
    # Diagnostics are not part of what a ground truth was read by.
    assert judging.admin.patch(route, json={"diagnostics": ["auc"]}).status_code == 200
    refused = problem_of(judging.admin.post(f"{route}/launch"), 409, "launch-checklist")
    assert [each["code"] for each in refused["errors"]] == ["defined-metrics"]
    assert "click: the split private has no pair that is 0" in refused["errors"][0]["detail"]
    assert judging.admin.patch(route, json={"diagnostics": ["brier"]}).status_code == 200
    assert judging.admin.post(f"{route}/launch").status_code == 200


def test_a_relative_score_below_zero_keeps_its_sign_in_the_checklist(judging: Installation) -> None:
    rows = [f"{user},1,{user % 2}" for user in range(40)]
    both = "".join(f"{row},{'Private' if at < 20 else 'Public'}\n" for at, row in enumerate(rows))
    settings = {"task": "scores", "id_column": "user", "objectives": {"click": 1}, "metric": "rce"}
    competition = Competition.opened(
        judging, "user,item,click,Usage\n" + both, labels_column="click", **settings
    )
    checks = {each["code"]: each["detail"] for each in competition.launched["checklist"]}
    # Random probabilities say less than the base rate.
    assert "Random numbers score -" in checks["random-guesses"]
    assert "the true answers 100.0000." in checks["random-guesses"]


def test_an_order_that_tells_the_answers_of_each_user_is_warned_of(judging: Installation) -> None:
    # What a user clicked comes first; over all pairs the order tells little.
    truth = "user,item,click,Usage\n" + "".join(
        f"{user},{item},{int(item < 3)},{'Public' if user % 2 else 'Private'}\n"
        for user in range(40)
        for item in range(6)
    )
    settings = {"task": "scores", "id_column": "user", "objectives": {"click": 1}}
    competition = Competition.opened(
        judging, truth, labels_column="click", metric="auc", **settings
    )
    checks = {each["code"]: each for each in competition.launched["checklist"]}
    assert checks["order-of-pairs"]["status"] == "warning"
    assert (
        "tells the answers: it ranks them with an AUC of 1.000"
        in (checks["order-of-pairs"]["detail"])
    )


def test_no_rejudging_begins_by_a_metric_without_a_value(judging: Installation) -> None:
    # All pairs of the private split are positive.
    truth = "user,item,click,Usage\n1,1,1,Public\n2,1,0,Public\n3,1,1,Private\n4,1,1,Private\n"
    settings = {"task": "scores", "id_column": "user", "objectives": {"click": 1}}
    competition = Competition.opened(
        judging, truth, labels_column="click", metric="log_loss", **settings
    )
    competition.judged(competition.team(), "user,item,click\n1,1,1\n2,1,0\n3,1,1\n4,1,1\n")
    route = f"/admin/competitions/{competition.slug}/rejudgings"
    for given in ({"metric": "auc"}, {"diagnostics": ["brier", "gauc"]}, {"metric": "rce"}):
        answer = judging.admin.post(route, json={"reason": "another view", "settings": given})
        assert "has no value for click" in problem_of(answer, 422, "invalid")["detail"]
    allowed = {"reason": "another view", "settings": {"diagnostics": ["brier"]}}
    assert judging.admin.post(route, json=allowed).status_code == 202

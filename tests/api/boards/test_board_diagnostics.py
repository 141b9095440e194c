"""Diagnostics as columns of the boards: what they show, when, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of
from tests.builders.page import compact
from tests.builders.season import until
from tests.builders.site import Site

TRUTH = (
    "id,labels,Usage\n"
    "1_views,3,Public\n1_buys,2 3,Public\n2_views,4,Public\n2_buys,,Public\n"
    "3_views,5,Private\n3_buys,6,Private\n"
)
FIRST = "id,labels\n1_views,9 3\n1_buys,2 9 3\n2_views,4\n2_buys,1\n3_views,9\n3_buys,6\n"
SECOND = "id,labels\n1_views,3\n1_buys,2 3\n2_views,4\n2_buys,1\n3_views,5\n3_buys,9\n"
SETTINGS: dict[str, Any] = {
    "objectives": {"views": {"weight": 1, "metric": "mrr@5"}, "buys": 3},
    "metric": "precision@2",
    "diagnostics": ["recall@2:micro", "hit_rate@1", "mrr@3"],
    "board_diagnostics": ["mrr@3", "hit_rate@1"],
    "objective_scores": "organizers",
    "id_column": "id",
}
"""By hand, the first file: public score (1/2 + 1) / 2 + 3 · 1/2 = 2.25; a hit in the first place
1/2 + 3 · 1 = 3.5; reciprocal ranks 3/4 + 3 · 1 = 3.75. Private: 3 · 1/2 = 1.5, and 3, 3.
The second file: public 1 + 3 · 1 = 4, and 4, 4; private 1, and 1, 1."""

Columns = Mapping[str, Mapping[str, float]]

PUBLIC: Columns = {
    "first": {"mrr@3": 3.75, "hit_rate@1": 3.5},
    "second": {"mrr@3": 4, "hit_rate@1": 4},
}
PRIVATE: Columns = {"first": {"mrr@3": 3, "hit_rate@1": 3}, "second": {"mrr@3": 1, "hit_rate@1": 1}}


class Pair:
    """A competition with two teams, each of which has sent a file."""

    def __init__(self, installation: Installation, **settings: Any) -> None:
        self.competition = Competition.opened(installation, TRUTH, **(SETTINGS | settings))
        self.installation = installation
        self.people = {"first": self.competition.team(), "second": self.competition.team()}
        files = {"first": FIRST, "second": SECOND}
        self.sent = {
            name: self.competition.judged(person, files[name])
            for name, person in self.people.items()
        }

    @property
    def route(self) -> str:
        """The path of its board."""
        return f"/competitions/{self.competition.slug}/leaderboard"

    def change(self, **settings: Any) -> Any:
        """The answer to a change of settings."""
        way = f"/admin/competitions/{self.competition.slug}"
        return self.installation.admin.patch(way, json=settings)

    def board(self, split: str = "public", **query: str) -> Any:
        """The document of a board."""
        answer = self.installation.anonymous.get(self.route, params={"split": split, **query})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def columns(self, split: str = "public", **query: str) -> Columns:
        """The columns of each file on a board."""
        names = {one["id"]: name for name, one in self.sent.items()}
        rows = self.board(split, **query)["rows"]
        return {names[row["submission_id"]]: row.get("diagnostics") for row in rows}


def test_each_board_shows_the_diagnostics_of_its_own_split(judging: Installation) -> None:
    pair = Pair(judging)
    assert pair.columns() == PUBLIC
    assert [one["full_id"] for one in pair.board()["diagnostics"]] == ["mrr@3", "hit_rate@1"]
    problem_of(judging.anonymous.get(pair.route, params={"split": "private"}), 404, "not-revealed")
    pair.competition.reveal()
    assert pair.columns("private") == PRIVATE
    assert pair.columns("public") == PUBLIC
    assert pair.competition.board("private") == [(1, 1.5), (2, 1.0)]


def test_they_have_the_order_and_the_decimals_of_the_settings(judging: Installation) -> None:
    pair = Pair(judging, decimals=1)
    text = judging.anonymous.get(f"{pair.route}.csv").text
    header, *lines = text.split("\r\n")
    assert header.endswith(",tags,mrr@3,hit_rate@1")
    assert [line.rsplit(",", 3)[1:] for line in lines if line] == [
        ["", "4.0", "4.0"],
        # 3.75 is rounded half to even, as scores are.
        ["", "3.8", "3.5"],
    ]
    assert list(pair.columns()["first"].items()) == [
        ("mrr@3", 3.8),
        ("hit_rate@1", 3.5),
    ]


def test_a_board_without_the_setting_has_no_such_member(judging: Installation) -> None:
    pair = Pair(judging, board_diagnostics=[])
    document = pair.board()
    assert "diagnostics" not in document
    assert all("diagnostics" not in row for row in document["rows"])
    assert judging.anonymous.get(f"{pair.route}.csv").text.split("\r\n")[0].endswith(",tags")


def test_a_team_sees_them_of_every_file_whose_score_it_sees(judging: Installation) -> None:
    pair = Pair(judging)
    assert pair.sent["first"]["objectives"] is None
    assert pair.sent["first"]["diagnostics"] == {
        name: {"public": PUBLIC["first"][name], "private": None} for name in ("hit_rate@1", "mrr@3")
    }
    way = f"/admin/competitions/{pair.competition.slug}"
    assert judging.admin.post(f"{way}/freeze").status_code == 200
    late = pair.competition.judged(pair.people["first"], SECOND)
    assert (late["public_score"], late["diagnostics"]) == (None, None)
    assert pair.columns() == PUBLIC
    pair.competition.reveal()
    seen = pair.people["first"].get(f"/submissions/{pair.sent['first']['id']}").json()
    assert seen["diagnostics"]["mrr@3"] == {"public": 3.75, "private": 3.0}
    assert "recall@2:micro" not in seen["diagnostics"]


def test_a_change_of_the_columns_makes_a_new_version_of_the_board(judging: Installation) -> None:
    pair = Pair(judging, board_diagnostics=[])
    before = judging.anonymous.get(pair.route)
    assert pair.change(board_diagnostics=["hit_rate@1"]).status_code == 200
    tag = {"If-None-Match": before.headers["etag"]}
    after = judging.anonymous.get(pair.route, headers=tag)
    assert after.status_code == 200
    assert after.headers["etag"] != before.headers["etag"]
    assert [row["diagnostics"] for row in after.json()["rows"]] == [
        {"hit_rate@1": 4.0},
        {"hit_rate@1": 3.5},
    ]


def test_a_board_of_the_past_has_them_too(judging: Installation) -> None:
    pair = Pair(judging)
    moment = pair.sent["second"]["judged_at"]
    assert pair.columns(as_of=moment) == PUBLIC


def test_what_they_tell_is_counted(judging: Installation) -> None:
    pair = Pair(judging, board_diagnostics=[])

    def told() -> dict[str, int]:
        way = f"/admin/competitions/{pair.competition.slug}/teams"
        return {one["id"]: one["told_bits"] for one in judging.admin.get(way).json()["items"]}

    before = told()
    assert pair.change(board_diagnostics=["hit_rate@1"]).status_code == 200
    # A number between 0 and 4 with five decimals.
    assert {after - before[team] for team, after in told().items()} <= {18, 19}


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (["ndcg@3"], "“ndcg@3” is not one of the diagnostics"),
        (["mrr@3", "mrr@3"], "the same diagnostic twice"),
        (["mrr@3"] * 9, "at most 8"),
    ],
)
def test_only_diagnostics_of_the_competition_are_columns(
    judging: Installation, wanted: list[str], words: str
) -> None:
    body = {"slug": "columns", "title": "Columns", **SETTINGS, "board_diagnostics": wanted}
    refused = judging.admin.post("/admin/competitions", json=body)
    problem = problem_of(refused, 422, "invalid")
    [found] = problem["errors"]
    assert found["column"] == "body.board_diagnostics"
    assert words.lower() in found["detail"].lower()


def test_the_page_shows_them_beside_the_score(judging: Installation) -> None:
    pair = Pair(judging)
    browser = Site(judging).browser(None)
    page = compact(browser.get(f"/competitions/{pair.competition.slug}/leaderboard").text)
    assert '<abbr title="mrr@3; teams are not ranked by it">MRR@3</abbr>' in page
    for number in ("3.75000", "3.50000"):
        assert f'<td class="number beside">{number}</td>' in page
    pair.competition.reveal()
    page = compact(browser.get(f"/competitions/{pair.competition.slug}/leaderboard").text)
    assert '<td class="number beside">3.00000</td>' in page
    assert "3.75000" not in page


def test_a_diagnostic_that_a_rejudging_drops_takes_its_column_with_it(
    judging: Installation,
) -> None:
    pair = Pair(judging)
    kept = ["hit_rate@1", "recall@2:micro"]
    begun = judging.admin.post(
        f"/admin/competitions/{pair.competition.slug}/rejudgings",
        json={"reason": "fewer numbers", "settings": {"diagnostics": kept}},
    )
    assert begun.json()["settings"] == {"diagnostics": kept}
    # Until it is applied all are there, and any of them may become a column.
    assert pair.change(board_diagnostics=["mrr@3", "hit_rate@1"]).status_code == 200
    way = f"/admin/rejudgings/{begun.json()['id']}"
    until(lambda: judging.admin.get(way).json()["status"] == "ready")
    assert pair.columns() == PUBLIC
    applied = judging.admin.post(f"{way}/apply")
    assert applied.status_code == 200, applied.text
    assert pair.columns() == {
        name: {"hit_rate@1": row["hit_rate@1"]} for name, row in PUBLIC.items()
    }

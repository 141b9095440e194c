"""After the reveal: intervals on both boards, and who is tied with the first one."""

from __future__ import annotations

import time
from typing import Any

from tests.builders.competing import Competition
from tests.builders.installation import Installation

SESSIONS = 500
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1},{'Public' if n < SESSIONS else 'Private'}\n" for n in range(2 * SESSIONS)
)


def file_of(found: set[int]) -> str:
    """The label of every session whose number ends with one of these two digits."""
    rows = (f"{n},{n + 1 if n % 100 in found else 9999}\n" for n in range(2 * SESSIONS))
    return "user,labels\n" + "".join(rows)


def rows_of(competition: Competition, split: str) -> dict[str, Any]:
    answer = competition.installation.anonymous.get(
        f"/competitions/{competition.slug}/leaderboard", params={"split": split}
    )
    return {row["submission_id"]: row for row in answer.json()["rows"]}


def settled(competition: Competition, split: str) -> dict[str, Any]:
    """The rows once every ranked one says whether it is tied."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        rows = rows_of(competition, split)
        if all(row["tied_with_first"] is not None for row in rows.values()):
            return rows
        time.sleep(0.2)
    raise TimeoutError("nobody says who is tied")


def test_final_boards_tell_intervals_and_ties(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5")
    half = set(range(50))
    files = {
        "first": file_of(half),
        # Other sessions, one less: a difference of 1 % that is not even one standard error.
        "close": file_of(set(range(30, 79))),
        # The same sessions but for five: small, and in every session the same way.
        "paired": file_of(half - {1, 2, 3, 4, 5}),
        "far": file_of({1}),
    }
    ids = {name: competition.judged(competition.team(), file)["id"] for name, file in files.items()}
    before = rows_of(competition, "public")
    assert {row["standard_error"] for row in before.values()} == {None}
    assert {row["interval"] for row in before.values()} == {None}
    assert {row["tied_with_first"] for row in before.values()} == {None}
    competition.reveal()
    revealed = rows_of(competition, "private")[ids["first"]]
    # Half of 500 sessions: √(1/4 / 499) = 0.02238.
    assert revealed["standard_error"] == 0.022383
    assert revealed["interval"] == [0.45613, 0.54387]
    for split in ("private", "public"):
        rows = settled(competition, split)
        tied = {name: rows[one]["tied_with_first"] for name, one in ids.items()}
        assert tied == {"first": True, "close": True, "paired": False, "far": False}
        # Their intervals overlap all the same: a paired test sees more.
        assert rows[ids["paired"]]["interval"][1] > rows[ids["first"]]["interval"][0]


def test_ratings_have_intervals_and_ties_too(judging: Installation) -> None:
    pairs = [(user, item) for user in range(200) for item in (1, 2)]
    truth = "user,item,rating,Usage\n" + "".join(
        f"{u},{i},{3 + u % 2},{'Public' if u < 100 else 'Private'}\n" for u, i in pairs
    )

    def predicted(shift: float) -> str:
        rows = (f"{u},{i},{3 + u % 2 + shift * (1 + u % 3)}\n" for u, i in pairs)
        return "user,item,rating\n" + "".join(rows)

    competition = Competition.opened(judging, truth, preset="rmse")
    good, bad = (competition.judged(competition.team(), predicted(s))["id"] for s in (0.1, 0.5))
    competition.reveal()
    rows = settled(competition, "private")
    assert [rows[one]["tied_with_first"] for one in (good, bad)] == [True, False]
    low, high = rows[good]["interval"]
    assert low < rows[good]["score"] < high

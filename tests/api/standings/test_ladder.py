"""A ladder through HTTP with a real worker: which scores a team is told, and what else stays
silent about the others."""

from __future__ import annotations

from typing import Any

from tests.builders.competing import Competition
from tests.builders.installation import Installation, Person

SESSIONS = 500
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1},{'Public' if n < SESSIONS else 'Private'}\n" for n in range(2 * SESSIONS)
)


def file_of(found: set[int]) -> str:
    """The label of these sessions, and of the same ones of the private half."""
    rows = (f"{n},{n + 1 if n % SESSIONS in found else 9999}\n" for n in range(2 * SESSIONS))
    return "user,labels\n" + "".join(rows)


HALF = set(range(250))
NOISE = (HALF - {0, 1}) | {300, 301, 302}
"""One session better of 500, in five sessions that differ: SE(Δ) = √5 / 500, twice as much."""
BETTER = HALF | set(range(300, 330))
"""6 % better in thirty sessions, all in the same direction: SE(Δ) is 1.1 %."""

HELD_BACK = (None, False, "No significant improvement on the best shown score of your team.")

FROZEN = "The board is frozen: scores of files sent since then are shown after the reveal."


def opened(judging: Installation, **settings: Any) -> Competition:
    given = {"board": "ladder", "daily_limit": 100} | settings
    return Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5", **given)


def told(seen: Any) -> tuple[Any, ...]:
    return seen["public_score"], seen["shown"], seen["notice"]


def board_row(competition: Competition, split: str = "public") -> Any:
    answer = competition.installation.anonymous.get(
        f"/competitions/{competition.slug}/leaderboard", params={"split": split}
    )
    (row,) = answer.json()["rows"]
    return row


def test_a_ladder_shows_significant_improvements_only(judging: Installation) -> None:
    competition = opened(judging, objective_scores="always")
    team = competition.team()
    first = competition.judged(team, file_of(HALF))
    assert told(first) == (0.5, True, None)
    noise = competition.judged(team, file_of(NOISE))
    assert told(noise) == HELD_BACK
    assert noise["objectives"] is None
    assert noise["diagnostics"] is None
    worse = competition.judged(team, file_of(HALF - set(range(50))))
    assert told(worse) == HELD_BACK
    row = board_row(competition)
    assert (row["score"], row["submission_id"], row["submissions"]) == (0.5, first["id"], 3)
    better = competition.judged(team, file_of(BETTER))
    assert told(better) == (0.56, True, None)
    row = board_row(competition)
    assert (row["score"], row["submission_id"]) == (0.56, better["id"])


def test_better_and_worse_files_that_are_held_back_read_the_same(judging: Installation) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    answers = [competition.judged(team, file_of(found)) for found in (NOISE, HALF - {0, 1, 2})]
    # What lists hold is told by the files alone, whose senders know it anyway.
    own = {"id", "sha256", "submitted_at", "judged_at", "bytes", "lists"}
    first, second = ({k: v for k, v in one.items() if k not in own} for one in answers)
    assert first == second


def test_every_team_climbs_on_its_own(judging: Installation) -> None:
    competition = opened(judging)
    competition.judged(competition.team(), file_of(BETTER))
    assert told(competition.judged(competition.team(), file_of(HALF))) == (0.5, True, None)


def test_organizers_see_what_is_held_back(judging: Installation) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    held = competition.judged(team, file_of(NOISE))
    seen = judging.admin.get(f"/submissions/{held['id']}").json()
    assert told(seen) == (0.502, False, HELD_BACK[2])


def change_board(competition: Competition, board: str) -> None:
    answer = competition.installation.admin.patch(
        f"/admin/competitions/{competition.slug}", json={"board": board}
    )
    assert answer.status_code == 200, answer.text


def seen_by(person: Person, one: Any) -> Any:
    return told(person.get(f"/submissions/{one['id']}").json())


def test_an_exact_board_shows_everything_and_what_was_seen_stays_seen(
    judging: Installation,
) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    noise = competition.judged(team, file_of(NOISE))
    change_board(competition, "exact")
    assert seen_by(team, noise) == (0.502, None, None)
    assert board_row(competition)["score"] == 0.502
    change_board(competition, "ladder")
    assert seen_by(team, noise) == (0.502, True, None)
    assert board_row(competition)["submission_id"] == noise["id"]


def test_after_a_freeze_no_team_is_told_what_the_ladder_decides(judging: Installation) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    judging.admin.post(f"/admin/competitions/{competition.slug}/freeze")
    for found in (NOISE, BETTER):
        assert told(competition.judged(team, file_of(found))) == (None, None, FROZEN)


def test_the_final_ranking_takes_shown_scores_and_private_ones_decide(
    judging: Installation,
) -> None:
    competition = opened(judging, final_selections=2)
    team = competition.team()
    first = competition.judged(team, file_of(HALF))
    held = competition.judged(team, file_of(NOISE))
    competition.reveal()
    # The better one was held back and not chosen: it takes no free place.
    assert board_row(competition, "private")["submission_id"] == first["id"]
    assert seen_by(team, held) == (0.502, True, None)


def test_a_team_that_chooses_a_score_that_was_held_back_is_ranked_by_it(
    judging: Installation,
) -> None:
    competition = opened(judging, final_selections=1)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    held = competition.judged(team, file_of(NOISE))
    chosen = team.put(
        f"/competitions/{competition.slug}/selection", json={"submission_ids": [held["id"]]}
    )
    assert chosen.status_code == 200, chosen.text
    competition.reveal()
    row = board_row(competition, "private")
    assert (row["submission_id"], row["score"]) == (held["id"], 0.502)


def test_a_disqualified_best_makes_room_for_the_next_one(judging: Installation) -> None:
    competition = opened(judging)
    team = competition.team()
    competition.judged(team, file_of(HALF))
    better = competition.judged(team, file_of(BETTER))
    judging.admin.post(f"/admin/submissions/{better['id']}/disqualify", json={"reason": "copied"})
    assert board_row(competition)["score"] == 0.5
    assert told(competition.judged(team, file_of(BETTER))) == (0.56, True, None)

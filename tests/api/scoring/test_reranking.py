"""A competition of candidates to rerank, from its creation to the reveal."""

from __future__ import annotations

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation

TRUTH = (
    "impression,item,score,Usage\n"
    "1,10,1,Public\n1,11,0,Public\n1,12,0,Public\n2,10,1,Public\n2,13,0,Public\n"
    "3,10,1,Private\n3,12,0,Private\n4,11,1,Private\n4,14,0,Private\n"
)
SETTINGS = {
    "task": "rerank",
    "metric": "mrr",
    "diagnostics": ["ndcg@5", "gauc"],
    "id_column": "impression",
    "labels_column": "score",
    "objectives": {"score": 1},
    "split": "usage",
}


def test_orders_and_scores_stand_on_one_board(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, objective_scores="always", **SETTINGS)
    ada, bob = competition.team(), competition.team()
    # The second of three, then the first of two.
    seen = competition.judged(ada, "impression,items\n1,12 10 11\n2,10 13\n3,10 12\n4,14 11\n")
    assert seen["public_score"] == 0.75
    assert seen["diagnostics"]["gauc"]["public"] == 0.75
    # All the same: (1 + 1/2 + 1/3) / 3 and (1 + 1/2) / 2.
    sample = bob.get(f"/competitions/{competition.slug}/sample-submission").text
    assert sample.startswith("impression,item,score\n1,")
    competition.judged(bob, sample)
    constant = round((11 / 18 + 3 / 4) / 2, 5)
    assert competition.board("public") == [(1, 0.75), (2, constant)]
    shown = judging.anonymous.get(f"/competitions/{competition.slug}").json()
    assert shown["metric"]["formula"] == "1 / rank of the first relevant candidate"
    competition.reveal()
    assert competition.board("private") == [(1, 0.75), (2, 0.75)]


def test_a_candidate_that_is_missing_is_named_with_its_line(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    file = b"impression,items\n1,12 10\n2,10 13\n3,10 12\n4,14 11\n"
    seen = verdict(competition.team(), competition.slug, file)
    assert seen["problem"]["errors"] == [
        {
            "code": "missing-ids",
            "line": 2,
            "row": None,
            "id": "1",
            "column": "items",
            "detail": "1 lacks 1 of its 3 candidates: 11",
            "hint": "Send all candidates of the query, each once, and no other items.",
        }
    ]

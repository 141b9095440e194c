"""Each preset from its creation to the reveal, with scores computed by hand."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation
from tests.builders.presets.impressions import IMPRESSIONS
from tests.builders.presets.played import COMPETITIONS, Played
from tests.builders.presets.scored_pairs import SCORED_PAIRS

# One installation for all tests of this folder.
pytestmark = pytest.mark.xdist_group("metrics")


PLAYED = {
    "otto": Played(
        "session_type,labels,Usage\n"
        "1_clicks,3,Public\n1_carts,2 3,Public\n1_orders,4 5 6 7,Public\n"
        "2_clicks,3,Private\n2_carts,2 3,Private\n2_orders,4,Private\n",
        "session_type,labels\n1_clicks,3\n1_carts,9\n1_orders,4\n2_clicks,\n2_carts,2\n2_orders,4\n",
        "session_type,labels\n1_clicks,3\n1_carts,9\n1_orders,\n2_clicks,\n2_carts,2\n2_orders,\n",
        # 0.1 · 1 + 0.3 · 0/2 + 0.6 · 1/4 and 0.1 · 1; 0.3 · 1/2 + 0.6 · 1 and 0.3 · 1/2.
        (0.25, 0.1),
        (0.75, 0.15),
        {},
    ),
    "otto-clicks": Played(
        "session,labels,Usage\n1,10,Public\n2,11,Public\n3,12,Private\n4,13,Private\n",
        "session,labels\n1,10\n2,9 11\n3,9\n4,9 9 8 13\n",
        "session,labels\n1,10\n2,9\n3,\n4,8\n",
        (1.0, 0.5),
        (0.5, 0.0),
        # (1 + 1/2) / 2, and (0 + 1/4) / 2.
        {"mrr@20": {"public": 0.75, "private": 0.125}},
    ),
    "map@12": Played(
        "user,labels,Usage\n1,1 2 3,Public\n2,5,Public\n3,1,Private\n",
        "user,labels\n1,1 9 2\n2,4 5\n3,1\n",
        "user,labels\n1,1 9 8\n2,4 5\n3,2 1\n",
        # ((1 + 2/3) / 3 + 1/2) / 2, and (1/3 + 1/2) / 2.
        (0.52778, 0.41667),
        (1.0, 0.5),
        {},
    ),
    "h-and-m": Played(
        "customer_id,prediction,Usage\n"
        "00007d2d,0706016001 0706016002,Public\n0000f1c7,0448509014,Private\n",
        "customer_id,prediction\n00007d2d,0706016001 706016002\n0000f1c7,0448509014\n",
        "customer_id,prediction\n00007d2d,706016001 0706016002\n0000f1c7,448509014\n",
        # The zero counts: one hit at rank 1, 1/2; one hit at rank 2, (1/2) / 2.
        (0.5, 0.25),
        (1.0, 0.0),
        {},
    ),
    "ndcg@10": Played(
        "user,item,relevance,Usage\n1,1,1,Public\n1,2,3,Public\n2,7,1,Private\n",
        "user,labels\n1,2 1\n2,8 7\n",
        "user,labels\n1,1 2\n2,8 9 7\n",
        (1.0, round((1 + 3 / log2(3)) / (3 + 1 / log2(3)), 5)),
        (round(1 / log2(3), 5), 0.5),
        {},
    ),
    "rmse": Played(
        "user,item,rating,Usage\n1,1,3,Public\n1,2,5,Public\n2,1,1.5,Private\n",
        "user,item,rating\n1,1,3\n1,2,4\n2,1,1\n",
        "user,item,rating\n1,1,1\n1,2,5\n2,1,4.5\n",
        # √((0 + 1) / 2) and √((4 + 0) / 2).
        (0.70711, 1.41421),
        (0.5, 3.0),
        {"mae": {"public": 0.5, "private": 0.5}},
    ),
    "label-sets": Played(
        "id,labels,Usage\n1,a b,Public\n2,c,Public\n3,a,Private\n4,b c,Private\n",
        "id,labels\n1,a\n2,c\n3,a\n4,b a\n",
        "id,labels\n1,\n2,c\n3,b\n4,c b\n",
        # Of each row 2 · hits / (labels + answers): (2/3 + 1) / 2 and (1 + 1/2) / 2.
        (0.83333, 0.5),
        (0.75, 0.5),
        {
            # 2 · 2 / (3 + 2) and 2 · 2 / (3 + 3); of labels 1, 0, 1 and 2/3, 1, 0.
            "f1_micro": {"public": 0.8, "private": 0.66667},
            "f1_macro": {"public": 0.66667, "private": 0.55556},
            "subset_accuracy": {"public": 0.5, "private": 0.5},
        },
    ),
    **COMPETITIONS,
    **SCORED_PAIRS,
    **IMPRESSIONS,
}


@pytest.mark.parametrize("preset", PLAYED)
def test_a_preset_needs_nothing_but_its_name(judging: Installation, preset: str) -> None:
    played = PLAYED[preset]
    competition = Competition.opened(judging, played.truth, preset=preset)
    two, one = competition.team(), competition.team()
    worse = competition.judged(two, played.worse)
    better = competition.judged(one, played.better)
    assert (better["public_score"], worse["public_score"]) == played.public
    assert (better["private_score"], better["diagnostics"], better["objectives"]) == (None,) * 3
    assert competition.board("public") == [(1, played.public[0]), (2, played.public[1])]

    competition.reveal()
    assert competition.board("private") == [(1, played.private[0]), (2, played.private[1])]
    after = one.get(f"/submissions/{better['id']}").json()
    assert after["private_score"] == played.private[0]
    assert after["diagnostics"] == played.diagnostics
    assert len(after["objectives"]) == len(competition.launched["objectives"])


def test_every_preset_is_played_here(judging: Installation) -> None:
    listed: Any = judging.anonymous.get("/presets").json()["items"]
    # Those that bring a custom metric are played in real children.
    assert {preset["name"] for preset in listed if "own_metric" not in preset["settings"]} == set(
        PLAYED
    )

"""Each preset that is named after a contest or a data set takes the ground truth as that has it,
and scores submissions as slow loops over its definition do."""

from __future__ import annotations

import random

import pytest

from podium.core.competition_settings.presets import PRESETS
from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation
from tests.builders.presets.contests import CONTESTS
from tests.builders.season import until

pytestmark = pytest.mark.xdist_group("truths of contests")

IDS = range(1, 61)

TRUTHS = {
    "otto": ("session,type,aid", "{0},clicks,7\n{0},carts,8\n{0},orders,9"),
    "otto-clicks": ("session,labels", "{0},7"),
    "h-and-m": ("customer_id,article_id", "c{0},0706016001\nc{0},0706016001\nc{0},0372860001"),
    "expedia-hotels": ("id,hotel_cluster", "{0},91"),
    "santander-products": ("ncodpers,added_products", "{0},ind_cco_fin_ult1 ind_recibo_ult1"),
    "million-song": ("user,song", "{0},17\n{0},18"),
    "polimi": ("user_id,item_id", "{0},7\n{0},8"),
    "movielens-leave-one-out": ("user,item", "{0},7"),
    "movielens-als": ("user,item", "{0},7\n{0},8"),
    "instacart": ("order_id,product_id", "{0},49302\n{0},11109"),
    "recsys-2022": ("session_id,item_id", "{0},15085"),
    "kdd-cup-2023": ("session,next_item", "{0},B09W9FND7K"),
    "netflix-prize": ("customer_id,movie_id,rating", "{0},1,3\n{0},2,5"),
    "yelp": ("user_id,business_id,stars", "u{0},b1,4\nu{0},b2,2"),
    "recsys-2020": (
        "user_id,tweet_id,reply,retweet,retweet-with-comment,like",
        "u{0},a,0,1,0,1\nu{0},b,1,0,1,0",
    ),
    "recsys-2021": (
        "user_id,tweet_id,reply,retweet,quote,like,popularity",
        "u{0},a,0,1,0,1,1\nu{0},b,1,0,1,0,1",
    ),
    "recsys-2023": ("RowId,is_installed", "{0}1,0\n{0}2,1"),
    "mind": ("impression_id,news_id,score", "{0},N1,0\n{0},N2,1"),
    "recsys-2024": ("impression_id,article_id,score", "{0},9788125,0\n{0},9788239,1"),
    "kkbox-churn": ("msno,is_churn", "a{0}=,0\nb{0}=,1"),
    "kkbox-music": ("id,target", "{0}1,0\n{0}2,1"),
    "criteo": ("Id,Predicted", "{0}1,0\n{0}2,1"),
    "avazu": ("id,click", "1000000000000000{0}1,0\n1000000000000000{0}2,1"),
}

OF_METRIC_FILES = {
    name for name, preset in PRESETS.items() if preset.get("metric", "").startswith("own")
}
"""Presets that bring a custom metric are played whole where such metrics run."""

OF_NO_CONTEST = {"map@12", "ndcg@10", "rmse", "label-sets"}
"""Presets that are named after a metric or a kind of task."""


def test_every_preset_of_a_contest_is_tried() -> None:
    assert set(PRESETS) - OF_METRIC_FILES - OF_NO_CONTEST == set(TRUTHS)


@pytest.mark.parametrize("preset", TRUTHS)
def test_a_preset_takes_the_truth_of_its_contest(judging: Installation, preset: str) -> None:
    header, rows = TRUTHS[preset]
    truth = "\n".join([header, *(rows.format(each) for each in IDS), ""])
    settings = {"preset": preset, "split": {"public_fraction": 0.5}}
    competition = Competition.opened(judging, truth, **settings)
    sample = judging.admin.get(f"/competitions/{competition.slug}/sample-submission")
    team = competition.team()
    sent = team.post(f"/competitions/{competition.slug}/submissions", content=sample.content)
    assert sent.status_code == 202, sent.text
    path = f"/submissions/{sent.json()['id']}"
    until(lambda: team.get(path).json()["judged_at"] is not None)
    assert team.get(path).json()["status"] == "scored", team.get(path).text


MISSING_FORMS = {
    "million-song": "lists without ids and header",
    "netflix-prize": "blocks of a movie's ratings",
    "recsys-2020": "no header, and a file for each target",
    "recsys-2021": "no header, and tweets before users",
}
"""Presets whose contest publishes submissions in a form that is not read yet, with that form. Where
a form is read, its presets leave this table."""


def test_every_contest_is_played() -> None:
    assert set(CONTESTS) == set(TRUTHS)


@pytest.mark.parametrize("preset", CONTESTS)
def test_a_contest_is_scored_as_its_definition_says(judging: Installation, preset: str) -> None:
    contest = CONTESTS[preset](random.Random(preset))
    forms = {"forms": [*contest.forms]} if contest.forms else {}
    competition = Competition.opened(
        judging, contest.truth, listed=contest.listed, preset=preset, **forms
    )
    team = competition.team()
    if preset in MISSING_FORMS:
        seen = verdict(team, competition.slug, contest.published.encode())
        assert seen["status"] == "rejected", seen
    published = contest.submission if preset in MISSING_FORMS else contest.published
    seen = competition.judged(team, published or contest.submission)
    competition.reveal()
    after = team.get(f"/submissions/{seen['id']}").json()
    found = after["public_score"], after["private_score"]
    # Boards show five decimals.
    assert found == pytest.approx(contest.scores, abs=5.1e-6)

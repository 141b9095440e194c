"""A competition of scored pairs: the probability that a user clicks an item that was shown."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from podium.cli.operator.demo.sending import NEWCOMER, Submission, deadline, submit_as
from podium.cli.outcome import complain

if TYPE_CHECKING:
    from podium.client import Organizer, Podium

SLUG = "clicks-demo"

USERS, ITEMS, TOPICS = 500, 200, 8

SHOWN = 60
"""Items shown to each user; the last fifth of them is hidden."""

SEED = 11

PRIOR = 20
"""Views with the mean rate that are added to those of an item or a user, to smooth small
numbers."""

SUMMARY = "How likely is it that a reader clicks an article that is shown?"

DESCRIPTION = """\
Five hundred readers were shown sixty articles each. You get the first 48 of each, with a 1 for
those that were clicked, and give a **probability** for each of the other twelve.

The score is the area under the ROC curve, which looks at the order alone; the log loss beside it
also asks whether the probabilities are right. The views are synthetic.

## The data

`train.csv` holds a view a row: `user`, `item`, and `click`, 1 or 0. `articles.csv` has the topic
of each article. Readers differ in how much they click, and in the topics that they like.
"""


def clicks(organizer: Organizer, address: str, ada: Podium, files: Path) -> list[Submission]:
    """Creates the competition, and submits simple models."""
    complain(f"Making a competition of {USERS} readers and their clicks …")
    files.mkdir(parents=True, exist_ok=True)
    train, truth = write_views(files)
    organizer.create_competition(
        SLUG,
        "Clicks: how likely is each?",
        task="scores",
        objectives={"click": 1},
        metric="auc",
        diagnostics=["log_loss"],
        id_column="user",
        item_column="item",
        labels_column="click",
        summary=SUMMARY,
        description=DESCRIPTION,
        daily_limit=50,
        ends_at=deadline(),
    )
    organizer.upload_ground_truth(SLUG, truth)
    for name in ("train.csv", "articles.csv"):
        organizer.add_file(SLUG, name, files / name)
    organizer.launch(SLUG)
    ada.create_team(SLUG, NEWCOMER)
    return submit_as(organizer, address, SLUG, _submissions(train, truth, files))


def write_views(folder: Path) -> tuple[Path, Path]:
    """Writes `train.csv`, `truth.csv` and `articles.csv`; returns the first two."""
    chance = random.Random(SEED)  # noqa: S311 - the same views each time
    topics = [chance.randrange(TOPICS) for _ in range(ITEMS)]
    appeal = [chance.gauss(0, 0.7) for _ in range(ITEMS)]
    train, truth = ["user,item,click"], ["user,item,click"]
    for user in range(1, USERS + 1):
        habit, liked = chance.gauss(-1.8, 0.7), chance.sample(range(TOPICS), 2)
        for place, item in enumerate(chance.sample(range(ITEMS), SHOWN)):
            drawn = habit + appeal[item] + (1.8 if topics[item] in liked else 0)
            click = int(chance.random() < 1 / (1 + exp(-drawn)))
            rows = train if place < SHOWN * 4 // 5 else truth
            rows.append(f"{user},{item + 1},{click}")
    articles = ["item,topic", *(f"{item + 1},{topic + 1}" for item, topic in enumerate(topics))]
    for name, rows in (("train", train), ("truth", truth), ("articles", articles)):
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return folder / "train.csv", folder / "truth.csv"


def _submissions(train: Path, truth: Path, to: Path) -> Mapping[str, tuple[Path, str]]:
    """Writes the predictions of simple models, each a product of rates relative to the mean
    rate."""
    topics = pl.read_csv(to / "articles.csv")
    views = pl.read_csv(train).join(topics, on="item")
    asked = pl.read_csv(truth).drop("click").join(topics, on="item", maintain_order="left")
    models = {
        "Base rate": ([], "the same for all"),
        "Popular articles": ([["item"]], "rate of the article"),
        "Habits": ([["item"], ["user"]], "rates of article and reader"),
        "Favorite topics": (
            [["item"], ["user"], ["user", "topic"]],
            "rates of article, reader, and reader × topic",
        ),
    }
    made = {}
    for team, (keys, note) in models.items():
        file = to / f"{team.lower().replace(' ', '_')}.csv"
        _predicted(views, asked, keys).write_csv(file)
        made[team] = (file, note)
    return made


def _predicted(views: pl.DataFrame, asked: pl.DataFrame, keys: list[list[str]]) -> pl.DataFrame:
    """Predicts probabilities of pairs: the mean rate, times the factor by which each key has more
    clicks than the keys before it explain."""
    rate = views["click"].sum() / views.height
    views, asked = (frame.with_columns(p=pl.lit(rate)) for frame in (views, asked))
    for key in keys:
        clicked, expected = pl.col("click").sum(), pl.col("p").sum()
        factors = views.group_by(key).agg(
            factor=(clicked + PRIOR * rate) / (expected + PRIOR * rate)
        )
        views, asked = (
            frame.join(factors, on=key, how="left", maintain_order="left")
            .with_columns(p=pl.col("p") * pl.col("factor").fill_null(1))
            .drop("factor")
            for frame in (views, asked)
        )
    return asked.select("user", "item", click=pl.col("p").clip(0.001, 0.999).round(4))

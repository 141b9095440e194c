"""A competition of users × items: the movie that each user likes next."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from podium.baselines.registry import USERS_ITEMS
from podium.cli.extras import Extra, require
from podium.cli.operator.demo.sending import NEWCOMER, Submission, deadline, submit_as
from podium.cli.outcome import complain
from podium.cli.preparation.users_items import free_memory, in_folder
from podium.errors import NotConfigured
from podium.preparation.options import Options
from podium.preparation.preparing import prepare
from podium.scoring.writing import write_rows

if TYPE_CHECKING:
    from podium.client import Organizer, Podium

SLUG = "movies-demo"

USERS, MOVIES, GENRES = 600, 800, 20

SEED = 5

BASELINES: Mapping[str, str] = {
    "Popular movies": "popular",
    "Similar movies": "item-knn",
    "Linear model": "ease",
    "Matrix factors": "als",
}
"""Teams, and the baseline that each of them submits."""

SUMMARY = "Recommend ten movies to each user; the one that they like next should be among them."

DESCRIPTION = """\
Six hundred users have rated movies with one star to five. You get what each of them **liked**,
four stars or more, but for the last movie. Recommend ten movies to each user: is the last one
among them?

The ratings are synthetic and have the form of MovieLens. There are twenty genres, which you are
not told; every user loves three of them.

## The data

`train.csv` holds a liked movie a row: `user`, `item`, the stars as `rating`, and `timestamp` in
seconds since 1970 (UTC). `items.csv` says how many users of it have liked each movie.

A strong first answer, made at home from these files:

    podium competitions download movies-demo --path data
    podium baseline ease --train data/train.csv --published data/sample_submission.csv \\
        --top 10 --out ease.csv
"""


def movies(organizer: Organizer, address: str, ada: Podium, files: Path) -> list[Submission]:
    """Creates the competition, and submits baselines."""
    complain(f"Making a competition of {USERS} users and their movies …")
    files.mkdir(parents=True, exist_ok=True)
    write_ratings(files / "ratings.csv")
    options = Options(threshold=4, min_user=2, protocol="leave-one-out", format="csv")
    data = files / "prepared"
    prepare([files / "ratings.csv"], data, options=options, key=b"demo", drawn_by="a fixed seed")
    organizer.create_competition(
        SLUG,
        "Movies: recommend the next one",
        preset="movielens-leave-one-out",
        diagnostics=["ndcg@10", "mrr@10", "coverage@10"],
        summary=SUMMARY,
        description=DESCRIPTION,
        daily_limit=50,
        ends_at=deadline(),
    )
    organizer.upload_ground_truth(SLUG, data / "labels.csv")
    organizer.publish_ids(SLUG, data / "published_ids.csv")
    organizer.describe_items(SLUG, data / "items.csv", training_users=USERS)
    for name in ("train.csv", "items.csv"):
        organizer.add_file(SLUG, name, data / name)
    organizer.launch(SLUG)
    ada.create_team(SLUG, NEWCOMER)
    return submit_as(organizer, address, SLUG, _submissions(data))


def write_ratings(file: Path) -> None:
    """Writes synthetic ratings in MovieLens's form. Users love three genres, mostly watch these,
    mostly popular movies of them, and give them more stars."""
    chance = random.Random(SEED)  # noqa: S311 - the same ratings each time
    popularity = list(accumulate(1 / (place + 3) for place in range(MOVIES // GENRES)))
    with file.open("w", encoding="utf-8") as sink:
        sink.write("userId,movieId,rating,timestamp\n")
        for user in range(1, USERS + 1):
            loved = chance.sample(range(GENRES), 3)
            count = chance.randint(25, 60)
            places = chance.choices(range(len(popularity)), cum_weights=popularity, k=count)
            seen = {
                GENRES * place
                + (chance.choice(loved) if chance.random() < 0.75 else chance.randrange(GENRES))
                for place in places
            }
            time = chance.randrange(1_600_000_000, 1_700_000_000)
            for movie in chance.sample(sorted(seen), len(seen)):
                stars = chance.gauss(4.3 if movie % GENRES in loved else 2.9, 0.8)
                time += chance.randrange(60, 100_000)
                sink.write(f"{user},{movie + 1},{min(5, max(1, round(stars)))}.0,{time}\n")


def _submissions(data: Path) -> Mapping[str, tuple[Path, str]]:
    """Returns the files of those baselines whose libraries are installed, with notes."""
    extras = {USERS_ITEMS[name].extra: None for name in BASELINES.values()}
    installed = [extra for extra in extras if _is_installed(Extra(extra))]
    return {
        team: (_baseline(name, data), f"podium baseline {name}")
        for team, name in BASELINES.items()
        if USERS_ITEMS[name].extra in installed
    }


def _is_installed(extra: Extra) -> bool:
    try:
        require(extra, f"A full board of {SLUG}")
    except NotConfigured as lacking:
        complain(str(lacking))
        return False
    return True


def _baseline(name: str, data: Path) -> Path:
    files = in_folder(data, None)
    learned = USERS_ITEMS[name].learned(files.data, length=10, memory=free_memory())
    file = data / f"{name}.csv"
    write_rows(learned.rows(), file, "plain")
    return file

"""A whole season on PostgreSQL and a bucket while parts of the installation are killed."""

from __future__ import annotations

import hashlib
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import pytest

from podium.cli.offline.verifying import checked
from podium.client import Organizer, Podium
from podium.errors import NotAllowed, NotFound, WrongState
from tests.builders.cluster import Cluster
from tests.builders.faults.budget import Budget
from tests.builders.storm.files import TRUTH, Truth, labels
from tests.builders.storm.storm import Address
from tests.system.cluster.season import (
    DAILY_LIMIT,
    FINALS,
    PATH,
    PUT_RIGHT,
    SLUG,
    Season,
    final_board,
    guesses,
    killing,
    public_board,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("cluster"),
    pytest.mark.timeout(3600),
]

HONEST = ("ada", "barbara", "grace", "sofia")
KILLS = 2, 12
"""In each part of the season: in the short run, and in the full one."""


def test_a_season_ends_as_its_files_say_whatever_was_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    budget = Budget.from_environment()
    kills = budget.times(*KILLS)
    chance = random.Random(20261120)
    season = Season(cluster)
    season.opens([*HONEST, "mallory"])

    with killing(cluster, kills, chance), ThreadPoolExecutor(1) as apart:
        burst = apart.submit(floods, season, [guesses(chance) for _ in range(DAILY_LIMIT + 4)])
        season.all_play({team: [guesses(chance), guesses(chance)] for team in HONEST})
    assert burst.result() <= DAILY_LIMIT
    finds_no_way_in(season)
    season.finds("mallory")
    assert 1 <= len(season.files_of("mallory")) <= DAILY_LIMIT
    stands_as_files_say(season, TRUTH)

    truth = tmp_path / "put-right.jsonl"
    truth.write_bytes(labels(PUT_RIGHT))
    with killing(cluster, kills, chance):
        rejudged(season, truth)
    stands_as_files_say(season, PUT_RIGHT)

    season.decides(lambda organizer: organizer.freeze(SLUG))
    frozen = season.board()
    with killing(cluster, kills, chance):
        season.all_play({team: [guesses(chance), guesses(chance)] for team in HONEST})
    assert season.board() == frozen

    selected = {team: another_choice(season, team) for team in ("ada", "grace")}
    chooses(season, selected)
    season.decides(lambda organizer: organizer.close(SLUG))
    assert season.asks("ada", guesses(chance), "too-late")[0] == 409
    season.decides(lambda organizer: organizer.reveal(SLUG))
    known = season.in_order(), season.split_key(), PUT_RIGHT
    final = final_board(*known, selected)
    assert list(season.board("private").items()) == list(final.items())

    receipts_hold(season)
    restored_elsewhere(season, tmp_path / "season.zip")
    budget.report("kill -9 of parts of a cluster, over a season", season, 3 * kills)


def stands_as_files_say(season: Season, truth: Truth) -> None:
    """The public board, in its order, is that of a slow scorer."""
    expected = public_board(season.in_order(), season.split_key(), truth)
    assert list(season.board().items()) == list(expected.items())


def floods(season: Season, files: list[bytes]) -> int:
    """Sends more than a day's files at once: how many were acknowledged."""

    def once(number: int) -> bool:
        try:
            return season.asks("mallory", files[number], f"flood-{number}")[0] == 202
        except OSError:
            return False

    with ThreadPoolExecutor(len(files)) as together:
        return sum(together.map(once, range(len(files))))


def finds_no_way_in(season: Season) -> None:
    """A team may not read what is not hers, and private scores are hidden before the reveal."""
    foreign = season.files_of("ada")[0]
    with Organizer(season.cluster.address, season.teams["mallory"]) as mallory:
        for forbidden in (
            lambda: mallory.submission(foreign),
            lambda: mallory.receipt(foreign),
            lambda: list(mallory.ground_truths(SLUG)),
            lambda: list(mallory.leaderboard(SLUG, split="private")),
            lambda: mallory.reveal(SLUG),
        ):
            with pytest.raises((NotAllowed, NotFound, WrongState)):
                forbidden()
    status, _ = Address(season.port).ask(
        "GET", f"{PATH}/leaderboard?split=private", None, season.teams["ada"]
    )
    assert status in (403, 404, 409)


def another_choice(season: Season, team: str) -> list[str]:
    """Files of a team with which its final score is another than without a choice."""
    known = season.in_order(), season.split_key(), PUT_RIGHT
    unchosen = final_board(*known, {})[team]
    return next(
        list(chosen)
        for chosen in combinations(season.files_of(team), FINALS)
        if final_board(*known, {team: list(chosen)})[team] != unchosen
    )


def chooses(season: Season, selected: dict[str, list[str]]) -> None:
    """Teams say which of their files shall count in the end."""
    for team, chosen in selected.items():
        with Podium(season.cluster.address, season.teams[team]) as person:
            person.select(SLUG, chosen)


def rejudged(season: Season, truth: Path) -> None:
    """The labels are put right: everything is judged twice more, and then it counts."""
    season.decides(lambda organizer: organizer.upload_ground_truth(SLUG, truth))
    season.decides(
        lambda organizer: organizer.start_rejudging(
            SLUG, "half of the carts were wrong", ground_truth_version=2, times=2
        )
    )
    (begun,) = season.decides(lambda organizer: list(organizer.rejudgings(SLUG))) or []
    with Organizer(season.cluster.address, season.cluster.token) as organizer:
        found = organizer.wait_for_rejudging(begun["id"])
    assert (found["status"], found["deterministic"]) == ("ready", True)
    season.decides(lambda organizer: organizer.apply_rejudging(begun["id"]))


def receipts_hold(season: Season) -> None:
    """The final receipt of every file can be verified without the server."""
    with Podium(season.cluster.address) as anonymous:
        keys = {key["public_key"] for key in anonymous.signing_keys()["keys"]}
    for each in season.sent:
        with Podium(season.cluster.address, season.teams[each.team]) as person:
            receipt = person.receipt(each.submission_id)
        problems, document = checked(receipt, None, keys)
        assert problems == []
        assert document["sha256"] == hashlib.sha256(each.content).hexdigest()
        assert document["final"] is not None


def restored_elsewhere(season: Season, archive: Path) -> None:
    """The whole competition goes through its archive to the same boards."""
    with Organizer(season.cluster.address, season.cluster.token) as organizer:
        organizer.export(SLUG, archive, full=True)
        organizer.import_competition(archive, slug="season-again", people="same")
    for split in ("public", "private"):
        with Podium(season.cluster.address) as anonymous:
            again = [
                (row["team"]["name"], round(row["score"] * 10**5))
                for row in anonymous.leaderboard("season-again", split=split)
            ]
        assert again == list(season.board(split).items())

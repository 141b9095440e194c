"""Installations that earlier versions left in the middle of their work are opened by this one: they
answer what they answered, end what was begun, and judge to the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.installations.opening import Opened, lost, opened_again
from tests.builders.installations.packing import names
from tests.builders.installations.recording import FINAL
from tests.builders.servers import postgres

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("frozen[]")]


def _marked(name: str) -> Any:
    marks = [pytest.mark.postgres] if name.endswith("postgresql") else []
    return pytest.param(name, marks=marks)


@pytest.fixture(scope="module", params=[_marked(name) for name in names()])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    """An installation that was opened, has ended its work, and has judged everything anew."""
    folder = tmp_path_factory.mktemp("frozen")
    if not request.param.endswith("postgresql"):
        with opened_again(request.param, folder) as opened:
            yield opened
        return
    server = str(request.getfixturevalue("postgres_server_url"))
    database = f"frozen_{request.param.replace('-', '_').replace('.', '_')}"
    with (
        postgres.made(server, database) as url,
        opened_again(request.param, folder, database_url=url) as opened,
    ):
        yield opened


def test_everything_answers_as_before(opened: Opened) -> None:
    assert len(opened.answers["seen"]) > 200
    assert _unmeant(opened.differences("seen")) == []


def test_what_was_begun_ends_as_the_version_itself_ended_it(opened: Opened) -> None:
    assert _unmeant(opened.differences("ended")) == []


def test_a_ground_truth_that_was_being_read_is_read(opened: Opened) -> None:
    for slug in opened.answers["drafts"]:
        (read,) = opened.get("olga", f"/admin/competitions/{slug}/ground-truth").json()["items"]
        assert (read["status"], read["version"]) == ("stored", 1)


def test_there_was_something_to_end(opened: Opened) -> None:
    statuses = [
        kept["document"]["status"]
        for kept in opened.answers["seen"]
        if kept["path"].startswith("/submissions/") and "document" in kept
    ]
    assert {"queued", "judging", "scored", "rejected", "failed", "cancelled"} == set(statuses)
    assert statuses.count("judging") >= 4
    assert statuses.count("queued") >= 4


def test_every_judging_has_one_verdict_the_one_of_that_version(opened: Opened) -> None:
    for slug, kept in opened.answers["scores"].items():
        then, now = _by_work(kept), _by_work(opened.scores[slug])
        assert len(now) == len(opened.scores[slug]), slug
        assert list(lost(then, now)) == [], slug


def test_private_scores_are_there_wherever_public_ones_are(opened: Opened) -> None:
    for slug, judgings in opened.scores.items():
        for key, rows in judgings.items():
            state = rows["judgings"]["state"]
            assert state in FINAL, (slug, key)
            expected = (state == "scored",) * 2
            assert ("public_scores" in rows, "private_scores" in rows) == expected, (slug, key)


def test_judging_everything_anew_gives_the_same_bits(opened: Opened) -> None:
    compared = 0
    for slug, (rejudging_id, judgings) in opened.anew.items():
        anew = {
            rows["judgings"]["submission_id"]: rows
            for rows in judgings.values()
            if rows["judgings"]["rejudging_id"] == rejudging_id
        }
        for rows in judgings.values():
            if "submissions" in rows and rows["judgings"]["state"] == "scored":
                again = anew[rows["judgings"]["submission_id"]]
                assert list(lost(_verdict(rows), _verdict(again))) == [], slug
                compared += 1
    assert compared >= 20


def test_receipts_verify(opened: Opened, tmp_path: Path) -> None:
    receipts = [
        kept["text"] for kept in opened.answers["ended"] if kept["path"].endswith("/receipt")
    ]
    given = [text.strip() for text in receipts if '"signature"' in text]
    assert len(given) >= 20
    (tmp_path / "receipts.jsonl").write_text("\n".join([*given, ""]))
    (tmp_path / "keys.json").write_bytes(opened.get("anonymous", "/signing-key").content)
    ran = opened.podium("verify", tmp_path / "receipts.jsonl", "--key", tmp_path / "keys.json")
    assert ran.code == 0, ran.err


def test_doctor_and_backup_have_nothing_to_say(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if opened.program.database_url:
        postgres.take_client_programs(opened.program.database_url, monkeypatch)
    looked = opened.podium("doctor")
    assert looked.code == 0, looked.out + looked.err
    saved = opened.podium("backup", "--to", tmp_path / "copies", "--check")
    assert saved.code == 0, saved.err


def test_an_upload_goes_on_where_it_was_cut(opened: Opened) -> None:
    whole = opened.get("ada", f"/submissions/{opened.answers['sent']['lists/0.csv']}").json()
    assert opened.upload["status"] == "scored"
    assert opened.upload["sha256"] == whole["sha256"]


REWORDED = (
    (
        "mean of |prediction - rating| over all pairs",
        "mean of |prediction - truth| over all rows",
    ),
    (
        "square root of the mean of (prediction - rating)^2 over all pairs",
        "square root of the mean of (prediction - truth)^2 over all rows",
    ),
    (
        "share of combinations of a positive and a negative pair in which the positive one scores"
        " higher, ties half",
        "share of combinations of a positive and a negative row in which the positive one scores"
        " higher, ties half",
    ),
    (
        "sum over the different scores, the highest first, of (recall − recall before) ·"
        " precision of all pairs with at least this score",
        "sum over the different scores, the highest first, of (recall − recall before) ·"
        " precision of all rows with at least this score",
    ),
    (
        "mean of −ln(p) over positive and −ln(1 − p) over negative pairs; the logarithm is of no"
        " less than 1e-15",
        "mean of −ln of the probability that was given to what is true, of no less than 1e-15",
    ),
    (
        "mean of (p − y)^2 over all pairs, y being 1 for a positive pair",
        "mean of (p − y)^2 over all rows, y being 1 for what is true; added up over columns, where"
        " there are several",
    ),
    ("what the organizer's metric file computes", "what the custom metric computes"),
    ("the organizer's metric file", "the custom metric"),
)
"""Formulas and sources of metrics in words of before: pairs had metrics of their own, and a custom
metric was called an organizer's metric file."""


def _unmeant(differences: list[str]) -> list[str]:
    """Those that are not meant: after 0.6.0, teams that are baselines or disqualified are counted
    nowhere; and some formulas and sources have other words."""
    meant = tuple(
        f".{member}: {was} → {now}" for member in ("formula", "source") for was, now in REWORDED
    )
    return [
        each for each in differences if ".counts.teams: " not in each and not each.endswith(meant)
    ]


def _by_work(judgings: dict[str, Any]) -> dict[str, Any]:
    """The verdict on each file by each act that had it judged."""
    names = ("submission_id", "ground_truth_version", "rejudging_id", "repeat")
    return {
        " ".join(str(rows["judgings"][name]) for name in names): _verdict(rows)
        for rows in judgings.values()
    }


def _verdict(rows: dict[str, Any]) -> Any:
    """The outcome of a judging; scores are exact, as texts."""
    judging = {name: rows["judgings"][name] for name in ("state", "counts", "problem")}
    return [judging, rows.get("public_scores"), rows.get("private_scores")]

"""The kinds of ids at home: by the description beside the file, else by all of its items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.commands import build


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(build(), list(map(str, arguments)))


def prepared(folder: Path, rows: list[str]) -> Path:
    """The folder that is made of these interactions; the last one of each user is hidden."""
    source = folder / "interactions.csv"
    source.write_text("user,item,timestamp\n" + "".join(f"{row}\n" for row in rows))
    done = run("prepare", source, "--to", folder / "o", "--seed", "1")
    assert done.exit_code == 0, done.output
    return folder / "o"


MOSTLY_POST = [
    *(f"{user},{user},2" for user in range(1, 1201)),
    *(f"{user},POST,1" for user in range(1, 1201, 2)),
    *(f"{user},22423,1" for user in range(2, 1201, 2)),
]
"""The commonest item of the training is a text, which no label and no user at the end has."""


def rows_of(users: int, items: list[str], last: str) -> list[str]:
    """Rows in which every user has the same items, and then one of their own."""
    return [
        f"{user},{item.format(user=user)},{time}"
        for user in range(1, users + 1)
        for time, item in enumerate([*items, last])
    ]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(MOSTLY_POST, id="a text in training"),
        pytest.param(rows_of(4, ["-4", "-7"], last="-4{user}"), id="numbers below 0"),
        pytest.param(rows_of(4, ["007", "7"], last="1{user}"), id="leading zeros in training"),
    ],
)
def test_a_prepared_folder_tells_the_kinds(tmp_path: Path, rows: list[str]) -> None:
    folder = prepared(tmp_path, rows)
    made = run("baseline", "popular", "--data", folder, "-o", tmp_path / "b.csv")
    assert made.exit_code == 0, made.output
    for truth in (folder, folder / "labels.csv"):
        options = ("--metric", "ndcg@10", "--no-history")
        done = run("score", tmp_path / "b.csv", "--truth", truth, *options)
        assert done.exit_code == 0, done.output
        assert "ndcg@10" in done.stdout


def test_ids_with_leading_zeros_are_others_than_those_without(tmp_path: Path) -> None:
    folder = prepared(tmp_path, rows_of(4, ["007", "7"], last="1{user}"))
    lists = tmp_path / "s.csv"
    lists.write_text("user,labels\n" + "".join(f"{user},007 7\n" for user in range(1, 5)))
    done = run("score", lists, "--truth", folder, "--metric", "ndcg@10", "--no-history")
    assert "2 different items" in done.stdout, done.output


def test_a_leading_zero_far_below_makes_texts_of_the_items(tmp_path: Path) -> None:
    truth = tmp_path / "t.csv"
    rows = [f"{user},1{user} 7000001 8000001\n" for user in range(1, 4000)]
    truth.write_text("user,labels\n" + "".join(rows) + "9999,007\n")
    lists = tmp_path / "s.csv"
    lists.write_text(truth.read_text().replace("9999,007", "9999,7"))
    done = run("score", lists, "--truth", truth, "--metric", "hit_rate@10", "--no-history")
    assert "hit_rate@10  0.99975" in done.stdout, done.output


def test_leading_zeros_that_are_read_as_numbers_are_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("user,labels\n1,7\n2,8\n")
    (tmp_path / "s.csv").write_text("user,labels\n1,007\n2,8\n")
    (tmp_path / "plain.csv").write_text("user,labels\n1,7\n2,8\n")
    truth, measure = ("--truth", tmp_path / "t.csv"), ("--metric", "hit_rate@10")
    file = tmp_path / "s.csv"
    for command in (
        ("score", file, *truth, *measure, "--no-history"),
        ("compare", tmp_path / "plain.csv", file, *truth, *measure),
        ("validate", file, *truth, *measure),
        ("validate", file, "--sample", tmp_path / "t.csv"),
        ("overlap", tmp_path / "plain.csv", file),
        ("blend", tmp_path / "plain.csv", file, "--out", tmp_path / "both.csv", "--force"),
    ):
        told = run(*command)
        assert told.exit_code == 0, told.output
        assert told.stderr.count("007 is 7: with --item-ids string") == 1
        chosen = run(*command, "--item-ids", "string")
        assert chosen.exit_code == 0, chosen.output
        assert "--item-ids" not in chosen.stderr
        same = run(*(tmp_path / "plain.csv" if each is file else each for each in command))
        assert "007" not in same.stderr
    chosen = run("score", file, *truth, *measure, "--item-ids", "string", "--no-history")
    assert "hit_rate@10  0.5" in chosen.stdout


def test_of_otto_nothing_is_told_as_its_items_are_numbers(tmp_path: Path) -> None:
    rows = "session_type,labels\n1_clicks,{0}\n1_carts,{0}\n1_orders,{0}\n"
    (tmp_path / "t.csv").write_text(rows.format("7"))
    (tmp_path / "s.csv").write_text(rows.format("007"))
    for named in ((), ("--preset", "otto")):
        told = run(
            "score", tmp_path / "s.csv", "--truth", tmp_path / "t.csv", "--no-history", *named
        )
        assert told.exit_code == 0, told.output
        assert "007" not in told.stderr

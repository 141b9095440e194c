"""Nothing that stands in a file, or in its name, steers the terminal in which it is looked at."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.processes.typed import typed

STEERING = "\x1b]0;owned\x07\x1b[31m\x7f\x9b2J\u202e"

TRUTH = "user,item\n1,7\n2,9\n"
TABLE = "id,y\n1,4\n2,3\n"

GOOD = {
    "interactions": "".join(
        [
            "user,item,rating,timestamp,type\n",
            *(f"{n // 4},{n % 7},3,{881250000 + n},view\n" for n in range(40)),
        ]
    ),
    "lists": "user,labels\n1,7 8\n2,9\n",
    "pairs": "user,item,rating\n1,7,4\n2,9,3\n",
    "table": TABLE,
    "groups": "user,group,clicks,impressions\n1,a,1,2\n2,b,2,3\n3,a,0,2\n4,b,1,3\n",
    "sessions": "".join(
        f'{{"session": {n}, "events": [{{"aid": 5, "ts": {n}, "type": "clicks"}},'
        f' {{"aid": 6, "ts": {n + 10}, "type": "clicks"}}]}}\n'
        for n in (1, 100_002)
    ),
}
"""A good file of each kind, into which the text is put."""

SHORT = ("--time-unit", "s", "--days", "0.0004", "--force")

COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "interactions": [
        ("stats",),
        ("stats", "--json"),
        ("stats", "--type", "type"),
        ("prepare", "--to", "o", "--seed", "1", "--force"),
        ("baseline", "popular", "--published", "p.csv", "-o", "b.csv", "--force", "--train"),
        ("otto", "prepare", "--to", "o", "--seed", "1", "--columns", "user,item,timestamp", *SHORT),
    ],
    "lists": [
        ("score", "--truth", "t.csv", "--metric", "ndcg@10", "--no-history"),
        ("score", "--truth", "t.csv", "--metric", "ndcg@10", "--no-history", "--json"),
        ("validate", "--metric", "ndcg@10", "--sample", "p.csv"),
        ("segments", "--truth", "t.csv", "--metric", "ndcg@10"),
        ("analyze", "--truth", "t.csv", "--metric", "ndcg@10"),
        ("compare", "s.csv", "--truth", "t.csv", "--metric", "ndcg@10"),
        ("blend", "s.csv", "-o", "b.csv", "--metric", "ndcg@10", "--force"),
        ("score", "s.csv", "--metric", "ndcg@10", "--no-history", "--truth"),
    ],
    "pairs": [
        ("score", "--truth", "r.csv", "--metric", "rmse", "--no-history"),
        ("score", "r.csv", "--metric", "rmse", "--no-history", "--truth"),
    ],
    "table": [
        ("score", "--truth", "y.csv", "--metric", "rmse", "--task", "table", "--no-history"),
        ("score", "y.csv", "--metric", "rmse", "--task", "table", "--no-history", "--truth"),
    ],
    "groups": [("ab", "report")],
    "sessions": [("otto", "prepare", "--to", "o", "--seed", "1", "--days", "0.001", "--force")],
}


def spoiled(good: str) -> Iterator[str]:
    """The text with what steers in each place of its first two lines, and in the last line."""
    lines = good.splitlines()
    for number in sorted({0, min(1, len(lines) - 1), len(lines) - 1}):
        fields = lines[number].split(",")
        for place in range(len(fields)):
            for field in (STEERING, fields[place] + STEERING):
                other = [*fields[:place], field, *fields[place + 1 :]]
                yield "\n".join([*lines[:number], ",".join(other), *lines[number + 1 :], ""])


def steering_in(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "t.csv": TRUTH,
        "p.csv": "user\n1\n2\n",
        "s.csv": GOOD["lists"],
        "r.csv": GOOD["pairs"],
        "y.csv": TABLE,
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("kind", GOOD)
def test_no_text_of_a_file_steers_the_terminal(kind: str, folder: Path) -> None:
    good = folder / "good"
    good.write_text(GOOD[kind])
    for command in COMMANDS[kind]:
        ended = typed(*command, good)
        assert ended.code == 0, (command, ended.err)
    told = set()
    for number, text in enumerate(spoiled(GOOD[kind])):
        file = folder / (f"f{STEERING}" if number % 2 else "f")
        file.write_text(text)
        for command in COMMANDS[kind]:
            ended = typed(*command, file)
            told.add(ended.code)
            assert steering_in(ended.out + ended.err) == [], (command, text)
    assert told - {0}

"""`podium score` and `podium validate` with published ids, some of which have no labels, say what
the server says of files with all ids, with ids missing, and with ids that are not published; scores
are those of slow loops over the labeled ids alone."""

from __future__ import annotations

import io
import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from podium.cli.commands import build
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import task_of
from podium.sandbox.definitions.judging import JudgeFile
from podium.sandbox.definitions.materials import PUBLISHED, TRUTH, ReadIds, ReadTruth, Split
from podium.sandbox.serialization import encoded
from podium.sandbox.tasks import TASKS

COMMAND = get_command(build())
"""Put together once: it takes longer than what it does here."""

FILES = 24
"""The number of files of each kind of competition."""

SIDES = ("Public", "Private")

Id = tuple[str, ...]
Answered = Sequence[tuple[Id, str, str | None]]
"""Ids with their labels and answers, None for a missing row."""


def map_at_3(answered: Answered) -> float:
    total = 0.0
    for _, labels, answer in answered:
        relevant, hits = set(labels.split()), 0
        for rank, item in enumerate((answer or "").split()[:3], 1):
            if item in relevant:
                hits += 1
                total += hits / rank / len(relevant)
    return total / len(answered)


def rmse(answered: Answered) -> float:
    squares = [(float(label) - float(answer or 0)) ** 2 for _, label, answer in answered]
    return sqrt(sum(squares) / len(squares))


def mae(answered: Answered) -> float:
    return sum(abs(float(a) - float(b or 0)) for _, a, b in answered) / len(answered)


def log_loss(answered: Answered) -> float:
    given = [float(b or 0) if a == "1" else 1 - float(b or 0) for _, a, b in answered]
    return -sum(map(log, given)) / len(given)


def mrr(answered: Answered) -> float:
    queries: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for (query, _), label, answer in answered:
        queries[query].append((float(answer or 0), label))
    ranks = [
        next(rank for rank, (_, label) in enumerate(sorted(each, reverse=True), 1) if label == "1")
        for each in queries.values()
    ]
    return sum(1 / rank for rank in ranks) / len(ranks)


def f1_samples(answered: Answered) -> float:
    total = 0.0
    for _, label, answer in answered:
        right, given = set(label.split()), set((answer or "").split())
        total += 2 * len(right & given) / (len(right) + len(given))
    return total / len(answered)


def some(rng: random.Random, words: str) -> str:
    return " ".join(rng.sample(words.split(), rng.randint(1, 4)))


def number(rng: random.Random) -> str:
    return f"{rng.uniform(0.01, 0.99):.6f}"


@dataclass(frozen=True)
class Kind:
    """A kind of competition: its settings, its columns, what a label and an answer may be, and the
    score of answers. Pairs are several items of a `user`, the first of which is a hit."""

    settings: dict[str, Any]
    header: str
    score: Callable[[Answered], float]
    answer: Callable[[random.Random], str]
    pairs: bool = False
    label: Callable[[random.Random], str] | None = None
    listed: tuple[str, ...] = ()
    """Other forms of the list of published ids: headers of files with ids alone."""

    def ids(self, rng: random.Random) -> list[Id]:
        users = rng.sample([f"{n}" for n in range(10, 99)], 14)
        if not self.pairs:
            return [(user,) for user in users]
        return [(user, f"{item}") for user in users for item in rng.sample(range(20), 3)]


LISTS = {
    "objectives": {"items": 1},
    "metric": "map@3",
    "id_column": "user",
    "labels_column": "labels",
}
PAIRS = {"id_column": "user", "item_column": "item"}


def kind_of_pairs(
    task: str, metric: str, column: str, answer: Callable[[random.Random], str], score: Any
) -> Kind:
    settings = {**PAIRS, "task": task, "objectives": {"hits": 1}, "metric": metric}
    settings |= {"labels_column": column, "missing_rows": "reject"}
    return Kind(settings, f"user,item,{column}", score, answer, pairs=True)


def kind_of_table(task: str, metric: str, type_: str, value: Any, score: Any) -> Kind:
    columns = [{"name": "y", "type": type_}]
    settings: dict[str, Any] = {"task": task, "objectives": {"y": 1}, "metric": metric}
    settings |= {"id_column": "id", "table_columns": columns, "missing_rows": "reject"}
    return Kind(settings, "id,y", score, value, label=value)


def items(rng: random.Random) -> str:
    return some(rng, "1 2 3 4 5 6")


def letters(rng: random.Random) -> str:
    return some(rng, "a b c d")


KINDS = {
    "lists": Kind(LISTS, "user,labels", map_at_3, items, label=items, listed=("session", "user")),
    "lists that may lack rows": Kind(
        {**LISTS, "missing_rows": "zero", "query_ids": "string", "item_ids": "string"},
        "user,labels",
        map_at_3,
        letters,
        label=letters,
        listed=("session", "user"),
    ),
    "rating": kind_of_pairs("rating", "rmse", "rating", number, rmse),
    "scores": kind_of_pairs("scores", "log_loss", "click", number, log_loss),
    "rerank": kind_of_pairs("rerank", "mrr", "score", number, mrr),
    "table": kind_of_table("table", "mae", "number", number, mae),
    "label sets": kind_of_table("label-sets", "f1_samples", "labels", letters, f1_samples),
}


@dataclass
class Game:
    """A competition whose server reads files in a folder, and the commands that do so at home."""

    kind: Kind
    folder: Path
    rng: random.Random

    def __post_init__(self) -> None:
        self.task = task_of(CompetitionSettings.model_validate(self.kind.settings))
        (self.folder / "settings.json").write_text(json.dumps(self.kind.settings))
        self.published = self.kind.ids(self.rng)
        users = list(dict.fromkeys(user for user, *_ in self.published))
        labeled = dict(zip(users[: len(users) * 2 // 3], SIDES * 9, strict=False))
        self.labels = {
            each: (self._label(place), labeled[each[0]])
            for place, each in enumerate(self.published)
            if each[0] in labeled
        }
        head = self.kind.header
        rows: dict[str, list[str]] = {side: [] for side in SIDES}
        for each, (label, side) in self.labels.items():
            rows[side].append(",".join((*each, label)))
        for side, lines in rows.items():
            self.write(side, head, lines)
        both = [f"{line},{side}" for side, lines in rows.items() for line in lines]
        self.write("truth", f"{head},Usage", both)
        self.ids = self._list()
        self._read()

    def _label(self, place: int) -> str:
        if self.kind.label is None:
            return str(int(place % 3 == 0))
        return self.kind.label(self.rng)

    def _list(self) -> Path:
        """A sample submission, or the ids alone, in any order."""
        head = self.rng.choice((self.kind.header, *self.kind.listed))
        value = "" if head in self.kind.listed else f",{self.kind.answer(self.rng)}"
        mixed = self.rng.sample(self.published, len(self.published))
        return self.write("ids", head, [",".join(each) + value for each in mixed])

    def write(self, name: str, head: str, rows: list[str]) -> Path:
        file = self.folder / f"{name}.csv"
        file.write_text("".join(f"{line}\n" for line in (head, *rows)))
        return file

    def _read(self) -> None:
        """Lets the server read the ids and the ground truth."""
        with chdir(self.folder):
            listed = ReadIds(file=self.ids, task=self.task)
            assert TASKS[ReadIds.NAME](lambda _: None, encoded(listed))["status"] == "read"
            wanted = ReadTruth(
                file=self.folder / "truth.csv",
                task=self.task,
                published=Path(PUBLISHED),
                split=Split(kind="usage"),
            )
            read = TASKS[ReadTruth.NAME](lambda _: None, encoded(wanted))
        assert read["status"] == "read", read
        self.sha256 = read["sha256"]

    def judged(self, file: Path) -> Any:
        """The document of the server."""
        wanted = JudgeFile(
            file=file,
            task=self.task,
            published=self.folder / PUBLISHED,
            truth=self.folder / TRUTH,
            truth_sha256=self.sha256,
        )
        with chdir(self.folder):
            return TASKS[JudgeFile.NAME](lambda _: None, encoded(wanted))

    def types(self, command: str, file: Path, side: str, *more: object) -> Any:
        """The document of an offline command with the truth of one split."""
        line = [command, str(file), "--truth", str(self.folder / f"{side}.csv"), "--json"]
        line += ["--preset", str(self.folder / "settings.json"), *map(str, more)]
        printed = io.StringIO()
        with (
            redirect_stdout(printed),
            redirect_stderr(io.StringIO()),
            pytest.raises(SystemExit),
        ):
            COMMAND(line)
        return json.loads(printed.getvalue())

    def submission(self) -> dict[Id, str]:
        """Answers for all ids, or for other ids as well, or without some."""
        asked = self.rng.sample(self.published, len(self.published))
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            if self.rng.random() < 0.5:
                del asked[self.rng.randrange(len(asked))]
            else:
                asked.append(("7", "7") if self.kind.pairs else ("7",))
        return {each: self.kind.answer(self.rng) for each in asked}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches and history of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize("name", KINDS)
def test_home_says_what_the_server_says_where_some_ids_have_no_labels(
    name: str, tmp_path: Path
) -> None:
    seen = {"scored": 0, "rejected": 0}
    game = Game(KINDS[name], tmp_path, random.Random(name))
    for _ in range(FILES):
        answers = game.submission()
        rows = [",".join((*each, answer)) for each, answer in answers.items()]
        file = game.write("submission", game.kind.header, rows)
        server = game.judged(file)
        seen[server["status"]] += 1
        listed = ("--published-ids", game.ids)
        validated = game.types("validate", file, "Public", *listed)
        found = {side: game.types("score", file, side, *listed) for side in SIDES}
        # Without the list, ids without labels are not published.
        assert game.types("score", file, "Public")["status"] == "rejected"
        if server["status"] == "rejected":
            refusal = {"status": "rejected", "problem": server["problem"]}
            assert [validated, *found.values()] == [refusal] * 3
            continue
        assert validated == {"status": "valid", "counts": server["counts"]}
        for side, document in found.items():
            assert document["counts"] == server["counts"]
            # The server stores errors as negative numbers.
            assert document["score"] == abs(float(Fraction(server["scores"][side.lower()])))
            labeled = [
                (each, label, answers.get(each))
                for each, (label, usage) in game.labels.items()
                if usage == side
            ]
            assert document["score"] == pytest.approx(game.kind.score(labeled), rel=1e-9)
    assert min(seen.values()) > FILES // 6, seen

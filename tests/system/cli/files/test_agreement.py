"""`podium validate` and `podium score` say what the judge of the server says, to the bit, about
hundreds of files: good ones, damaged ones, and every kind of container."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import random
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.main import get_command

from podium.cli.commands import build
from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from podium.sandbox.definitions.judging import JudgeFile
from podium.sandbox.definitions.materials import ReadTruth, Split
from podium.sandbox.serialization import document_of, encoded
from podium.sandbox.tasks import TASKS
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.scoring.mutations import good_file, mutated
from tests.builders.zstd import zstd

FILES = 100
"""The number of files of each kind of competition."""

SANDBOXED_EVERY = 20
"""So many files are also judged in an isolated child, which takes longer."""

COMMAND = get_command(build())
"""Put together once: it takes longer than what it does here."""

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=60, file_bytes=1 << 30)

SESSIONS = [8, 9, 10, 12_899_779]
"""The first half of the sessions of a competition is public."""

TEXT_SESSIONS = ["8", "q-7", "007", "a_clicks"]

LABELS: Mapping[str, str] = {"clicks": "3", "carts": "1 2 5 0", "orders": "4 7", "": "1 x-2 0 03"}
"""Labels of every session, by objective: items of which the files are full."""

TEXT = Task(
    objectives=(Objective("", Decimal(1), "recall_capped@20:micro"),),
    id_column="query",
    query_ids="string",
    item_ids="string",
)
TEXT_OPTIONS = (
    *("--metric", "recall_capped@20:micro"),
    *("--query-ids", "string", "--item-ids", "string"),
    *("--columns", "query,labels"),
)


@dataclass(frozen=True)
class Competition:
    """A task as the server has it and as options say it, with its files in one folder."""

    task: Task
    options: tuple[str, ...]
    sessions: list[int] | list[str]
    folder: Path
    truth_sha256: str

    def wanted(self, file: Path) -> JudgeFile:
        """The task that the worker gives to the sandbox."""
        return JudgeFile(
            file=file,
            task=self.task,
            published=self.folder / "published.parquet",
            truth=self.folder / "truth.parquet",
            truth_sha256=self.truth_sha256,
        )

    def judged(self, file: Path) -> dict[str, Any]:
        """The server's document, from the task itself."""
        with chdir(self.folder):
            return TASKS[JudgeFile.NAME](lambda _: None, encoded(self.wanted(file)))

    def judged_in_a_child(self, file: Path) -> dict[str, Any]:
        """The same from a real child."""
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        result = ChildSandbox().run(self.wanted(file), limits=LIMITS, scratch=scratch)
        assert result.answer is not None, result.report
        return document_of(result.answer)

    def types(self, *arguments: object) -> tuple[int, dict[str, Any]]:
        """The exit code and the document of an offline command."""
        line = [*map(str, arguments), *self.options, "--json"]
        printed = io.StringIO()
        with (
            redirect_stdout(printed),
            redirect_stderr(io.StringIO()),
            pytest.raises(SystemExit) as ended,
        ):
            COMMAND(line)
        code = ended.value.code
        assert isinstance(code, int)
        return code, json.loads(printed.getvalue())

    def labels_of(self, *splits: str) -> Path:
        """Labels of these splits only, with all sessions listed."""
        return self.folder / f"{'-'.join(splits)}.csv"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches and history of the test's own; acts write to the working folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=["reject", "zero", "text"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Competition:
    """OTTO's own task, with missing rows refused or counted as empty; and one with text as ids."""
    if request.param == "text":
        return competition(tmp_path, TEXT, TEXT_OPTIONS, TEXT_SESSIONS)
    options = ("--missing-rows", request.param)
    return competition(tmp_path, replace(OTTO, missing_rows=request.param), options, SESSIONS)


def competition(
    folder: Path, task: Task, options: tuple[str, ...], sessions: list[int] | list[str]
) -> Competition:
    """Has the ground truth read as the server has it read, with two sessions on either side."""
    names = {f"{s}_{name}" if name else str(s): (s, name) for s in sessions for name in task.names}
    sides = {row: "public" if s in sessions[:2] else "private" for row, (s, _) in names.items()}
    labels = {row: LABELS[name] for row, (_, name) in names.items()}
    head = f"{task.id_column},labels"
    write(folder / "sample.csv", head, [f"{row}," for row in names])
    write(
        folder / "usage.csv",
        f"{head},Usage",
        [f"{row},{labels[row]},{sides[row].title()}" for row in names],
    )
    for splits in (("public",), ("private",), ("public", "private")):
        shown = [f"{row},{labels[row] if sides[row] in splits else ''}" for row in names]
        write(folder / f"{'-'.join(splits)}.csv", head, shown)
    wanted = ReadTruth(
        file=folder / "usage.csv", task=task, published=None, split=Split(kind="usage")
    )
    with chdir(folder):
        read = TASKS[wanted.NAME](lambda _: None, encoded(wanted))
    return Competition(task, options, sessions, folder, read["sha256"])


def write(file: Path, head: str, rows: list[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in [head, *rows]))


def files(game: Competition) -> Iterator[bytes]:
    """Good and damaged files, the same ones in every run."""
    for number in range(FILES):
        rng = random.Random(f"agreement {number}")
        text = good_file(rng, game.task, game.sessions)
        for _ in range(rng.choice((0, 0, 1, 1, 1, 3))):
            text = mutated(rng, text)
        yield text


def compare(game: Competition, file: Path, server: dict[str, Any]) -> None:
    """Checks that all offline commands agree with the server's document about a file."""
    validated = [
        game.types("validate", file, "--sample", game.folder / "sample.csv"),
        game.types("validate", file, "--truth", game.labels_of("public", "private")),
    ]
    scored = game.types("score", file, "--truth", game.labels_of("public", "private"))
    if server["status"] == "rejected":
        refusal = (3, {"status": "rejected", "problem": server["problem"]})
        assert [*validated, scored] == [refusal] * 3
        return
    # Only the preset says whether an item may stand twice in a list.
    unchecked = validated[0][1].pop("not_checked", [])
    assert unchecked == (["repeated items"] if game.task.item_ids == "string" else [])
    assert validated == [(0, {"status": "valid", "counts": server["counts"]})] * 2
    assert scored[1]["counts"] == server["counts"]
    for split in ("public", "private"):
        code, own = game.types("score", file, "--truth", game.labels_of(split))
        assert (code, own["score"]) == (0, float(Fraction(server["scores"][split])))
        assert own["standard_error"] == server["splits"][split]["standard_error"]
        for name, figures in own["objectives"].items():
            assert figures["hits"] == server["splits"][split]["hits"][name]
            assert figures["denominator"] == server["splits"][split]["denominators"][name]


def test_hundreds_of_files_are_judged_alike_on_both_sides(game: Competition) -> None:
    file = game.folder / "submission.csv"
    seen = {"scored": 0, "rejected": 0}
    for number, text in enumerate(files(game)):
        file.write_bytes(text)
        server = game.judged(file)
        if number % SANDBOXED_EVERY == 0:
            assert game.judged_in_a_child(file) == server
        compare(game, file, server)
        seen[server["status"]] += 1
    assert min(seen.values()) > FILES // 5, seen


GOOD = "".join(f"{s}_{name},1 2 3\n" for s in SESSIONS for name in OTTO.names).encode()
H = b"session_type,labels\n"

ENTRIES: dict[str, bytes] = {
    "good": H + GOOD,
    "empty": b"",
    "one line end": b"\n",
    "header only": H,
    "byte order mark": b"\xef\xbb\xbf" + H + GOOD,
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + H + GOOD,
    "UTF-16": (H + GOOD).decode().encode("utf-16"),
    "CRLF": (H + GOOD).replace(b"\n", b"\r\n"),
    "CR only": (H + GOOD).replace(b"\n", b"\r"),
    "no final line end": (H + GOOD)[:-1],
    "blank lines at the end": H + GOOD + b"\n\n\n",
    "blank line in the middle": H + b"\n" + GOOD,
    "last line cut": H + GOOD[: GOOD.rindex(b"_") + 3],
    "NUL in labels": H + GOOD.replace(b"1 2", b"1\x002", 1),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "invalid UTF-8": H + GOOD.replace(b"1 2", b"1\xff2", 1),
    "web page": b"<!DOCTYPE html><html><body>Sign in</body></html>\n",
    "JSON": b'{"session": 8, "labels": [1]}\n',
    "separator line": b"sep=,\n" + H + GOOD,
    "no header": GOOD,
    "columns exchanged": b"labels,session_type\n"
    + b"".join(b",".join(reversed(line.split(b","))) + b"\n" for line in GOOD.splitlines()),
    "column twice": b"session_type,session_type\n" + GOOD,
    "index column": b",session_type,labels\n" + b"0," + GOOD,
    "semicolons": (H + GOOD).replace(b",", b";"),
    "labels with commas": H + GOOD.replace(b"1 2 3", b"1,2,3", 1),
    "quoted labels with commas": H + GOOD.replace(b"1 2 3", b'"1,2,3"', 1),
    "open quote": H + GOOD.replace(b"1 2 3", b'"1 2 3', 1),
    "stray quote": H + GOOD.replace(b"1 2 3", b'1"2 3', 1),
    "line end in quotes": H + GOOD.replace(b"1 2 3", b'"1\n2"', 1),
    "unknown session": H + GOOD + b"77_clicks,1\n",
    "unknown objective": H + GOOD.replace(b"8_clicks", b"8_views", 1),
    "row twice": H + GOOD + b"8_clicks,1 2 3\n",
    "id with a zero before it": H + GOOD.replace(b"8_clicks", b"08_clicks", 1),
    "item too large": H + GOOD.replace(b"1 2 3", b"2147483648", 1),
    "negative item": H + GOOD.replace(b"1 2 3", b"-1", 1),
    "decimal item": H + GOOD.replace(b"1 2 3", b"1.0", 1),
    "twenty-five problems": H + GOOD + b"".join(b"%d_clicks,x\n" % n for n in range(100, 125)),
    "gzip": gzip.compress(H + GOOD),
    "gzip cut": gzip.compress(H + GOOD)[:-9],
    "gzip with something behind": gzip.compress(H + GOOD) + b"more",
    "zstandard": zstd.compress(H + GOOD),
    "zstandard cut": zstd.compress(H + GOOD)[:-5],
    "bzip2": bz2.compress(H + GOOD),
}


def zipped(*names: str) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name in names:
            archive.writestr(name, H + GOOD)
    return sink.getvalue()


def parquet(**columns: list[Any]) -> bytes:
    sink = io.BytesIO()
    pl.DataFrame(columns).write_parquet(sink)
    return sink.getvalue()


IDS = [line.split(b",")[0].decode() for line in GOOD.splitlines()]

ENTRIES |= {
    "zip": zipped("a.csv"),
    "zip of two": zipped("a.csv", "b.csv"),
    "Parquet": parquet(session_type=IDS, labels=[[1, 2, 3]] * len(IDS)),
    "Parquet of text": parquet(session_type=IDS, labels=["1 2 3"] * len(IDS)),
    "Parquet with a null": parquet(session_type=IDS, labels=[None, *["1"] * (len(IDS) - 1)]),
    "Parquet with other columns": parquet(session=IDS, labels=["1"] * len(IDS)),
    "Parquet cut": parquet(session_type=IDS, labels=["1"] * len(IDS))[:-20],
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entries_of_the_catalogue_get_the_same_answer(name: str, tmp_path: Path) -> None:
    game = competition(tmp_path, OTTO, (), SESSIONS)
    file = tmp_path / "submission"
    file.write_bytes(ENTRIES[name])
    compare(game, file, game.judged(file))

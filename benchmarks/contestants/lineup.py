"""The contestants and their files, what each one checks, and the reasons of those left out."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks.contest import Contestant, nothing, of_ours
from benchmarks.contestants import official

FLOOR, OURS, EIGHT = "floor", "ours", "ours, eight metrics more"
TENTH, PARQUET = "ours, a tenth of the sessions", "ours, Parquet"
DUCKDB, PYTHON, SCRIPT = "DuckDB query", "plain Python", "usual Polars script"
OFFICIAL, OFFICIAL_TENTH = "official `evaluate.py`", "official `evaluate.py`, a tenth"
CHILD, NDJSON, PREPARE = "judge child, one session", "`scan_ndjson`", "`podium otto prepare`"
INFLATING = {"gzip": "inflating by isal", "zstd": "inflating by zstd"}
PACKED = {kind: f"ours, {kind}" for kind in INFLATING}
THREADS = {1: "ours, one thread", 2: "ours, two threads"}
ORDERS = {order: f"ours, {order}" for order in ("by-type", "shuffled")}
COMMANDS = {
    name: f"`podium {name}`" for name in ("score", "blend", "compare", "overlap", "analyze")
}

RANK_METRICS = "precision recall recall_capped hit_rate mrr map map_capped ndcg"

NOTHING = "nothing"
EVERYTHING = "all"
ALL = (
    "All: the form of the file, of rows, ids and items, repeated and unknown ids, repeated items,"
    " missing rows, and every problem with its line."
)
TWO_COLUMNS = "that rows have two columns"
NUMBERS = "that sessions and items are numbers, by failing"
ON_TENTH = "tenth"


@dataclass
class Lineup:
    """Contestants on the files of a folder, and of another one with a tenth of the sessions.
    `data` is where the official script is looked for; `not_run` says who is left out, and why."""

    whole: Path
    tenth: Path
    data: Path
    not_run: list[str] = field(default_factory=list)

    @property
    def every_round(self) -> list[Contestant]:
        """Those that take part in every round."""
        files = self.whole
        variants = [_ours(name, files / f"{order}.csv", files) for order, name in ORDERS.items()]
        threads = [
            _ours(name, self._file, files, threads=number) for number, name in THREADS.items()
        ]
        return [
            floor_of(self._file),
            _ours(OURS, self._file, files),
            _ours(EIGHT, self._file, files, [f"{name}@20" for name in RANK_METRICS.split()]),
            *self._duckdb,
            *variants,
            _ours(PARQUET, files / "interleaved.parquet", files),
            *self._packed,
            _ours(TENTH, self.tenth / "interleaved.csv", self.tenth, question=ON_TENTH),
            *threads,
            Contestant(CHILD, of_ours("contestants.judge_child")),
            *self._commands,
            *self._preparing,
        ]

    @property
    def once(self) -> list[Contestant]:
        """Those that are too slow for more than one round on the smaller files."""
        return self._official(OFFICIAL_TENTH, self.tenth, ON_TENTH)

    @property
    def peers(self) -> list[Contestant]:
        """Those that are too slow for more than one round on all sessions."""
        table, labels = self.whole / "labels.parquet", self.whole / "test_labels.jsonl"
        script = of_ours("contestants.polars_script", str(self._file), str(table))
        python = of_ours("contestants.plain_python", str(self._file), str(labels))
        return [
            Contestant(SCRIPT, script, NUMBERS),
            Contestant(PYTHON, python, NUMBERS),
            *self._official(OFFICIAL, self.whole, "whole"),
        ]

    @property
    def _file(self) -> Path:
        return self.whole / "interleaved.csv"

    @property
    def _duckdb(self) -> list[Contestant]:
        if importlib.util.find_spec("duckdb") is None:
            self.not_run.append(f"{DUCKDB}: duckdb is not installed")
            return []
        labels = str(self.whole / "labels.parquet")
        command = of_ours("contestants.duckdb_query", str(self._file), labels)
        return [Contestant(DUCKDB, command, TWO_COLUMNS)]

    @property
    def _packed(self) -> list[Contestant]:
        """Compressed files: merely inflating each, and judging it."""
        found = []
        for kind, suffix in (("gzip", ".gz"), ("zstd", ".zst")):
            file = self._file.with_name(self._file.name + suffix)
            command = of_ours("contestants.inflating", str(file))
            found.append(Contestant(INFLATING[kind], command, NOTHING))
            found.append(_ours(PACKED[kind], file, self.whole))
        return found

    @property
    def _commands(self) -> list[Contestant]:
        """Offline commands as participants run them."""
        one, other = str(self._file), str(self.whole / "other.csv")
        truth = ("--truth", str(self.whole / "test_labels.jsonl"))
        arguments = {
            "score": (one, *truth),
            "blend": (one, other, "--out", str(self.whole / "blend.csv")),
            "compare": (one, other, *truth),
            "overlap": (one, other),
            "analyze": (one, *truth),
        }
        return [
            _podium(COMMANDS[name], EVERYTHING, name, *given) for name, given in arguments.items()
        ]

    @property
    def _preparing(self) -> list[Contestant]:
        raw, to = str(self.tenth / "raw" / "raw_sessions.jsonl"), str(self.tenth / "prepared")
        given = ("otto", "prepare", raw, "--to", to, "--seed", "42")
        return [
            Contestant(NDJSON, of_ours("contestants.ndjson_floor", raw), NOTHING),
            _podium(PREPARE, "all values of all events, repeated sessions", *given),
        ]

    @cached_property
    def _script(self) -> official.OfficialScript | None:
        try:
            return official.OfficialScript.found(self.data)
        except official.NotThere as reason:
            self.not_run.append(f"{OFFICIAL}: {reason}")
            return None

    def _official(self, name: str, files: Path, question: str) -> list[Contestant]:
        return [self._script.contestant(name, files, question)] if self._script else []


def floor_of(file: Path) -> Contestant:
    """Reading a file without judging it."""
    return Contestant(FLOOR, of_ours("contestants.floor", str(file)), NOTHING)


def _ours(
    name: str,
    file: Path,
    prepared: Path,
    metrics: list[str] | None = None,
    *,
    threads: int | None = None,
    question: str = "whole",
) -> Contestant:
    command = of_ours("contestants.ours", str(file), str(prepared), *(metrics or ()))
    environment = {} if threads is None else {"POLARS_MAX_THREADS": str(threads)}
    return Contestant(name, command, EVERYTHING, question, environment=environment)


def _podium(name: str, checks: str, *arguments: str) -> Contestant:
    command = (sys.executable, "-m", "podium.cli", *arguments)
    return Contestant(name, command, checks, told=nothing, keeps=True)

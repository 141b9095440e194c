"""The real tasks in real children, on a competition small enough to score by hand."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from podium.preparation.clickstreams import Columns
from podium.preparation.options import ColumnChoice, Options
from podium.sandbox import Answer, FailureReason, FileProblem, Limits, Rejected, Result, SandboxTask
from podium.sandbox.children import ChildSandbox
from podium.sandbox.definitions.judging import Counts, Judged, JudgeFile
from podium.sandbox.definitions.launches import Probe
from podium.sandbox.definitions.materials import Cutting, Hiding, IdsRead, ReadIds, ReadTruth, Split
from podium.scoring.task import OTTO

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=30, file_bytes=1 << 30)
SPLIT = Split(kind="hash", secret="00" * 32, public_fraction="0.5")
LABELS = (
    '{"session": 1, "labels": {"clicks": 10, "carts": [20, 21], "orders": [30]}}\n'
    '{"session": 2, "labels": {"clicks": 11, "orders": [31, 32]}}\n'
    '{"session": 3, "labels": {"clicks": 12, "carts": [22], "orders": [33]}}\n'
    '{"session": 4, "labels": {"clicks": 13, "carts": [23], "orders": [34]}}\n'
)


class Bench:
    """A folder with a ground truth and its published ids, made by the sandbox itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labels = folder / "labels.jsonl"
        self.labels.write_text(LABELS)
        made = folder / "made"
        wanted = ReadTruth(file=self.labels, task=OTTO, published=None, split=SPLIT)
        self.read = good(self.run(wanted, "made"))
        self.truth, self.published = made / "truth.parquet", made / "published.parquet"

    def run(self, task: SandboxTask[Answer], scratch: str) -> Result[Answer | Rejected]:
        (self.folder / scratch).mkdir(exist_ok=True)
        return ChildSandbox().run(task, limits=LIMITS, scratch=self.folder / scratch)

    def judge(self, content: bytes, *, truth_sha256: str = "") -> Result[Judged | Rejected]:
        file = self.folder / "submission"
        file.write_bytes(content)
        wanted = JudgeFile(
            file=file,
            task=OTTO,
            published=self.published,
            truth=self.truth,
            truth_sha256=truth_sha256 or self.read.sha256,
        )
        return self.run(wanted, "judged")


def good(result: Result[Answer | Rejected]) -> Answer:
    """The answer of a child that found the file good."""
    assert result.answer is not None, result.report
    assert not isinstance(result.answer, Rejected), result.answer.problem
    return result.answer


def refusal(result: Result[Answer | Rejected]) -> FileProblem:
    """The problem of a file that a child has rejected."""
    assert isinstance(result.answer, Rejected), result
    return result.answer.problem


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def submission(**labels: str) -> bytes:
    rows = [
        f"{session}_{kind},{labels.get(f'{kind}_{session}', '')}"
        for session in (1, 2, 3, 4)
        for kind in ("clicks", "carts", "orders")
    ]
    return "\n".join(["session_type,labels", *rows]).encode()


def test_a_ground_truth_is_read_to_a_hashed_canonical_file(bench: Bench) -> None:
    assert bench.read.sha256 == hashlib.sha256(bench.truth.read_bytes()).hexdigest()
    assert bench.read.summary["sessions"] == 4
    assert bench.read.summary["labels"] == 13
    assert pl.read_parquet(bench.published)["session"].to_list() == [1, 2, 3, 4]


def test_a_submission_is_scored_with_integers_on_both_splits(bench: Bench) -> None:
    content = submission(clicks_1="10", clicks_2="9 11", orders_3="33", orders_2="31", carts_4="1")
    judged = good(bench.judge(content))
    assert judged.counts == Counts(rows=12, missing=0, empty=7)
    hits = {
        kind: sum(split.hits[kind] for split in judged.splits.values())
        for kind in ("clicks", "carts", "orders")
    }
    assert hits == {"clicks": 2, "carts": 0, "orders": 2}
    denominators = [split.denominators["orders"] for split in judged.splits.values()]
    assert sum(denominators) == 5
    assert set(judged.scores) == {"public", "private"}
    assert pl.read_parquet(bench.folder / "judged" / "hits.parquet").height == 4


def test_a_bad_file_is_rejected_with_its_line(bench: Bench) -> None:
    problem = refusal(bench.judge(submission(clicks_2="eleven")))
    assert (problem.code, problem.line) == ("bad-label", 5)


def test_a_ground_truth_with_another_hash_is_our_error_and_gives_no_score(bench: Bench) -> None:
    result = bench.judge(submission(), truth_sha256="0" * 64)
    assert result.failure is FailureReason.OUR_ERROR
    assert "GroundTruthCorrupt" in result.report


def test_a_flipped_bit_in_the_ground_truth_is_our_error(bench: Bench) -> None:
    content = bytearray(bench.truth.read_bytes())
    content[len(content) // 2] ^= 1
    bench.truth.write_bytes(content)
    assert bench.judge(submission()).failure is FailureReason.OUR_ERROR


@pytest.mark.parametrize("landlock", [1, None])
def test_a_clickstream_becomes_a_ground_truth_under_every_version_of_landlock(
    tmp_path: Path, landlock: int | None
) -> None:
    """Files that are made aside are moved to their place; the first version lets nothing move."""
    events = [
        f"user {user:02},item {item},2026-0{1 if user < 20 else 2}-01T00:00:0{item}Z"
        for user in range(80)
        for item in range(5)
    ]
    file, scratch = tmp_path / "events.csv", tmp_path / "scratch"
    file.write_text("\n".join(["who,what,when", *events]))
    (scratch / "sessions").mkdir(parents=True)
    columns = Columns(user="who", item="what", time="when", type=None, unit="iso", text_ids=True)
    wanted = ReadTruth(
        file=file,
        task=replace(OTTO, objectives=OTTO.objectives[:1]),
        published=None,
        split=SPLIT,
        cutting=Cutting(key="11" * 32, days=7, columns=columns),
    )
    sandbox = ChildSandbox(landlock_at_most=landlock)
    read = good(sandbox.run(wanted, limits=LIMITS, scratch=scratch))
    assert read.files == ("train_sessions.jsonl", "test_sessions.jsonl", "item_names.csv")
    for name in read.files:
        assert (scratch / "sessions" / name).stat().st_size


def test_published_ids_are_read(bench: Bench) -> None:
    listed = bench.folder / "ids.csv"
    listed.write_text("session\n7\n5\n")
    to = bench.folder / "ids" / "published.parquet"
    assert good(bench.run(ReadIds(file=listed, task=OTTO), "ids")) == IdsRead(sessions=2)
    assert pl.read_parquet(to)["session"].to_list() == [7, 5]


def test_a_bad_ground_truth_is_rejected_with_its_line(bench: Bench) -> None:
    bench.labels.write_text(LABELS + '{"session": 1, "labels": {}}\n')
    wanted = ReadTruth(file=bench.labels, task=OTTO, published=None, split=Split(kind="usage"))
    problem = refusal(bench.run(wanted, "again"))
    assert [error.code for error in problem.errors].count("duplicate-id") == 1


def test_a_launch_probe_finds_the_optimum_the_worst_and_the_sample(bench: Bench) -> None:
    wanted = Probe(
        task=OTTO,
        published=bench.published,
        truth=bench.truth,
        truth_sha256=bench.read.sha256,
    )
    probed = good(bench.run(wanted, "probe"))
    assert probed.perfect_is_optimal
    assert probed.empty_is_worst
    assert probed.sample_is_accepted
    figures = probed.splits["public"]
    assert (figures.perfect, figures.optimum, figures.empty, figures.random) == ("1", "1", "0", "1")
    assert figures.standard_error is not None
    assert figures.standard_error > 0


@pytest.mark.parametrize("landlock", [1, 2, None])
def test_whole_sessions_are_prepared_on_old_kernels_too(
    tmp_path: Path, landlock: int | None
) -> None:
    file = tmp_path / "sessions.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "session": number,
                    "events": [
                        {"aid": number + at, "ts": 1_700_000_000_000 + at * 1000, "type": kind}
                        for at, kind in enumerate(["clicks", "carts", "orders"] * 4)
                    ],
                }
            )
            + "\n"
            for number in range(60)
        )
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    wanted = ReadTruth(
        file=file,
        task=OTTO,
        published=None,
        split=SPLIT,
        cutting=Cutting(key="00" * 32, days=None, columns=None),
    )
    sandbox = ChildSandbox(landlock_at_most=landlock)
    result = sandbox.run(wanted, limits=LIMITS, scratch=scratch)
    prepared = {f"sessions/{name}" for name in good(result).files}
    assert {*prepared, "truth.parquet", "published.parquet"} == set(result.files)


@pytest.mark.parametrize("landlock", [1, None])
@pytest.mark.parametrize("container", ["plain", "gzip"])
def test_interactions_are_hidden_under_every_version_of_landlock(
    tmp_path: Path, landlock: int | None, container: str
) -> None:
    rows = [f"u{user}::{item}::{item % 5}" for user in range(60) for item in range(user, user + 6)]
    file, scratch = tmp_path / "ratings.dat", tmp_path / "scratch"
    content = "\n".join(rows).encode()
    file.write_bytes(gzip.compress(content) if container == "gzip" else content)
    scratch.mkdir()
    options = Options(source=ColumnChoice(rating="3"), pick="random", format="csv")
    wanted = ReadTruth(
        file=file,
        task=OTTO,
        published=None,
        split=SPLIT,
        cutting=Hiding(key="11" * 32, options=options, may_fit=True),
    )
    sandbox = ChildSandbox(landlock_at_most=landlock)
    result = sandbox.run(wanted, limits=LIMITS, scratch=scratch)
    read = good(result)
    assert read.files == ("train.csv", "items.csv", "report.md", "dataset.json")
    assert read.settings == {"query_ids": "string", "objectives": {"items": 1}, "id_column": "user"}
    made = {f"interactions/{name}" for name in read.files}
    assert {*made, "truth.parquet", "published.parquet", "items.parquet"} == set(result.files)
    train = (scratch / "interactions" / "train.csv").read_text().splitlines()
    assert len(train) == 1 + 60 * 5


def test_a_bomb_of_commas_is_refused_or_dies_in_the_child_and_nowhere_else(bench: Bench) -> None:
    result = bench.judge(gzip.compress(b"," * 30_000_000))
    assert result.answer is None or isinstance(result.answer, Rejected)

"""The real acts in real children, on a competition small enough to score by hand."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.sandbox import Death, Ending, Limits, Order
from podium.sandbox.children import ChildSandbox
from podium.scoring.task import OTTO

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=30, file_bytes=1 << 30)
TASK = OTTO.to_dict()
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
        document = self.run(
            "read-ground-truth",
            "made",
            file=str(self.labels),
            task=TASK,
            published=None,
            split={"kind": "hash", "secret": "00" * 32, "public_fraction": "0.5"},
            truth_to=str(made / "truth.parquet"),
            published_to=str(made / "published.parquet"),
        ).document
        assert document is not None
        self.read = document
        self.truth, self.published = made / "truth.parquet", made / "published.parquet"

    def run(self, act: str, scratch: str, **arguments: Any) -> Ending:
        (self.folder / scratch).mkdir(exist_ok=True)
        return ChildSandbox().run(
            Order(act, arguments), limits=LIMITS, scratch=self.folder / scratch
        )

    def judge(self, content: bytes, **changed: Any) -> Ending:
        file = self.folder / "submission"
        file.write_bytes(content)
        arguments = {
            "file": str(file),
            "task": TASK,
            "published": str(self.published),
            "truth": str(self.truth),
            "truth_sha256": self.read["sha256"],
            "hits_to": str(self.folder / "judged" / "hits.parquet"),
        }
        return self.run("judge", "judged", **(arguments | changed))


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
    assert bench.read["status"] == "read"
    assert bench.read["sha256"] == hashlib.sha256(bench.truth.read_bytes()).hexdigest()
    assert bench.read["summary"]["sessions"] == 4
    assert bench.read["summary"]["labels"] == 13
    assert pl.read_parquet(bench.published)["session"].to_list() == [1, 2, 3, 4]


def test_a_submission_is_scored_with_integers_on_both_splits(bench: Bench) -> None:
    content = submission(clicks_1="10", clicks_2="9 11", orders_3="33", orders_2="31", carts_4="1")
    document = bench.judge(content).document
    assert document is not None
    assert document["status"] == "scored"
    assert document["counts"] == {"rows": 12, "missing": 0, "empty": 7}
    hits = {
        kind: sum(split["hits"][kind] for split in document["splits"].values())
        for kind in ("clicks", "carts", "orders")
    }
    assert hits == {"clicks": 2, "carts": 0, "orders": 2}
    denominators = [split["denominators"]["orders"] for split in document["splits"].values()]
    assert sum(denominators) == 5
    assert set(document["scores"]) == {"public", "private"}
    assert pl.read_parquet(bench.folder / "judged" / "hits.parquet").height == 4


def test_a_bad_file_is_rejected_with_its_line(bench: Bench) -> None:
    document = bench.judge(submission(clicks_2="eleven")).document
    assert document is not None
    assert document["status"] == "rejected"
    assert document["problem"]["code"] == "bad-label"
    assert document["problem"]["line"] == 5


def test_a_ground_truth_with_another_hash_is_our_error_and_gives_no_score(bench: Bench) -> None:
    ending = bench.judge(submission(), truth_sha256="0" * 64)
    assert ending.death is Death.OUR_ERROR
    assert "GroundTruthCorrupt" in ending.report


def test_a_flipped_bit_in_the_ground_truth_is_our_error(bench: Bench) -> None:
    content = bytearray(bench.truth.read_bytes())
    content[len(content) // 2] ^= 1
    bench.truth.write_bytes(content)
    assert bench.judge(submission()).death is Death.OUR_ERROR


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
    order = {
        "file": str(file),
        "task": {**TASK, "objectives": TASK["objectives"][:1]},
        "published": None,
        "split": {"kind": "hash", "secret": "00" * 32, "public_fraction": "0.5"},
        "truth_to": str(scratch / "truth.parquet"),
        "published_to": str(scratch / "published.parquet"),
        "cutting": {
            "key": "11" * 32,
            "days": 7,
            "columns": ["who", "what", "when", None, "iso", True],
        },
        "files_to": str(scratch / "sessions"),
    }
    sandbox = ChildSandbox(landlock_at_most=landlock)
    ending = sandbox.run(Order("read-ground-truth", order), limits=LIMITS, scratch=scratch)
    assert ending.document is not None, ending.report
    assert ending.document["status"] == "read", ending.document
    assert ending.document["files"] == [
        "train_sessions.jsonl",
        "test_sessions.jsonl",
        "item_names.csv",
    ]
    for name in ending.document["files"]:
        assert (scratch / "sessions" / name).stat().st_size


def test_published_ids_are_read(bench: Bench) -> None:
    listed = bench.folder / "ids.csv"
    listed.write_text("session\n7\n5\n")
    to = bench.folder / "ids" / "published.parquet"
    document = bench.run(
        "read-published-ids", "ids", file=str(listed), task=TASK, published_to=str(to)
    ).document
    assert document == {"status": "read", "sessions": 2}
    assert pl.read_parquet(to)["session"].to_list() == [7, 5]


def test_a_bad_ground_truth_is_rejected_with_its_line(bench: Bench) -> None:
    bench.labels.write_text(LABELS + '{"session": 1, "labels": {}}\n')
    document = bench.run(
        "read-ground-truth",
        "again",
        file=str(bench.labels),
        task=TASK,
        published=None,
        split={"kind": "usage"},
        truth_to=str(bench.folder / "again" / "t"),
        published_to=str(bench.folder / "again" / "p"),
    ).document
    assert document is not None
    assert document["status"] == "rejected"
    assert [error["code"] for error in document["problem"]["errors"]].count("duplicate-id") == 1


def test_a_launch_probe_finds_the_optimum_the_worst_and_the_sample(bench: Bench) -> None:
    document = bench.run(
        "probe",
        "probe",
        task=TASK,
        published=str(bench.published),
        truth=str(bench.truth),
        truth_sha256=bench.read["sha256"],
    ).document
    assert document is not None
    assert document["perfect_is_optimal"]
    assert document["empty_is_worst"]
    assert document["sample_is_accepted"]
    figures = document["splits"]["public"]
    assert figures.pop("standard_error") > 0
    assert figures == {"perfect": "1", "optimum": "1", "empty": "0", "random": "1"}


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
    order = Order(
        "read-ground-truth",
        {
            "file": str(file),
            "task": TASK,
            "published": None,
            "split": {"kind": "hash", "secret": "00" * 32, "public_fraction": "0.5"},
            "truth_to": str(scratch / "truth.parquet"),
            "published_to": str(scratch / "published.parquet"),
            "cutting": {"key": "00" * 32, "days": None, "columns": None},
            "files_to": str(scratch / "sessions"),
        },
        leaves=("truth.parquet", "sessions/test_sessions.jsonl", "sessions/train_sessions.jsonl"),
    )
    sandbox = ChildSandbox(landlock_at_most=landlock)
    ending = sandbox.run(order, limits=LIMITS, scratch=scratch)
    assert ending.document is not None, ending.report
    assert ending.document["status"] == "read", ending.document
    assert {f"sessions/{name}" for name in ending.document["files"]} | {"truth.parquet"} == set(
        ending.files
    )


def test_a_bomb_of_commas_is_refused_or_dies_in_the_child_and_nowhere_else(bench: Bench) -> None:
    import gzip

    ending = bench.judge(gzip.compress(b"," * 30_000_000))
    assert ending.document is None or ending.document["status"] == "rejected"

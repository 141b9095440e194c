"""The same sessions give the same bytes, however they are divided, packed, ordered and read."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from podium.otto.synthetic import synthesize_raw
from podium.preparation.files import text
from podium.preparation.files.text import Container
from podium.preparation.sessions import keyed_cuts, prepare, seeded_key, spool
from tests.builders.otto.files import event, folder, lines, write_raw
from tests.builders.zstd import zstd

CUTS = keyed_cuts(seeded_key(1))


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthesize_raw(tmp_path_factory.mktemp("raw"), sessions=300, seed=5)


@pytest.fixture(scope="module")
def expected(raw: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("expected")
    prepare([raw], out, cuts=CUTS, days=7)
    found = dict(folder(out))
    assert set(found) == {"train_sessions.jsonl", "test_sessions.jsonl", "test_labels.jsonl"}
    assert all(found.values())
    return found


def shuffled(raw: Path, to: Path, parts: int) -> list[Path]:
    """The lines in no order, dealt out to several files."""
    rows = raw.read_bytes().splitlines(keepends=True)
    random.Random(2).shuffle(rows)
    files = [to / f"{part}.jsonl" for part in range(parts)]
    for part, file in enumerate(files):
        file.write_bytes(b"".join(rows[part::parts]))
    return files


def test_the_order_of_lines_and_files_changes_nothing(
    raw: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    files = shuffled(raw, tmp_path, 3)
    for number, given in enumerate((files, files[::-1])):
        out = tmp_path / str(number)
        prepare(given, out, cuts=CUTS, days=7)
        assert folder(out) == expected


def test_the_size_of_blocks_and_ranges_changes_nothing(
    raw: Path, expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = shuffled(raw, tmp_path, 2)
    monkeypatch.setattr(text, "BLOCK_BYTES", 100_000)
    monkeypatch.setattr(spool, "RANGE_EVENTS", 1_000)
    prepare(files, tmp_path / "out", cuts=CUTS, days=7)
    assert folder(tmp_path / "out") == expected


def test_no_session_is_lost_where_every_one_is_a_range_and_a_block_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = write_raw(tmp_path / "raw.jsonl", [(n, [event(n, 1), event(9, 2)]) for n in (3, 0, 4, 1)])
    monkeypatch.setattr(text, "BLOCK_BYTES", 50)
    monkeypatch.setattr(spool, "RANGE_EVENTS", 2)
    made = prepare([raw], tmp_path / "out", cuts=CUTS, days=None)
    seen = [(line["session"], line["events"]) for line in lines(made.test)]
    assert seen == [(n, [event(n, 1)]) for n in (0, 1, 3, 4)]
    assert [line["labels"] for line in lines(made.labels)] == [{"clicks": 9}] * 4


def test_gzip_and_zstd_are_read_by_their_first_bytes(
    raw: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    one, two = shuffled(raw, tmp_path, 2)
    one.write_bytes(gzip.compress(one.read_bytes()))
    rows = two.read_bytes().splitlines(keepends=True)
    halves = b"".join(rows[:50]), b"".join(rows[50:])
    two.write_bytes(b"".join(zstd.compress(half) for half in halves))
    prepare([one, two], tmp_path / "out", cuts=CUTS, days=7)
    assert folder(tmp_path / "out") == expected


@pytest.mark.parametrize("container", ["gz", "zst"])
def test_compressed_files_hold_the_same_text_and_are_the_same_every_time(
    container: Container, raw: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    outs = [tmp_path / "1", tmp_path / "2"]
    for out in outs:
        made = prepare([raw], out, cuts=CUTS, days=7, container=container)
    assert folder(outs[0]) == folder(outs[1])
    assert made.test == outs[1] / f"test_sessions.jsonl.{container}"
    packed = made.test.read_bytes()
    plain = gzip.decompress(packed) if container == "gz" else zstd.decompress(packed)
    assert plain == expected["test_sessions.jsonl"]
    assert made.labels.read_bytes() == expected["test_labels.jsonl"]


def test_the_number_of_threads_changes_nothing(
    raw: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    program = (
        "import sys; from pathlib import Path;"
        "from podium.preparation.sessions import keyed_cuts, prepare, seeded_key;"
        "prepare([Path(sys.argv[1])], Path(sys.argv[2]), cuts=keyed_cuts(seeded_key(1)), days=7)"
    )
    environment = os.environ | {"POLARS_MAX_THREADS": "1"}
    command = [sys.executable, "-c", program, str(raw), str(tmp_path / "out")]
    subprocess.run(command, env=environment, check=True)
    assert folder(tmp_path / "out") == expected


def test_another_key_cuts_elsewhere_and_changes_nothing_else(
    raw: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    prepare([raw], tmp_path, cuts=keyed_cuts(b"another"), days=7)
    found = folder(tmp_path)
    assert found["train_sessions.jsonl"] == expected["train_sessions.jsonl"]
    assert found["test_sessions.jsonl"] != expected["test_sessions.jsonl"]
    other = {line["session"] for line in lines(tmp_path / "test_sessions.jsonl")}
    assert other == {int(row.split(b",")[0].split(b" ")[1]) for row in _rows(expected)}


def _rows(expected: dict[str, bytes]) -> list[bytes]:
    return expected["test_sessions.jsonl"].splitlines()

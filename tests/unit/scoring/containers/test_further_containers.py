"""Containers of the form `containers`: xz, bzip2, and zip archives with litter of systems."""

from __future__ import annotations

import bz2
import gzip
import lzma
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from podium.scoring.containers.detection import FREE_BYTES, MAX_RATIO
from podium.scoring.problems import FileRejected
from podium.scoring.task import OTTO
from tests.builders.scoring.submissions import GOOD, read_file, served_before_refusal
from tests.builders.scoring.submissions import refused as refused_for
from tests.builders.scoring.zips import Entry, archive

TASK = replace(OTTO, forms=("containers",))
XZ, BZIP2 = lzma.compress(GOOD), bz2.compress(GOOD)
FOLDER = Entry(b"", name=b"folder/", method=0, central={"mode": 0o040755})
APPLE = Entry(b"\0\5\x16\7", name=b"__MACOSX/folder/._x.csv")
LITTER = [
    FOLDER,
    Entry(b"", name=b"folder/on DOS/", method=0, central={"mode": 0, "made_by": 0}),
    APPLE,
    Entry(b"\0\0\0\1Bud1", name=b".DS_Store"),
    Entry(b"", name=b"folder/.DS_Store", method=0),
    Entry(b"\xd0\xcf\x11\xe0", name=b"folder/Thumbs.db"),
    Entry(b"[.ShellClassInfo]", name=b"desktop.ini"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


def read(file: Path, content: bytes) -> bytes:
    file.write_bytes(content)
    return read_file(file, task=TASK)


def refused(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    return refused_for(file, task=TASK)


def with_dictionary(size: int) -> bytes:
    return lzma.compress(GOOD, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": size}])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(XZ, id="xz"),
        pytest.param(lzma.compress(GOOD, preset=9 | lzma.PRESET_EXTREME), id="xz -9e"),
        pytest.param(lzma.compress(GOOD, check=lzma.CHECK_CRC32), id="xz of parallel programs"),
        pytest.param(lzma.compress(GOOD[:50]) + lzma.compress(GOOD[50:]), id="xz, two streams"),
        pytest.param(lzma.compress(b"") * 3 + XZ + lzma.compress(b""), id="xz, empty streams"),
        pytest.param(XZ + bytes(4), id="xz, padded"),
        pytest.param(lzma.compress(b"") + bytes(200_000) + XZ, id="xz, padded between"),
        pytest.param(BZIP2, id="bzip2"),
        pytest.param(bz2.compress(GOOD, 1), id="bzip2 -1"),
        pytest.param(bz2.compress(GOOD[:50]) + bz2.compress(GOOD[50:]), id="bzip2, two streams"),
        pytest.param(bz2.compress(b"") * 3 + BZIP2 + bz2.compress(b""), id="bzip2, empty streams"),
    ],
)
def test_everything_that_a_compressor_may_write_is_read(file: Path, content: bytes) -> None:
    assert read(file, content) == GOOD


def test_every_byte_may_have_a_stream_of_its_own(file: Path) -> None:
    for compress in (lzma.compress, bz2.compress):
        text = GOOD * 12
        content = b"".join(compress(text[at : at + 1]) for at in range(len(text)))
        assert len(content) > 1 << 16
        assert read(file, content) == text


@pytest.mark.parametrize(("content", "mark"), [(XZ, 6), (BZIP2, 10)])
def test_a_container_cut_at_any_byte_is_refused_as_cut(
    file: Path, content: bytes, mark: int
) -> None:
    for end in range(1, len(content)):
        # With fewer bytes than its mark has, a file is not yet a container.
        expected = ("archive-truncated",) if end >= mark else ("header-mismatch", "encoding")
        assert refused(file, content[:end]) in expected
        assert refused(file, content + content[:end]) == "archive-truncated"


@pytest.mark.parametrize("content", [XZ, BZIP2])
@pytest.mark.parametrize("surplus", [b"x", b"\0", bytes(5), GOOD, b"\xfd7zXZ\x01", b"BZi"])
def test_bytes_after_the_end_are_refused(file: Path, content: bytes, surplus: bytes) -> None:
    assert refused(file, content + surplus) == "archive-trailing-data"


def test_only_xz_is_padded(file: Path) -> None:
    assert refused(file, BZIP2 + bytes(4)) == "archive-trailing-data"
    assert refused(file, XZ + bytes(4) + b"x") == "archive-trailing-data"


@pytest.mark.parametrize("content", [XZ, BZIP2])
def test_no_flipped_bit_goes_unnoticed(file: Path, content: bytes) -> None:
    for place in range(len(content)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            file.write_bytes(flipped)
            try:
                text = read_file(file, task=TASK)
            except FileRejected:
                continue
            # A file without its mark is plain text, which its reader refuses.
            assert text in (GOOD, bytes(flipped))


def test_damage_is_told_apart_from_a_cut(file: Path) -> None:
    for content in (XZ, BZIP2):
        at = len(content) // 2
        damaged = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        assert refused(file, damaged) == "archive-corrupt"


def test_the_dictionary_of_xz_is_bounded(file: Path) -> None:
    assert read(file, with_dictionary(64 << 20)) == GOOD
    assert refused(file, with_dictionary(128 << 20)) == "archive-unsupported"


@pytest.mark.parametrize("content", [XZ, BZIP2])
def test_a_file_of_more_streams_than_a_real_one_has_is_refused(
    file: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.containers.streams.MAX_STREAMS", 3)
    assert read(file, content * 3) == GOOD * 3
    assert refused(file, content * 4) == "archive-unsupported"


def test_bombs_are_stopped_soon_and_in_little_memory(file: Path) -> None:
    newlines = b"\n" * (100 << 20)
    for bomb in (lzma.compress(newlines, preset=0), bz2.compress(newlines)):
        file.write_bytes(bomb)
        tracemalloc.start()
        started = time.process_time()
        served, code = served_before_refusal(file, task=TASK)
        assert code == "expanded-too-large"
        assert served <= max(FREE_BYTES, MAX_RATIO * len(bomb))
        assert tracemalloc.get_traced_memory()[1] < 192 << 20
        tracemalloc.stop()
        assert time.process_time() - started < 2


@pytest.mark.parametrize("inner", [gzip.compress(GOOD), XZ, BZIP2, archive(Entry(GOOD))])
def test_a_container_inside_a_container_is_not_opened(file: Path, inner: bytes) -> None:
    for outer in (lzma.compress(inner), bz2.compress(inner), gzip.compress(inner)):
        assert refused(file, outer) == "unsupported-media-type"


@pytest.mark.parametrize("number", range(len(LITTER)))
def test_litter_beside_the_file_of_a_zip_is_ignored(file: Path, number: int) -> None:
    assert read(file, archive(LITTER[number], Entry(GOOD))) == GOOD
    assert read(file, archive(Entry(GOOD, name=b"folder/x.csv"), LITTER[number])) == GOOD
    assert read(file, archive(*LITTER[:number], Entry(GOOD), *LITTER[number:])) == GOOD


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param(LITTER, id="litter alone"),
        pytest.param([FOLDER, Entry(GOOD), Entry(GOOD, name=b"y.csv")], id="two files"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"README.txt")], id="another file"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"x/__MACOSX/y")], id="not that of macOS"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"__MACOSX")], id="a file, no folder"),
        pytest.param([Entry(GOOD), Entry(b"x", name=b"folder/", method=0)], id="a full folder"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"../", method=0)], id="a folder above"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"/", method=0)], id="the root"),
        pytest.param([Entry(GOOD), replace(APPLE, name=b"__MACOSX/../x")], id="litter above"),
        pytest.param(
            [Entry(GOOD), replace(APPLE, central={"mode": 0o120777})], id="a link as litter"
        ),
        pytest.param(
            [Entry(GOOD), replace(FOLDER, central={"mode": 0o120777})], id="a link as a folder"
        ),
    ],
)
def test_all_other_members_are_refused(file: Path, entries: list[Entry]) -> None:
    assert refused(file, archive(*entries)) == "archive-members"


def test_litter_keeps_every_other_rule_of_zip_files(file: Path) -> None:
    locked = replace(APPLE, local={"flags": 1}, central={"flags": 1})
    assert refused(file, archive(Entry(GOOD), locked)) == "archive-unsupported"
    for broken in (
        archive(Entry(GOOD), APPLE, gap=b"x"),
        archive(Entry(GOOD), replace(APPLE, after=b"x"), Entry(b"", name=b"desktop.ini")),
        archive(Entry(GOOD), APPLE, APPLE),
        archive(APPLE, replace(Entry(GOOD), central={"crc": 7})),
        archive(Entry(GOOD), replace(APPLE, central={"crc": 7})),
    ):
        assert refused(file, broken) == "archive-corrupt"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (XZ, "unsupported-media-type"),
        (BZIP2, "unsupported-media-type"),
        (archive(Entry(GOOD), APPLE), "archive-members"),
    ],
)
def test_a_task_without_the_form_refuses_its_files(file: Path, content: bytes, code: str) -> None:
    file.write_bytes(content)
    assert refused_for(file) == code
    assert refused_for(file, task=replace(OTTO, forms=("separators", "no-header"))) == code

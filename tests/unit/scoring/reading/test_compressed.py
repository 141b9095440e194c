"""Containers by their bytes: what is recognized, gzip and zstd with everything wrong with them."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import tracemalloc
import zlib
from pathlib import Path

import pytest

from podium.scoring.containers.detection import FREE_BYTES, MAX_RATIO, Container, recognize
from podium.scoring.problems import FileRejected
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.submissions import (
    GOOD,
    read_file,
    refused,
    served_before_refusal,
    streamed,
)
from tests.builders.zstd import CHECKED, zstd

GZIPPED = gzip.compress(GOOD, mtime=0)
ZSTANDARD = zstd.compress(GOOD, options=CHECKED)
EMPTY_SKIPPABLE = b"\x50\x2a\x4d\x18" + struct.pack("<L", 3) + b"abc"


def gzip_with_name(name: bytes) -> bytes:
    return GZIPPED[:3] + b"\x08" + GZIPPED[4:10] + name + b"\0" + GZIPPED[10:]


def tar_of(text: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("x.csv")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    return buffer.getvalue()


def rle_frame(blocks: int, byte: bytes = b"\n") -> bytes:
    """A zstd frame of `blocks` runs of 128 KiB of one byte, four bytes each."""
    run = struct.pack("<L", (128 << 10) << 3 | 1 << 1)[:3] + byte
    last = struct.pack("<L", (128 << 10) << 3 | 1 << 1 | 1)[:3] + byte
    return b"\x28\xb5\x2f\xfd" + b"\x00\x58" + run * (blocks - 1) + last


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


@pytest.mark.parametrize(
    ("content", "container"),
    [
        (GOOD, Container.PLAIN),
        (b"", Container.PLAIN),
        (b"PAR1_id,labels\n", Container.PLAIN),
        (GZIPPED, Container.GZIP),
        (ZSTANDARD, Container.ZSTD),
        (EMPTY_SKIPPABLE + ZSTANDARD, Container.ZSTD),
        (b"PK\x03\x04", Container.ZIP),
        (b"PK\x05\x06" + bytes(18), Container.ZIP),
        (b"MZ" + bytes(100) + b"PK\x05\x06" + bytes(18), Container.ZIP),
        (b"PAR1\x15\x00", Container.PARQUET),
        (b"PARE\x35\x01\x00\x00", Container.PARQUET),
        (b"PARENT_id,labels\n1,2\n", Container.PLAIN),
        (lzma.compress(GOOD), Container.XZ),
        (bz2.compress(b""), Container.BZIP2),
    ],
)
def test_a_container_is_recognized_by_its_bytes(
    file: Path, content: bytes, container: Container
) -> None:
    file.write_bytes(content)
    assert recognize(file) is container


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.parquet"])
def test_the_name_of_a_file_is_ignored(tmp_path: Path, name: str) -> None:
    for content in (GOOD, GZIPPED, ZSTANDARD):
        (tmp_path / name).write_bytes(content)
        assert read_file(tmp_path / name) == GOOD


FOREIGN = [
    (lzma.compress(GOOD), "xz"),
    (bz2.compress(GOOD), "bzip2"),
    (bz2.compress(b""), "bzip2"),
    (b"7z\xbc\xaf\x27\x1c\0\4", "7z"),
    (b"Rar!\x1a\x07\x01\x00", "rar"),
    (tar_of(GOOD), "tar"),
    (b"ARROW1\0\0\xff\xff", "Arrow IPC"),
    (b"FEA1\0\0\0\0", "Feather"),
    (b"ORC\x00\x01", "ORC"),
    (b"Obj\x01\x04", "Avro"),
    (b"\x04\x22\x4d\x18\x64", "lz4"),
    (b"SQLite format 3\0", "SQLite"),
]


@pytest.mark.parametrize(("content", "name"), FOREIGN, ids=[name for _, name in FOREIGN])
def test_a_foreign_container_is_named(file: Path, content: bytes, name: str) -> None:
    file.write_bytes(content)
    with pytest.raises(FileRejected) as raised:
        read_file(file)
    problem = raised.value.rejection.problems[0]
    assert str(problem.code) == "unsupported-media-type"
    assert name in problem.detail


@pytest.mark.parametrize("content", [GZIPPED, ZSTANDARD, tar_of(GOOD), bz2.compress(GOOD)])
def test_a_container_inside_a_container_is_not_opened(file: Path, content: bytes) -> None:
    for outer in (gzip.compress(content), zstd.compress(content)):
        file.write_bytes(outer)
        assert refused(file) == "unsupported-media-type"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(GZIPPED, id="one member"),
        pytest.param(gzip.compress(GOOD[:50]) + gzip.compress(GOOD[50:]), id="two members"),
        pytest.param(gzip.compress(b"") * 3 + GZIPPED + gzip.compress(b""), id="empty members"),
        pytest.param(b"".join(gzip.compress(GOOD[i : i + 1]) for i in range(len(GOOD))), id="many"),
        pytest.param(gzip_with_name(b"../../x"), id="a name that leads elsewhere"),
        pytest.param(gzip_with_name(b"x" * 100_000), id="a name of 100 kB"),
        pytest.param(gzip.compress(GOOD, 0), id="stored"),
        pytest.param(ZSTANDARD, id="zstd"),
        pytest.param(zstd.compress(GOOD), id="zstd without checksum"),
        pytest.param(streamed(GOOD) + streamed(b""), id="zstd and an empty frame"),
        pytest.param(EMPTY_SKIPPABLE + ZSTANDARD + EMPTY_SKIPPABLE, id="zstd, skippable frames"),
        pytest.param(b"".join(map(streamed, (GOOD[:9], GOOD[9:90], GOOD[90:]))), id="zstd frames"),
    ],
)
def test_everything_that_a_compressor_may_write_is_read(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_file(file) == GOOD


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(GZIPPED, id="gzip"),
        pytest.param(gzip_with_name(b"x.csv"), id="gzip with a name"),
        pytest.param(ZSTANDARD, id="zstd"),
        pytest.param(streamed(GOOD), id="zstd of a stream"),
        pytest.param(zstd.compress(GOOD), id="zstd without checksum"),
        pytest.param(rle_frame(1), id="zstd of one run"),
    ],
)
def test_a_container_cut_at_any_byte_is_refused_as_cut(file: Path, content: bytes) -> None:
    for end in range(1, len(content)):
        file.write_bytes(content[:end])
        # With fewer bytes than its mark has, a file is not yet a container; it is not CSV either.
        marked = end >= (2 if content[:2] == b"\x1f\x8b" else 4)
        expected = ("archive-truncated",) if marked else ("not-csv", "header-mismatch", "encoding")
        assert refused(file) in expected


@pytest.mark.parametrize("first", [GZIPPED, ZSTANDARD])
def test_a_second_member_or_frame_cut_at_any_byte_is_refused(file: Path, first: bytes) -> None:
    for end in range(1, len(first)):
        file.write_bytes(first + first[:end])
        assert refused(file) == "archive-truncated"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(GZIPPED[:-8] + b"\0\0\0\0" + GZIPPED[-4:], id="gzip, wrong CRC"),
        pytest.param(GZIPPED[:-4] + b"\0\0\0\0", id="gzip, wrong length"),
        pytest.param(GZIPPED[:2] + b"\7" + GZIPPED[3:], id="gzip, unknown method"),
        pytest.param(GZIPPED[:3] + b"\xe0" + GZIPPED[4:], id="gzip, reserved flags"),
        pytest.param(GZIPPED[:10] + b"\xff" * 20 + GZIPPED[30:], id="gzip, no deflate"),
        pytest.param(ZSTANDARD[:-4] + b"\0\0\0\0", id="zstd, wrong checksum"),
        pytest.param(ZSTANDARD[:4] + b"\x0c" + ZSTANDARD[5:], id="zstd, reserved bit"),
        pytest.param(b"\x28\xb5\x2f\xfd\x00\x58" + b"\x07\0\0", id="zstd, reserved block"),
        pytest.param(ZSTANDARD[:5] + b"\x01" + ZSTANDARD[6:], id="zstd, wrong size of the text"),
    ],
)
def test_a_damaged_container_is_refused_as_damaged(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert refused(file) == "archive-corrupt"


def test_no_flipped_bit_goes_unnoticed_where_there_is_a_checksum(file: Path) -> None:
    for content in (GZIPPED, ZSTANDARD):
        for place in range(len(content)):
            for bit in range(8):
                flipped = bytearray(content)
                flipped[place] ^= 1 << bit
                file.write_bytes(flipped)
                # A gzip header's time, system and flags say nothing about the text.
                try:
                    text = read_file(file)
                except FileRejected:
                    continue
                assert text == GOOD or text == bytes(flipped)


@pytest.mark.parametrize(
    "surplus", [b"x", b"\0", b"\0" * 512, b"garbage" * 100, GOOD, b"\x1f\x8c", b"\x28\xb5\x2f\xfe"]
)
def test_bytes_after_the_end_are_refused(file: Path, surplus: bytes) -> None:
    for content in (GZIPPED, ZSTANDARD, streamed(GOOD)):
        file.write_bytes(content + surplus)
        assert refused(file) == "archive-trailing-data"


@pytest.mark.parametrize(
    ("part", "limit", "detail"),
    [
        (GZIPPED, "gzip_stream.MAX_MEMBERS", "the gzip file has more than 3 members"),
        (ZSTANDARD, "zstd_stream.MAX_FRAMES", "the zstd file has more than 3 frames"),
    ],
)
def test_a_file_of_more_parts_than_a_real_one_has_is_refused(
    file: Path, part: bytes, limit: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"podium.scoring.containers.{limit}", 3)
    file.write_bytes(part * 3)
    assert read_file(file) == GOOD * 3
    file.write_bytes(part * 4)
    with pytest.raises(FileRejected) as raised:
        read_file(file)
    problem = raised.value.rejection.problems[0]
    assert (str(problem.code), problem.detail) == ("archive-unsupported", detail)


def test_without_a_library_for_zstd_the_sender_is_told_to_use_gzip(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(ZSTANDARD)
    monkeypatch.setattr("podium.zstd_library.IS_THERE", False)
    with pytest.raises(FileRejected) as raised:
        read_file(file)
    problem = raised.value.rejection.problems[0]
    assert str(problem.code) == "archive-unsupported"
    assert problem.detail.endswith("this Python was built without zstd")
    assert problem.hint == "Send it without compression, or compress it with gzip."


def test_zstd_with_a_dictionary_is_not_supported(file: Path) -> None:
    samples = [f"{n}_clicks,{n * 7} {n * 13} {n % 91}".encode() * 3 for n in range(2000)]
    dictionary = zstd.train_dict(samples, 4096)
    file.write_bytes(zstd.compress(GOOD, zstd_dict=dictionary))
    assert refused(file) == "archive-unsupported"


@pytest.mark.parametrize(("window_log", "code"), [(27, None), (28, "archive-unsupported")])
def test_zstd_may_ask_for_a_window_of_128_mib(
    file: Path, window_log: int, code: str | None
) -> None:
    frame = streamed(GOOD)
    file.write_bytes(frame[:5] + bytes([(window_log - 10) << 3]) + frame[6:])
    if code is None:
        assert read_file(file) == GOOD
    else:
        assert refused(file) == code


def test_ten_million_commas_are_refused_unsplit_in_every_container(file: Path) -> None:
    commas = b"," * 10_000_000
    compressed = zstd.compress(commas)
    for content in (commas, gzip.compress(commas), compressed):
        file.write_bytes(content)
        tracemalloc.start()
        assert refused(file) == "header-mismatch"
        # As a list, the fields would take 80 MB besides the text.
        assert tracemalloc.get_traced_memory()[1] < 60 << 20
        tracemalloc.stop()


def test_bombs_are_stopped_soon_and_in_little_memory(file: Path) -> None:
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    mebibyte = b"\n" * (1 << 20)
    bombs = [b"".join(stream.compress(mebibyte) for _ in range(256)) + stream.flush()]
    bombs.append(rle_frame(1 << 14))
    for bomb in bombs:
        file.write_bytes(bomb)
        tracemalloc.start()
        served, code = served_before_refusal(file)
        assert code == "expanded-too-large"
        assert served <= max(FREE_BYTES, MAX_RATIO * len(bomb))
        assert tracemalloc.get_traced_memory()[1] < 192 << 20
        tracemalloc.stop()


def test_a_text_may_be_as_large_as_the_task_says_and_not_a_byte_larger(file: Path) -> None:
    for content in (GOOD, GZIPPED, ZSTANDARD):
        file.write_bytes(content)
        exact = Task(objectives=OTTO.objectives, max_expanded_bytes=len(GOOD))
        assert read_file(file, task=exact) == GOOD
        less = Task(objectives=OTTO.objectives, max_expanded_bytes=len(GOOD) - 1)
        assert refused(file, task=less) == "expanded-too-large"

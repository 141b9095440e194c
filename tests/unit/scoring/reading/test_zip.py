"""Zip archives: one regular CSV is read, and no byte may have two meanings."""

import io
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from podium.scoring.containers.detection import FREE_BYTES, MAX_RATIO
from podium.scoring.problems import FileRejected
from tests.builders.scoring.submissions import (
    GOOD,
    Accepted,
    read_file,
    refused,
    served_before_refusal,
)
from tests.builders.scoring.zips import Entry, archive, deflated

CRC = zlib.crc32(GOOD)
PACKED = len(deflated(GOOD))
UNKNOWN = {"flags": 8, "crc": 0, "packed_size": 0, "size": 0}
FULL = 0xFFFFFFFF
TIMES = struct.pack("<2HBL", 0x5455, 5, 1, 0)


def by_zipfile(*names: str, method: int = zipfile.ZIP_DEFLATED, seekable: bool = True) -> bytes:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return seekable

        def tell(self) -> int:
            if seekable:
                return super().tell()
            raise OSError

    buffer = Pipe()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name in names:
            made.writestr(name, GOOD)
    return buffer.getvalue()


def zip64(*values: int) -> bytes:
    return struct.pack(f"<2H{len(values)}Q", 1, 8 * len(values), *values)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(archive(Entry(GOOD)), id="deflated"),
        pytest.param(archive(Entry(GOOD, method=0)), id="stored"),
        pytest.param(by_zipfile("a.csv"), id="by Python"),
        pytest.param(by_zipfile("a.csv", method=zipfile.ZIP_STORED), id="by Python, stored"),
        pytest.param(by_zipfile("a.csv", seekable=False), id="by Python, into a pipe"),
        pytest.param(archive(Entry(GOOD, name=b"folder/x.csv")), id="in a folder"),
        pytest.param(archive(Entry(GOOD, name="é.csv".encode())), id="name in UTF-8"),
        pytest.param(archive(Entry(GOOD, central={"comment": b"note"})), id="member's comment"),
        pytest.param(archive(Entry(GOOD), comment=b"made today"), id="comment"),
        pytest.param(archive(Entry(GOOD, central={"mode": 0, "made_by": 0})), id="made on DOS"),
        pytest.param(
            archive(
                Entry(
                    GOOD,
                    local=UNKNOWN,
                    central={"flags": 8},
                    after=b"PK\x07\x08" + struct.pack("<3L", CRC, PACKED, len(GOOD)),
                )
            ),
            id="sizes after the data",
        ),
        pytest.param(
            archive(
                Entry(
                    GOOD,
                    local={
                        "flags": 8,
                        "crc": 0,
                        "packed_size": FULL,
                        "size": FULL,
                        "extra": zip64(0, 0),
                    },
                    central={"flags": 8},
                    after=b"PK\x07\x08" + struct.pack("<LQQ", CRC, PACKED, len(GOOD)),
                )
            ),
            id="wide sizes after the data",
        ),
        pytest.param(
            archive(Entry(GOOD, central={"size": FULL, "extra": zip64(len(GOOD))})),
            id="a wide size",
        ),
        pytest.param(
            archive(Entry(GOOD, local={"extra": TIMES}, central={"extra": TIMES})), id="its time"
        ),
    ],
)
def test_an_archive_of_one_csv_is_read(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_file(file) == GOOD


@pytest.mark.parametrize(
    "content", [archive(Entry(GOOD)), archive(Entry(GOOD, method=0)), by_zipfile("a.csv")]
)
def test_an_archive_cut_at_any_byte_is_refused(file: Path, content: bytes) -> None:
    for end in range(4, len(content)):
        file.write_bytes(content[:end])
        assert refused(file) == "archive-truncated"
    for end in range(4):
        file.write_bytes(content[:end])
        assert refused(file) in ("empty-file", "not-csv", "header-mismatch")


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(Entry(GOOD, method=9), id="Deflate64"),
        pytest.param(Entry(GOOD, method=12), id="BZip2"),
        pytest.param(Entry(GOOD, method=14), id="LZMA"),
        pytest.param(Entry(GOOD, method=93), id="Zstandard"),
        pytest.param(Entry(GOOD, method=99), id="AES"),
        pytest.param(Entry(GOOD, local={"flags": 1}, central={"flags": 1}), id="encrypted"),
        pytest.param(Entry(GOOD, local={"flags": 65}, central={"flags": 65}), id="strongly"),
        pytest.param(Entry(GOOD, local={"flags": 32}, central={"flags": 32}), id="patch"),
    ],
)
def test_other_methods_and_passwords_are_not_supported(file: Path, entry: Entry) -> None:
    file.write_bytes(archive(entry))
    assert refused(file) == "archive-unsupported"


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([], id="none"),
        pytest.param([Entry(GOOD), Entry(GOOD, name=b"y.csv")], id="two"),
        pytest.param([Entry(GOOD), Entry(b"", name=b"__MACOSX/._x.csv")], id="macOS"),
        pytest.param([Entry(b"", name=b"folder/", method=0)], id="a folder"),
        pytest.param([Entry(GOOD, name=b"../../etc/x.csv")], id="upwards"),
        pytest.param([Entry(GOOD, name=b"a/../../x.csv")], id="down and upwards"),
        pytest.param([Entry(GOOD, name=b"..\\x.csv")], id="upwards by backslash"),
        pytest.param([Entry(GOOD, name=b"/etc/x.csv")], id="absolute"),
        pytest.param([Entry(GOOD, name=b"\\\\host\\x.csv")], id="network share"),
        pytest.param([Entry(GOOD, name=b"C:\\x.csv")], id="drive"),
        pytest.param([Entry(GOOD, name=b"x.csv\0.png")], id="NUL"),
        pytest.param([Entry(GOOD, name=b"x\n.csv")], id="line end"),
        pytest.param([Entry(GOOD, name=b"")], id="no name"),
        pytest.param([Entry(GOOD, central={"mode": 0o120777})], id="symbolic link"),
        pytest.param([Entry(GOOD, central={"mode": 0o040755})], id="folder by mode"),
        pytest.param([Entry(GOOD, central={"mode": 0o010644})], id="pipe"),
    ],
)
def test_anything_but_one_regular_file_is_refused(file: Path, entries: list[Entry]) -> None:
    file.write_bytes(archive(*entries))
    assert refused(file) == "archive-members"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"MZ program" + archive(Entry(GOOD)), id="prefix"),
        pytest.param(archive(Entry(GOOD), prefix=b"MZ program"), id="prefix, offsets moved"),
        pytest.param(archive(Entry(GOOD), prefix=b"PK\x03\x04xx"), id="prefix like a member"),
        pytest.param(b"PK\x03\x04" + archive(Entry(GOOD)), id="prefix that looks like a member"),
        pytest.param(archive(Entry(GOOD)) + b"x", id="suffix"),
        pytest.param(archive(Entry(GOOD)) + b"\0" * 100, id="zeros at the end"),
        pytest.param(archive(Entry(GOOD)) + archive(Entry(GOOD)), id="two archives"),
        pytest.param(
            archive(Entry(GOOD), comment=archive(Entry(GOOD))[-22:]),
            id="two ends, one in the comment",
        ),
        pytest.param(archive(Entry(GOOD)) + archive(Entry(GOOD))[-22:], id="two ends"),
        pytest.param(archive(Entry(GOOD), gap=b"hidden"), id="bytes before the directory"),
        pytest.param(archive(Entry(GOOD), before_end=b"hidden"), id="bytes after the directory"),
        pytest.param(
            archive(Entry(GOOD), before_end=b"PK\x06\x07" + bytes(16)), id="zip64 locator"
        ),
        pytest.param(archive(Entry(GOOD), count=2), id="counts differ"),
        pytest.param(archive(Entry(GOOD), here=2, count=2), id="more members than entries"),
        pytest.param(archive(Entry(GOOD), Entry(GOOD), here=1, count=1), id="fewer members"),
        pytest.param(archive(Entry(GOOD), here=FULL >> 16, count=FULL >> 16), id="zip64 count"),
        pytest.param(archive(Entry(GOOD), offset=FULL), id="zip64 offset"),
        pytest.param(archive(Entry(GOOD), disk=1), id="several disks"),
        pytest.param(archive(Entry(GOOD, central={"disk": 1})), id="on another disk"),
        pytest.param(archive(Entry(GOOD), Entry(GOOD)), id="same name twice"),
        pytest.param(archive(Entry(GOOD, local={"name": b"y.csv"})), id="names differ"),
        pytest.param(archive(Entry(GOOD, local={"method": 0})), id="methods differ"),
        pytest.param(archive(Entry(GOOD, local={"flags": 2})), id="flags differ"),
        pytest.param(archive(Entry(GOOD, local={"size": 5})), id="sizes differ"),
        pytest.param(archive(Entry(GOOD, local={"packed_size": 5})), id="packed sizes differ"),
        pytest.param(archive(Entry(GOOD, local={"crc": 5})), id="checksums differ"),
        pytest.param(archive(Entry(GOOD, local={"extra": zip64(5, 5)})), id="zip64 not asked for"),
        pytest.param(archive(Entry(GOOD, central={"extra": zip64(5)})), id="zip64 in directory"),
        pytest.param(archive(Entry(GOOD, central={"size": FULL})), id="zip64 asked for, not there"),
        pytest.param(archive(Entry(GOOD, central={"extra": b"\1\0\xff\xff"})), id="extra too long"),
        pytest.param(archive(Entry(GOOD, central={"offset": 4})), id="wrong offset"),
        pytest.param(archive(Entry(GOOD, local={"crc": 9}, central={"crc": 9})), id="wrong CRC"),
        pytest.param(archive(Entry(GOOD, local={"size": 9}, central={"size": 9})), id="too small"),
        pytest.param(archive(Entry(GOOD, local={"size": 999}, central={"size": 999})), id="large"),
        pytest.param(archive(Entry(GOOD, packed=deflated(GOOD) + b"xx")), id="more than deflate"),
        pytest.param(archive(Entry(GOOD, packed=deflated(GOOD)[:-3])), id="deflate cut"),
        pytest.param(archive(Entry(GOOD, packed=b"\xff" * 50)), id="no deflate"),
        pytest.param(archive(Entry(GOOD, after=b"xxxx")), id="bytes after the data"),
        pytest.param(
            archive(Entry(GOOD, local=UNKNOWN, central={"flags": 8})), id="descriptor missing"
        ),
        pytest.param(
            archive(
                Entry(GOOD, local=UNKNOWN, central={"flags": 8}, after=struct.pack("<3L", 1, 2, 3))
            ),
            id="descriptor wrong",
        ),
        pytest.param(
            archive(
                Entry(
                    GOOD,
                    local=UNKNOWN,
                    central={"flags": 8, "size": FULL, "extra": zip64(1 << 33)},
                    after=b"PK\x07\x08" + struct.pack("<LQQ", CRC, PACKED, 1 << 33),
                )
            ),
            id="8 GiB that are not there",
        ),
        pytest.param(
            archive(
                Entry(GOOD),
                before_end=b"PK\x01\x02" + bytes(20),
                here=2,
                count=2,
                length=len(Entry(GOOD).central_part(0)) + 24,
            ),
            id="directory cut",
        ),
    ],
)
def test_an_archive_with_two_meanings_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert refused(file) == "archive-corrupt"


def test_a_directory_of_more_than_a_mebibyte_is_not_read(file: Path) -> None:
    comment = {"comment": b"x" * 0xFFFF}
    file.write_bytes(archive(*(Entry(b"", name=b"%d" % n, central=comment) for n in range(17))))
    with pytest.raises(FileRejected) as raised:
        read_file(file)
    problem = raised.value.rejection.problems[0]
    assert (str(problem.code), problem.detail) == (
        "archive-members",
        "the zip file has too many members",
    )


def test_members_that_share_their_data_are_refused(file: Path) -> None:
    inner = Entry(GOOD, name=b"b.csv", method=0)
    outer = Entry(b"", name=b"a.csv", method=0, packed=inner.local_part(), local={}, central={})
    outer.text = inner.local_part()
    whole = outer.local_part()
    directory = outer.central_part(0) + inner.central_part(len(whole) - len(inner.local_part()))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(directory), len(whole), 0)
    file.write_bytes(whole + directory + end)
    assert refused(file) == "archive-corrupt"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(archive(Entry(archive(Entry(GOOD)))), id="zip in zip"),
        pytest.param(archive(Entry(archive(Entry(GOOD)), method=0)), id="stored zip in zip"),
        pytest.param(archive(Entry(b"\x1f\x8b\x08" + bytes(20))), id="gzip in zip"),
        pytest.param(by_zipfile("[Content_Types].xml", "xl/workbook.xml"), id="xlsx"),
        pytest.param(by_zipfile("mimetype", "content.xml"), id="ods"),
    ],
)
def test_containers_in_a_zip_are_not_opened(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert refused(file) == "unsupported-media-type"


def test_a_zip_bomb_is_stopped_soon(file: Path) -> None:
    text = b"\n" * (128 << 20)
    bomb = archive(Entry(text))
    file.write_bytes(bomb)
    served, code = served_before_refusal(file)
    assert code == "expanded-too-large"
    assert served <= max(FREE_BYTES, MAX_RATIO * len(bomb))


def test_no_flipped_bit_changes_the_text(file: Path) -> None:
    content = archive(Entry(GOOD))
    outcomes = set()
    for place in range(len(content)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            file.write_bytes(flipped)
            try:
                outcomes.add(refused(file))
            except Accepted:
                assert read_file(file) == GOOD
    assert outcomes <= {
        "archive-corrupt",
        "archive-members",
        "archive-truncated",
        "archive-unsupported",
        "header-mismatch",
        "not-csv",
        "unsupported-media-type",
    }


@pytest.mark.parametrize("surplus", [-1, 0, 1, 100, 258])
def test_the_end_may_come_wherever_in_a_piece(tmp_path: Path, surplus: int) -> None:
    # The text is about as long as one piece, and its last bytes are all repeated by one symbol.
    text = (b"1\n" * (1 << 20))[: (1 << 20) + surplus]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.csv", text)
    file = tmp_path / "a.zip"
    file.write_bytes(buffer.getvalue())
    assert read_file(file) == text

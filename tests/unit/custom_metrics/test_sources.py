"""Differences of custom metrics: of packages file by file, and bounded."""

from __future__ import annotations

import io
import zipfile

from podium.custom_metrics.rules import sources


def packed(files: dict[str, bytes]) -> bytes:
    """A zip with these files."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


def difference(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """The lines of the difference of two packages."""
    texts = [sources.texts_of(packed(files)) for files in (before, after)]
    return sources.differences(*texts).splitlines()


def test_packages_are_compared_file_by_file() -> None:
    before = {"m/__init__.py": b"a\n", "m/gone.py": b"b\n", "m/same.py": b"c\n"}
    after = {"m/__init__.py": b"A\n", "m/new.py": b"d", "m/same.py": b"c\n"}
    assert difference(before, after) == [
        "--- before/m/__init__.py",
        "+++ after/m/__init__.py",
        "@@ -1 +1 @@",
        "-a",
        "+A",
        "--- before/m/gone.py",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-b",
        "--- /dev/null",
        "+++ after/m/new.py",
        "@@ -0,0 +1 @@",
        "+d",
        "\\ No newline at end of file",
    ]


def test_files_that_are_no_text_are_only_named() -> None:
    found = difference({"m/data.bin": b"\xff\x00"}, {"m/data.bin": b"text\n"})
    assert found == ["The file m/data.bin is not text, or too large to be compared."]


def test_a_file_that_expands_to_gigabytes_is_read_no_further_than_its_bound() -> None:
    bomb = packed({"m/bomb.py": b"#" * (64 << 20), "m/small.py": b"x\n"})
    assert len(bomb) < 1 << 20
    assert dict(sources.texts_of(bomb)) == {"m/bomb.py": None, "m/small.py": "x\n"}


def test_very_long_files_are_said_to_differ() -> None:
    lines = b"".join(b"%d\n" % number for number in range(sources.MAX_LINES))
    found = difference({"m/long.py": lines}, {"m/long.py": b"0\n" + lines})
    assert found == ["The file m/long.py differs, and has too many lines to be compared."]


def test_a_damaged_zip_has_no_texts() -> None:
    assert sources.texts_of(packed({"m/a.py": b"a\n" * 100})[:40]) == {}


def test_a_python_file_is_no_package() -> None:
    assert sources.texts_of("é\n".encode()) == {"": "é\n"}
    assert sources.texts_of(b"\xff") == {"": None}

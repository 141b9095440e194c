"""A compressed file that lost its end is refused by whatever reads it, wherever the cut lies."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.builders.processes.commands import Person
from tests.builders.zstd import zstd
from tests.places import ROOT

START, DAY, HOUR = 1_660_000_000_000, 86_400_000, 3_600_000

MOMENTS = [
    (session, START + 9 * session * DAY + place * HOUR) for session in (0, 1) for place in range(3)
]
EVENTS = [
    b'{"aid":%d,"ts":%d,"type":"clicks"}' % (place % 3, ts) for place, (_, ts) in enumerate(MOMENTS)
]
RAW = [
    b'{"session":%d,"events":[%s]}\n' % (session, b",".join(EVENTS[3 * session :][:3]))
    for session in (0, 1)
]
ROWS = [b"%d,%d,%d\n" % (user, place % 3, ts) for place, (user, ts) in enumerate(MOMENTS)]
STREAM = [b"user,item,timestamp\n" + b"".join(ROWS[:2]), b"".join(ROWS[2:])]
TRUTH = [b"session,labels\n1,5 6\n", b"2,7\n3,8\n"]
ITEMS = [b"item,users\n5,1\n6,2\n", b"7,3\n8,1\n9,1\n"]
ANSWERS = [b"session,labels\n1,5\n", b"2,7\n3,9\n"]
GROUPS = [b"session,country\n1,NL\n", b"2,DE\n3,DE\n"]
SCORED = ("--truth", "truth.csv", "--metric", "recall@20", "--no-history")
PREPARED = ("otto", "prepare", "FILE", "--to", "made", "--seed", "1", "--force")

# Commands that are given one compressed file, and the text of that file, frame by frame.
READERS: dict[str, tuple[tuple[str, ...], list[bytes]]] = {
    "submission": (("score", "FILE", *SCORED), ANSWERS),
    "ground truth": (("score", "answers.csv", "--truth", "FILE", *SCORED[2:]), TRUTH),
    "items": (
        (
            *("score", "answers.csv", *SCORED, "--metric", "novelty@20"),
            *("--items", "FILE", "--training-users", "9"),
        ),
        ITEMS,
    ),
    "groups": (("segments", "answers.csv", *SCORED[:4], "--sessions", "FILE"), GROUPS),
    "prepare": (PREPARED, RAW),
    "clickstream": ((*PREPARED, "--columns", "user,item,timestamp"), STREAM),
    "baseline": (
        ("baseline", "recent", "--train", "FILE", "--test", "raw.jsonl", "--out", "made.csv"),
        RAW,
    ),
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "zstd": zstd.compress,
    "gzip": lambda text: gzip.compress(text, mtime=0),
}

# One process for all cuts: starting one for each would take most of the time.
PROGRAM = """
import contextlib, importlib.metadata, io, json, pathlib, sys
main = importlib.metadata.entry_points(group="console_scripts", name="podium")["podium"].load()
ended = []
for file, arguments in json.load(open("runs.json")):
    sys.argv[1:] = [file if part == "FILE" else part for part in arguments]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main()
            code = 0
        except SystemExit as left:
            code = left.code or 0
    ended.append((code, said.getvalue()))
print(json.dumps(ended))
"""


WITHOUT_ZSTD = """
import sys
sys.modules["compression.zstd"] = sys.modules["backports.zstd"] = None
"""
"""A Python that was built without it."""


def run_all(
    person: Person, runs: list[tuple[bytes, tuple[str, ...]]], *, program: str = PROGRAM
) -> list[tuple[int, str]]:
    """The exit codes and outputs of the commands that are given these files."""
    home = person.home
    for name, frames in (("answers.csv", ANSWERS), ("truth.csv", TRUTH), ("raw.jsonl", RAW)):
        (home / name).write_bytes(b"".join(frames))
    for number, (content, _) in enumerate(runs):
        (home / f"{number}.file").write_bytes(content)
    listed = [(f"{number}.file", arguments) for number, (_, arguments) in enumerate(runs)]
    (home / "runs.json").write_text(json.dumps(listed))
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=home,
        env=person.environment(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stderr
    return [(code, output) for code, output in json.loads(ran.stdout)]


@pytest.mark.parametrize("packing", PACKED)
def test_a_file_without_its_end_is_refused_by_whatever_reads_it(
    person: Person, packing: str
) -> None:
    cases = []
    for name, (arguments, texts) in READERS.items():
        first, second = map(PACKED[packing], texts)
        whole = first + second
        ends = [len(first) // 2, len(first) - 1, len(first) + 5, -len(second) // 2, -1]
        cases.append((name, "whole", whole, arguments))
        cases += [(name, str(end), whole[:end], arguments) for end in ends]
    ended = run_all(person, [(content, arguments) for *_, content, arguments in cases])
    wrong = [
        (name, end, code, output[-300:])
        for (name, end, *_), (code, output) in zip(cases, ended, strict=True)
        if (code == 0) != (end == "whole") or "Traceback" in output
    ]
    assert wrong == []


def test_a_python_without_zstd_refuses_only_what_is_compressed_with_it(person: Person) -> None:
    cases = []
    for name, (arguments, texts) in READERS.items():
        cases += [(name, False, b"".join(texts), arguments)]
        cases += [(name, True, b"".join(map(zstd.compress, texts)), arguments)]
    runs = [(content, arguments) for *_, content, arguments in cases]
    ended = run_all(person, runs, program=WITHOUT_ZSTD + PROGRAM)
    wrong = [
        (name, is_packed, code, output[-300:])
        for (name, is_packed, *_), (code, output) in zip(cases, ended, strict=True)
        if (code != 0) != is_packed
        or "Traceback" in output
        or (is_packed and "built without zstd" not in output)
    ]
    assert wrong == []


def test_the_doctor_says_where_zstd_is_not_read(person: Person) -> None:
    for program, state in (
        (WITHOUT_ZSTD + PROGRAM, "refused: this Python was built without zstd"),
        (PROGRAM, "read"),
    ):
        runs = [(b"", ("migrate",)), (b"", ("doctor", "--json"))]
        [_, (_, output)] = run_all(person, runs, program=program)
        assert f'"zstd": "{state}"' in output


def test_what_was_unpacked_before_a_cut_counts_for_nothing(person: Person) -> None:
    """In a file larger than any block of a decoder."""
    rows = [
        b"%d,%d,%d\n" % (n // 50, n * 7919 % 50_000, START + n * 10_000) for n in range(300_000)
    ]
    text = b"user,item,timestamp\n" + b"".join(rows)
    arguments = READERS["clickstream"][0]
    runs = []
    for pack in PACKED.values():
        whole = pack(text)
        ends = [*(len(whole) * part // 100 for part in (22, 50, 78)), len(whole) - 1]
        runs += [(whole[:end], arguments) for end in ends]
    ended = run_all(person, runs)
    assert all(code and "the archive is cut off" in output for code, output in ended), ended
    assert list((person.home / "made").iterdir()) == []

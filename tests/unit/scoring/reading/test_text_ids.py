"""Sessions and items that are text, from the ground truth to the score."""

from __future__ import annotations

import hashlib
import hmac
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import judge, perfect_submission, sample_submission
from podium.scoring.problems import Code, FileRejected
from podium.scoring.published import IdPlaces, PublishedIds
from podium.scoring.splits import PUBLIC, SplitRule
from podium.scoring.task import OTTO, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_published_ids
from tests.builders.scoring.competitions import HALVES, recalls, score
from tests.builders.scoring.submissions import problems, read
from tests.unit.scoring.reading.text_truths import HASH, SINGLE, TEXT, truth_of

JSONL = f"""\
{{"session": "{HASH}", "labels": {{"clicks": "0706016001", "carts": ["b", "a"]}}}}
{{"session": "a_b", "labels": {{"orders": ["0"], "carts": "c"}}}}
{{"session": 7, "labels": {{"clicks": 5}}}}
"""
SUBMISSION_FORM = f"""\
session_type,labels
{HASH}_clicks,0706016001
a_b_carts,c
7_clicks,5
{HASH}_carts,a  b
a_b_orders,0
"""
LONG_FORM = f"""\
session,type,aid
{HASH},clicks,0706016001
a_b,orders,0
7,clicks,5
{HASH},carts,b
{HASH},carts,a
a_b,carts,c
"""
LABELS = [(0, "0706016001"), (1, "a"), (1, "b"), (4, "c"), (5, "0"), (6, "5")]


def refused(folder: Path, text: str, task: Task = TEXT) -> list[tuple[int | None, Code]]:
    with pytest.raises(FileRejected) as rejected:
        truth_of(folder, text, task)
    return [(p.line, p.code) for p in rejected.value.rejection.problems]


@pytest.mark.parametrize("text", [JSONL, SUBMISSION_FORM, LONG_FORM])
def test_every_form_of_ground_truth_keeps_ids_as_they_are_written(
    tmp_path: Path, text: str
) -> None:
    truth, published = truth_of(tmp_path, text)
    assert published.sessions.equals(pl.Series([HASH, "a_b", "7"]))
    assert truth.frame.select("query", "item").rows() == LABELS
    assert published.id_of(4) == "a_b_carts"


def test_stored_ids_come_back_as_text(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, JSONL)
    published.write(tmp_path / "ids.parquet")
    again = PublishedIds.read(tmp_path / "ids.parquet", TEXT.names)
    assert again.sessions.equals(published.sessions)
    sha256 = truth.write(tmp_path / "truth.parquet")
    loaded = GroundTruth.load(tmp_path / "truth.parquet", sha256=sha256, published=again, task=TEXT)
    assert loaded.frame.equals(truth.frame)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"session": "", "labels": {}}\n', [(1, Code.BAD_JSON)]),
        ('{"session": "a b", "labels": {}}\n', [(1, Code.BAD_JSON)]),
        ('{"session": 1.5, "labels": {}}\n', [(1, Code.BAD_JSON)]),
        ('{"session": -1, "labels": {}}\n', [(1, Code.BAD_JSON)]),
        ('{"session": "é", "labels": {}}\n', [(1, Code.BAD_JSON)]),
        (f'{{"session": "{"a" * 65}", "labels": {{}}}}\n', [(1, Code.BAD_JSON)]),
        (JSONL + '{"session": "7", "labels": {}}\n', [(4, Code.DUPLICATE_ID)]),
        (SUBMISSION_FORM + "7_clicks,5\n", [(7, Code.DUPLICATE_ID)]),
        (SUBMISSION_FORM + "clicks,5\n_clicks,5\n", [(7, Code.BAD_ID), (8, Code.BAD_ID)]),
        (LONG_FORM + "x,b_clicks,5\n", [(8, Code.BAD_ID)]),
        (LONG_FORM + "x y,clicks,5\n", [(8, Code.BAD_ID)]),
    ],
)
def test_what_is_no_id_is_named(
    tmp_path: Path, text: str, expected: list[tuple[int | None, Code]]
) -> None:
    assert refused(tmp_path, text) == expected


def test_the_side_of_a_session_comes_from_its_text() -> None:
    rule = SplitRule("hash", secret=b"key", public_fraction=Decimal("0.33"))
    sessions = [HASH, "a_b", "7", "007", *(f"q-{n}" for n in range(500))]

    def is_public(session: str) -> bool:
        digest = hmac.new(b"key", session.encode(), hashlib.sha256).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < 0.33

    sides = rule.of_sessions(pl.Series(sessions)).to_list()
    assert [side == PUBLIC for side in sides] == [is_public(session) for session in sessions]


def test_the_same_session_has_the_same_side_as_a_number_and_as_text() -> None:
    numbers = pl.Series(range(1000), dtype=pl.Int32)
    assert HALVES.of_sessions(numbers).equals(HALVES.of_sessions(numbers.cast(pl.String)))


@pytest.mark.parametrize(
    "text",
    [
        f"session\n{HASH}\na_b\n007\n",
        f'"session"\r\n"{HASH}"\r\na_b\r\n007',
        f"customer_id,labels\n{HASH},\na_b,x y\n007,\n",
        f"customer_id\n{HASH}\na_b\n007\n",
    ],
)
def test_lists_of_text_ids_in_every_form(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ids"
    path.write_text(text, newline="")
    published = read_published_ids(path, task=SINGLE)
    assert published.sessions.equals(pl.Series([HASH, "a_b", "007"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("session\na\nb\na\n", (4, Code.DUPLICATE_ID)),
        ("session\na\nb c\n", (3, Code.BAD_ID)),
        ("7\n8\n", (1, Code.HEADER_MISMATCH)),
    ],
)
def test_what_stops_a_list_of_text_ids(
    tmp_path: Path, text: str, expected: tuple[int, Code]
) -> None:
    path = tmp_path / "ids"
    path.write_text(text)
    with pytest.raises(FileRejected) as rejected:
        read_published_ids(path, task=SINGLE)
    first = rejected.value.rejection.problems[0]
    assert (first.line, first.code) == expected


def test_a_sample_with_objectives_lists_sessions_with_underscores(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    ids = [f"{session}_{name}" for name in OTTO.names for session in ("a_b", "_", "clicks")]
    path.write_text("\n".join(["session_type,labels", *(f"{row_id}," for row_id in ids)]))
    assert read_published_ids(path, task=TEXT).sessions.to_list() == ["a_b", "_", "clicks"]


SEVENS = PublishedIds(pl.Series(["7", "007", "a_b"]), ("",))


def test_ids_are_compared_as_text() -> None:
    text = b"customer_id,labels\n007,x\n7,y\na_b,\n"
    assert read(text, task=SINGLE, published=SEVENS)[1] == text
    header = b"customer_id,labels\n"
    for row, code in (
        (b"07", "unknown-id"),
        (b"A_B", "unknown-id"),
        (b"+7", "unknown-id"),
        (b"a b", "bad-id"),
        (b" 7", "bad-id"),
        (b"", "bad-id"),
        (b'"a""b"', "bad-id"),
        (b"a\tb", "bad-id"),
        (b"x" * 65, "bad-id"),
        (b"\xc3\xa9", "bad-id"),
    ):
        assert problems(header + row + b",x\n", task=SINGLE, published=SEVENS)[0] == (2, code)
    twice = header + b"7,x\n007,x\n7,y\na_b,\n"
    assert problems(twice, task=SINGLE, published=SEVENS) == [(4, "duplicate-id")]
    assert problems(header + b"7,x\n", task=SINGLE, published=SEVENS) == [(None, "missing-ids")]


def test_a_file_with_text_ids_is_scored(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, JSONL)
    rows = {
        f"{HASH}_clicks": "706016001 0706016001",
        f"{HASH}_carts": "c a",
        f"{HASH}_orders": "",
        "a_b_clicks": "c",
        "a_b_carts": "b",
        "a_b_orders": "00 0",
        "7_clicks": "5 05",
        "7_carts": "1",
        "7_orders": "1",
    }
    text = "session_type,labels\n" + "".join(f"{i},{items}\n" for i, items in rows.items())
    scored = score(tmp_path, text, truth, TEXT)
    assert recalls(scored) == {"clicks": 1, "carts": Fraction(1, 3), "orders": 1}
    # The strict reader says the same of the same rows in another shape.
    shaped = "\n".join(f'"{items}","{i}"' for i, items in rows.items())
    other = score(tmp_path, f"labels,session_type\r\n{shaped}", truth, TEXT)
    assert other == scored


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ("7,x\na_b\n", (3, Code.ROW_SHAPE)),
        # A byte too few on one line and one too many on another.
        ("7,x\r\r\na_b\n", (2, Code.LINE_ENDINGS)),
        ("a_b\n7,x\r\r\n", (2, Code.ROW_SHAPE)),
    ],
)
def test_a_line_without_a_comma_is_named_where_ids_are_text(
    tmp_path: Path, rows: str, first: tuple[int, Code]
) -> None:
    truth = truth_of(tmp_path, "customer_id,labels\n7,x\na_b,y\n", SINGLE)
    with pytest.raises(FileRejected) as rejected:
        score(tmp_path, f"customer_id,labels\n{rows}", truth, SINGLE)
    problem = rejected.value.rejection.problems[0]
    assert (problem.line, problem.code) == first


def test_a_parquet_file_with_text_ids_is_scored(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, "customer_id,labels\n7,0706 x\n007,y\na_b,\n", SINGLE)
    path = tmp_path / "file.parquet"
    ids = pl.Series(["a_b", "007", "7"], dtype=pl.Categorical)
    pl.DataFrame({"customer_id": ids, "labels": ["", "y", "x 706"]}).write_parquet(path)
    scored = judge(path, task=SINGLE, published=published, truth=truth, scratch=tmp_path)
    assert scored.splits["all"].hits == {"": 2}


@pytest.mark.parametrize("first", ["x^", "x^1", "x"])
def test_ids_that_look_like_a_compressed_stream_are_ids(tmp_path: Path, first: str) -> None:
    truth = truth_of(tmp_path, f"customer_id,labels\n{first},a\nb,c\n", SINGLE)
    text = f"customer_id,labels\n{first},x^ a\nb,c\n"
    assert score(tmp_path, text, truth, SINGLE).splits["all"].hits == {"": 2}


def test_the_sample_scores_nothing_and_the_perfect_file_everything(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, JSONL)
    sample = b"".join(sample_submission(published, TEXT))
    assert sample.decode().splitlines()[4] == "a_b_clicks,"
    assert set(recalls(score(tmp_path, sample, (truth, published), TEXT)).values()) == {0}
    perfect = b"".join(perfect_submission(truth, published, TEXT))
    assert set(recalls(score(tmp_path, perfect, (truth, published), TEXT)).values()) == {1}


@pytest.mark.parametrize("count", [1, 2, 3, 5000])
def test_numbers_of_text_are_places_in_published_order(count: int) -> None:
    sessions = pl.Series(
        [hashlib.sha256(b"%d" % n).hexdigest()[: 5 + n % 60] for n in range(count)]
    )
    numbers = IdPlaces(sessions)
    places = pl.Series(range(count), dtype=pl.UInt32)
    assert numbers.number(sessions).equals(places)
    assert numbers.number(sessions.reverse()).equals(places.reverse())
    others = pl.Series(["", "x", f"{sessions[0]} ", sessions[0]])
    assert numbers.number(others).to_list() == [None, None, None, 0]


def test_texts_whose_hashes_are_neighbors_are_told_apart() -> None:
    """With few buckets many texts share one: all of them are found, and no others."""
    sessions = pl.Series([f"{n:05}" for n in range(50_000)])
    numbers = IdPlaces(sessions)
    foreign = pl.Series([f"{n}" for n in range(10_000, 60_000)])
    expected = [n if n < 50_000 else None for n in range(10_000, 60_000)]
    assert numbers.number(foreign).to_list() == expected

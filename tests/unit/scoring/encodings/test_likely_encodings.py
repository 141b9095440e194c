"""The encoding of a text that is not UTF-8 is named where it is clear, and nowhere else."""

from __future__ import annotations

import gzip
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.inference.guessing import guess_of
from podium.scoring.problems import FileRejected, Problem
from podium.scoring.published import PublishedIds
from podium.scoring.splits import SplitRule
from podium.scoring.task import Objective, Task
from podium.scoring.text.encodings import likely_encoding
from podium.scoring.truth.reading import collect_labels

TASK = Task(objectives=(Objective("", Decimal(1), "recall@2"),), id_column="user")
PUBLISHED = PublishedIds(pl.Series([1, 2], dtype=pl.Int32), ("",))

KOREAN = "고객ID,추천상품\n김철수,사과 바나나\n이영희,포도\n"
JAPANESE = "ユーザー,商品\n太郎,りんご\n花子,みかん\n"
WESTERN = "id,name\n1,Müller\n2,Zoë café\n3,naïve Ärger\n"
QUOTED = "id,name\n" + "1,Müller\n" * 40 + "2,“€”\n"

NAMED = [
    (KOREAN, "cp949", "CP949 (Korean)"),
    (KOREAN, "euc_kr", "CP949 (Korean)"),
    ("뷁,뷁\n", "cp949", None),
    (JAPANESE, "shift_jis", "Shift-JIS (Japanese)"),
    (JAPANESE, "cp932", "Shift-JIS (Japanese)"),
    (WESTERN, "cp1252", "Windows-1252 or Latin-1 (Western European)"),
    (WESTERN, "latin-1", "Windows-1252 or Latin-1 (Western European)"),
    (QUOTED.replace("“€”", "é“"), "cp1252", "Windows-1252 or Latin-1 (Western European)"),
    *(
        (text, f"utf-16-{end}", f"UTF-16{words} without a mark")
        for text in (KOREAN, JAPANESE, WESTERN, "user,labels\n1,7\n")
        for end, words in (("le", ""), ("be", " (big-endian)"))
    ),
]
OTHERS = [
    *((text, "utf-8") for text in (KOREAN, JAPANESE, WESTERN, "", "user,labels\n1,7\n")),
    *((KOREAN, encoding) for encoding in ("utf-8-sig", "iso2022_kr", "johab")),
    *((JAPANESE, encoding) for encoding in ("euc_jp", "iso2022_jp")),
    *((WESTERN, encoding) for encoding in ("mac_roman", "cp850", "cp437")),
    *(
        ("ид,имя\n1,Привет\n2,Мир\n", encoding)
        for encoding in ("cp1251", "koi8-r", "iso8859-5", "cp866")
    ),
    ("编号,名称\n1,苹果\n2,香蕉\n", "gbk"),
    ("編號,名稱\n1,蘋果\n2,香蕉\n", "big5"),
    ("id,ad\n1,İstanbul şehir\n2,ğöz çok ıslak\n", "cp1254"),
    ("id,n\n1,zażółć gęślą jaźń\n", "cp1250"),
    ("id,n\n1,Příliš žluťoučký kůň úpěl\n", "cp1250"),
    ("id,n\n1,Καλημέρα\n", "cp1253"),
]


@pytest.mark.parametrize(("text", "encoding", "name"), NAMED)
def test_an_encoding_is_named_where_it_is_clear(text: str, encoding: str, name: str | None) -> None:
    found = likely_encoding(text.encode(encoding))
    assert (found and found.name) == name
    # The character at the end may be cut, and what follows it is not looked at.
    long = text.encode(encoding) * 3000
    for cut in range(4) if name else ():
        assert likely_encoding(long[: 60_000 - cut]) == found
    assert not name or likely_encoding(long + b"\xff\x81\0") == found


@pytest.mark.parametrize(("text", "encoding"), OTHERS)
def test_other_encodings_are_not_taken_for_one_of_these(text: str, encoding: str) -> None:
    assert likely_encoding(text.encode(encoding)) is None


@pytest.mark.parametrize(
    "text",
    [
        b"id,name\n1,59\xff62\n",
        b"id,name\n1,7\xe9\n",
        b"id,name\n1,\xc0\xaf\n",
        b"id,name\n1,\xed\xa0\x80\n",
        "id,name\n1,é é é é\n".encode() + b"2,x\xe9\n",
        b"id,name\n1,x\xe9\0\n",
        b"\x89PNG\r\n\x1a\n",
    ],
)
def test_damaged_text_has_no_other_encoding(text: bytes) -> None:
    assert likely_encoding(text) is None


def problems(content: bytes, folder: Path, *, is_truth: bool) -> tuple[Problem, ...]:
    """The problems of a submission or of a ground truth."""
    file = folder / "file"
    file.write_bytes(content)
    try:
        if is_truth:
            collect_labels(file, task=TASK, published=None, split=SplitRule("whole"))
        else:
            validate(file, task=TASK, published=PUBLISHED, scratch=folder)
    except FileRejected as rejected:
        return rejected.rejection.problems
    return ()


HINT = (
    "It looks like CP949 (Korean). Save the file as UTF-8: in Excel as “CSV UTF-8”, or by"
    " `iconv -f CP949 -t UTF-8 FILE > NEW`."
)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_problems_of_a_submission_name_its_encoding(tmp_path: Path, pack: type[bytes]) -> None:
    text = pack("user,labels\n1,가나\n2,다\n".encode("cp949"))
    found = problems(text, tmp_path, is_truth=False)
    assert [(each.line, str(each.code), each.hint) for each in found[:2]] == [
        (2, "encoding", HINT),
        (3, "encoding", HINT),
    ]
    assert str(found[2].code) == "missing-ids"
    assert "looks like" not in str(found[2].hint)


def test_the_first_problem_with_such_bytes_in_a_ground_truth_names_its_encoding(
    tmp_path: Path,
) -> None:
    found = problems("user,item\n1,0x\n2,가나\n3,다\n".encode("cp949"), tmp_path, is_truth=True)
    assert [(each.line, str(each.code)) for each in found] == [
        (line, "bad-label") for line in (2, 3, 4)
    ]
    assert ["looks like" in str(each.hint) for each in found] == [False, True, False]
    assert str(found[1].hint).startswith(HINT)
    (header,) = problems("고객,추천\n1,7\n".encode("cp949"), tmp_path, is_truth=True)
    assert (header.line, str(header.code)) == (1, "header-mismatch")
    assert str(header.hint).startswith(HINT)


def test_problems_without_such_bytes_stay_as_they_are(tmp_path: Path) -> None:
    (found,) = problems(b"user,labels\n1,7\n2,\xff\n", tmp_path, is_truth=False)[:1]
    assert (str(found.code), found.hint) == ("encoding", "Save the file as UTF-8.")
    text = b"user,labels\n1,7\n\n" + "2,가나\n".encode("cp949")
    blank, _ = problems(text, tmp_path, is_truth=False)[:2]
    assert (str(blank.code), blank.hint) == (
        "blank-line",
        "Blank lines are allowed at the end only.",
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"user,item\n1,\xff\n", "The file is not UTF-8. Save it as UTF-8"),
        (WESTERN.encode("utf-16-le"), "The file is encoded as UTF-16."),
        (b"\xfd7zXZ\x00\xff", "neither text nor Parquet"),
    ],
)
def test_the_guess_at_a_ground_truth_uses_the_same_names(content: bytes, words: str) -> None:
    guess = guess_of(content, is_cut=False)
    assert guess.is_unreadable
    assert words in guess.problem


@pytest.mark.parametrize(
    ("text", "codec", "form"),
    [(KOREAN, "cp949", "cp949"), (WESTERN, "latin-1", "windows-1252"), (KOREAN, "utf-8", "")],
)
def test_a_guess_reads_the_likely_encoding_and_names_its_form(
    text: str, codec: str, form: str
) -> None:
    guess = guess_of(text.encode(codec), is_cut=False)
    assert guess.encoding == form
    assert replace(guess, encoding="") == guess_of(text.encode(), is_cut=False)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_a_guess_reads_utf_16_with_a_mark(codec: str, cut: int) -> None:
    text = "user\titem\n" + "u1\té\n" * 40
    marked = f"\ufeff{text}".encode(codec)
    found = guess_of(marked[: len(marked) - cut], is_cut=bool(cut))
    assert (found.problem, found.shape, found.rows[:1]) == ("", "pairs", (("u1", "é"),))
    assert "is encoded as UTF-16" in guess_of(marked[2:], is_cut=False).problem
    assert (
        "neither text nor Parquet" in guess_of(marked[:2] + b"\xd8\xd8" * 9, is_cut=False).problem
    )

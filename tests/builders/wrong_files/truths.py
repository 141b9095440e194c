"""Wrong ground truths, and what each gets wherever it is read."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass

from tests.builders.wrong_files.contests import CONTESTS
from tests.builders.wrong_files.shape import Wrong


@dataclass(frozen=True)
class WrongTruth(Wrong):
    """A ground truth that is refused, and the file after the hint was followed."""

    repaired: str = ""

    def __str__(self) -> str:
        return f"{self.contest}: {self.name}"


def _workbook() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in ("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"):
            archive.writestr(name, "<x/>")
    return made.getvalue()


LISTS = "user,labels,Usage\n42,7 9,Public\n43,9,Private\n"
TEXTS = "user,labels,Usage\n007,a b,Public\n00x,b,Private\n"
ITEMS = "user,item,Usage\n42,7,Public\n42,9,Public\n43,9,Private\n"
QRELS = "42 0 7 1\n43 0 9 1\n"

SHEETS = {
    "an Excel file": (_workbook(), "Export the table as CSV"),
    "an old Excel file": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
        "save its sheet as CSV",
    ),
}
"""Beginnings of .xlsx and .xls, and words of the hint that they get."""

INDEX = "index=False"
AGAIN = "Remove the line"


def _indexed(text: str, name: str = "") -> str:
    header, *rows = text.splitlines()
    return "\n".join([f"{name},{header}", *(f"{n},{row}" for n, row in enumerate(rows)), ""])


def _joined(text: str) -> str:
    """A file and another one behind it, header and all."""
    header, first, *rest = text.splitlines()
    return "\n".join([header, first, header, *rest, ""])


def _of_every_task(contest: str, line: int = 3) -> list[WrongTruth]:
    truth = CONTESTS[contest].truth
    return [
        WrongTruth(
            contest, "joined", _joined(truth), "header-mismatch", line, AGAIN, repaired=truth
        ),
        WrongTruth(contest, "index", _indexed(truth), "header-mismatch", 1, INDEX, repaired=truth),
        WrongTruth(
            contest,
            "a named index",
            _indexed(truth, "Unnamed: 0"),
            "header-mismatch",
            1,
            INDEX,
            repaired=truth,
        ),
        WrongTruth(
            contest, "UTF-16", truth.encode("utf-16"), "encoding", 1, "UTF-8", repaired=truth
        ),
        WrongTruth(
            contest,
            "an open quote",
            truth.replace("\n", '\n"', 1),
            "bad-quote",
            2,
            "one line",
            repaired=truth,
        ),
        WrongTruth(
            contest,
            "a JSON array",
            '[{"user": 42, "item": 7}]\n',
            "not-csv",
            1,
            "jq -c",
            repaired=truth,
        ),
        *(
            WrongTruth(contest, name, sheet, "unsupported-media-type", None, hint, repaired=truth)
            for name, (sheet, hint) in SHEETS.items()
        ),
    ]


WRONG_TRUTHS = [
    *(wrong for contest in CONTESTS for wrong in _of_every_task(contest)),
    WrongTruth(
        "lists",
        "NumPy lists",
        LISTS.replace("7 9", "[7 9]").replace(",9,", ",[9],"),
        "bad-label",
        2,
        "without the brackets",
        repaired=LISTS,
    ),
    WrongTruth(
        "text lists",
        "NumPy lists of texts",
        TEXTS.replace("a b", "['a' 'b']").replace(",b,", ",['b'],"),
        "bad-label",
        2,
        "Nearly all lists of the file hold “[ ]”",
        repaired=TEXTS,
    ),
    WrongTruth(
        "lists",
        "Python lists",
        LISTS.replace("7 9", '"[7, 9]"'),
        "bad-label",
        2,
        "Python list",
        repaired=LISTS,
    ),
    WrongTruth(
        "lists",
        "Python lists without quotes",
        LISTS.replace("7 9", "[7, 9]"),
        "row-shape",
        2,
        "Python list",
        repaired=LISTS,
    ),
    WrongTruth(
        "lists",
        "float ids",
        ITEMS.replace("42,", "42.0,").replace("43,", "43.0,"),
        "bad-id",
        2,
        "Cast the column to integers",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "float items",
        ITEMS.replace(",7,", ",7.0,").replace(",9,", ",9.0,"),
        "bad-label",
        2,
        "Cast the column to integers",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "ids with an exponent",
        ITEMS.replace("42,", "1.29e+13,"),
        "bad-id",
        2,
        "without an exponent",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "several items in the long form",
        ITEMS.replace("42,7,", "42,7 8,"),
        "bad-label",
        2,
        "a row for each item",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "thousands",
        ITEMS.replace("42,7", "42,1,234"),
        "row-shape",
        2,
        "as many fields as the header",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists", "no header", "42,7\n43,9\n", "header-mismatch", 1, "missing", repaired=ITEMS
    ),
    WrongTruth(
        "lists",
        "another case",
        LISTS.replace("user,labels", "User,Labels"),
        "header-mismatch",
        1,
        "exactly so",
        repaired=LISTS,
    ),
    WrongTruth(
        "lists",
        "a column too many",
        ITEMS.replace("item", "item,time")
        .replace(",Public", ",1,Public")
        .replace(",Private", ",1,Private"),
        "header-mismatch",
        1,
        "Remove all other columns",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "a character that no id has",
        ITEMS.replace("43", "4\0"),
        "not-csv",
        1,
        "CSV",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "qrels of BEIR",
        "query-id\tcorpus-id\tscore\n42\t7\t1\n43\t9\t1\n",
        "not-csv",
        1,
        "awk 'NR > 1 {print $1, 0, $2, $3}'",
        repaired=ITEMS,
    ),
    WrongTruth(
        "lists",
        "JSON of another form",
        '{"user": 42, "items": [7, 9]}\n',
        "bad-json",
        1,
        '{"session": 42, "labels": [7, 9]}',
        repaired=ITEMS,
    ),
    WrongTruth(
        "rating",
        "a rating with a decimal comma",
        CONTESTS["rating"].truth.replace(",4,", ',"4,0",'),
        "bad-label",
        2,
        "point",
        repaired=CONTESTS["rating"].truth,
    ),
    WrongTruth(
        "rating",
        "float users",
        CONTESTS["rating"].truth.replace("\n1,", "\n1.0,"),
        "bad-id",
        2,
        "Cast the column to integers",
        repaired=CONTESTS["rating"].truth,
    ),
    WrongTruth(
        "rerank",
        "float items of candidates",
        CONTESTS["rerank"].truth.replace(",7,", ",7.0,"),
        "bad-id",
        2,
        "Cast the column to integers",
        repaired=CONTESTS["rerank"].truth,
    ),
    WrongTruth(
        "table",
        "a control character in a text",
        CONTESTS["table"]
        .truth.replace("Usage", "note,Usage")
        .replace(",Pu", ",a\x7fb,Pu")
        .replace(",Pr", ",b,Pr"),
        "bad-character",
        2,
        "Remove control characters",
        repaired=CONTESTS["table"].truth,
    ),
]

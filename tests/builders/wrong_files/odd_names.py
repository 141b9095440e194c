"""Competitions whose columns and objectives have names of any text, and wrong files for them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from tests.builders.wrong_files.shape import Contest, Wrong


def _text(*rows: Iterable[str]) -> str:
    """A CSV file, with quotes where they are needed."""
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows(rows)
    return sink.getvalue()


KOREAN = ("고객ID", "추천상품")
QUOTED = ("the id of a user, “<b>”", '5 "best" items')
SCORED = ("user id", "Item;No.", "ptend_t_0", "좋아요, {}")
ROWS = ("{id}", "Fertilizer Name", "*", ".*$", "=1+1", "Größe (m²), caf\u00e9")
SETS = ("[film]", "Category:Misconception")

ODD_CONTESTS = {
    "Korean lists": Contest(
        {
            "task": "ranking",
            "objectives": {"상품": 1},
            "metric": "recall@3",
            "id_column": KOREAN[0],
            "labels_column": KOREAN[1],
        },
        _text((KOREAN[0], "item", "Usage"), ["42", "7", "Public"], ["43", "9", "Private"]),
        _text(KOREAN, ("42", "7 1"), ("43", "1")),
    ),
    "quoted lists": Contest(
        {
            "task": "ranking",
            "objectives": {"<b>&amp;": 1},
            "metric": "ndcg@5",
            "id_column": QUOTED[0],
            "labels_column": QUOTED[1],
            "query_ids": "string",
            "item_ids": "string",
        },
        _text((*QUOTED, "Usage"), ("a", "x y", "Public"), ("b", "y", "Private")),
        _text(QUOTED, ("a", "y x"), ("b", "z")),
    ),
    "named scores": Contest(
        {
            "task": "scores",
            "objectives": {SCORED[2]: 1, SCORED[3]: 2},
            "metric": "log_loss",
            "id_column": SCORED[0],
            "item_column": SCORED[1],
            "query_ids": "string",
        },
        _text(
            (*SCORED, "Usage"),
            *(
                f"{user} {item} {item - 7} {8 - item} {side}".split()
                for user, side in (("a", "Public"), ("b", "Private"))
                for item in (7, 8)
            ),
        ),
        _text(SCORED, *(f"{u} {i} 0.{i} 0.5".split() for u in "ab" for i in (7, 8))),
    ),
    "named table": Contest(
        {
            "task": "table",
            "id_column": ROWS[0],
            "table_columns": [{"name": name, "maximum": 100} for name in ROWS[1:]],
            "objectives": {"ptend_t_0": 1, "*": 1, ".*$": 2},
            "objective_columns": {"ptend_t_0": [ROWS[1]]},
            "metric": "rmse",
        },
        _text(
            (*ROWS, "Usage"),
            *(
                (f"{row}", *(f"{row + at}" for at in range(5)), side)
                for row, side in enumerate(("Public", "Public", "Private", "Private"))
            ),
        ),
        _text(ROWS, *((f"{row}", *(f"{row * at}" for at in range(5))) for row in range(4))),
    ),
    "named label sets": Contest(
        {
            "task": "label-sets",
            "id_column": SETS[0],
            "table_columns": [{"name": SETS[1], "type": "labels"}],
            "objectives": {"Misconceptions, all": {"weight": 1, "metric": "f1_samples"}},
            "metric": "f1_samples",
        },
        _text((*SETS, "Usage"), ("1", "a b", "Public"), ("2", "b", "Private")),
        _text(SETS, ("1", "a"), ("2", "b c")),
    ),
}


def _wrong(contest: str, name: str, text: str, hint: str, code: str = "header-mismatch") -> Wrong:
    return Wrong(contest, name, text, code, 1 if code == "header-mismatch" else 2, hint)


def _headed(contest: str, *header: str) -> str:
    """The good file of a contest under another header."""
    return _text(header) + ODD_CONTESTS[contest].good.partition("\n")[2]


def _unquoted(contest: str) -> str:
    """The good file of a contest, with no quotes in its header."""
    header, _, rows = ODD_CONTESTS[contest].good.partition("\n")
    return f"{header.replace(chr(34), '')}\n{rows}"


ODD_NAMES = (
    _wrong("Korean lists", "another name", _headed("Korean lists", "고객ID", "상품"),
           "Rename “상품” to “추천상품”."),
    _wrong("Korean lists", "an index", ",고객ID,추천상품\n0,42,7\n1,43,1\n", "index=False"),
    _wrong("Korean lists", "semicolons", "고객ID;추천상품\n42;7 1\n43;1\n", "semicolons"),
    _wrong("Korean lists", "an item a row", "고객ID,item_id\n42,7\n42,1\n43,1\n",
           '.rename("추천상품").to_csv("lists.csv")'),
    _wrong("quoted lists", "no quotes", _unquoted("quoted lists"), "exactly these two"),
    _wrong("quoted lists", "capitals",
           _headed("quoted lists", QUOTED[0].upper(), QUOTED[1]), "exactly so"),
    _wrong("quoted lists", "another name", _headed("quoted lists", QUOTED[0], "items {}"),
           'Rename “items {}” to “"5 ""best"" items"”.'),
    _wrong("quoted lists", "a surplus column", _text((*QUOTED, "n"), ("a", "x", "1")),
           "Remove all other columns"),
    _wrong("named scores", "a column less", _text(SCORED[:3], ("a", "7", "0.1")),
           'A column is missing: “"좋아요, {}"”.'),
    _wrong("named scores", "a column twice", _headed("named scores", *SCORED[:3], SCORED[2]),
           "occurs twice"),
    _wrong("named scores", "no number",
           ODD_CONTESTS["named scores"].good.replace("0.7", "x", 1),
           "Write a decimal number", "bad-label"),
    _wrong("named table", "letters and accents apart",
           ODD_CONTESTS["named table"].good.replace("\u00e9", "e\u0301"), "Unicode forms"),
    _wrong("named table", "two columns less", _text(ROWS[:4], *(["1"] * 4 for _ in range(4))),
           "Columns are missing: “=1+1”, “\"Größe (m²), café\"”."),
    _wrong("named table", "out of range",
           ODD_CONTESTS["named table"].good.replace("\n0,0,", "\n0,101,"),
           "Fertilizer Name is at most 100", "bad-label"),
    _wrong("named label sets", "capitals",
           _headed("named label sets", "[FILM]", SETS[1]), "exactly so"),
    _wrong("named label sets", "another name", _headed("named label sets", SETS[0], "x"),
           "Rename “x” to “Category:Misconception”."),
)  # fmt: skip

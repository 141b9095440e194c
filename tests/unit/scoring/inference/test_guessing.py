"""Guesses from the beginning of a ground truth."""

from __future__ import annotations

from typing import Any

import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.scoring.inference.guessing import guess_of
from podium.scoring.kinds.first_rows import Guess


def guessed(text: str, *, is_cut: bool = False) -> Guess:
    return guess_of(text.encode(), is_cut=is_cut)


NUMBERS = {"query_ids": "integer", "item_ids": "integer"}
TEXTS = {"query_ids": "string", "item_ids": "string"}

TABLES: list[tuple[str, str, dict[str, Any], tuple[str, ...]]] = [
    (
        "user,labels\n1,7 8\n2,9\n",
        "lists",
        {"id_column": "user", "labels_column": "labels", "objectives": {"items": 1}, **NUMBERS},
        ("user,labels", "1,17 4 92", "2,17 4 92"),
    ),
    (
        "customer_id,prediction\n00a,0706016001 x\n00b,y\n",
        "lists",
        {
            "id_column": "customer_id",
            "labels_column": "prediction",
            "objectives": {"items": 1},
            **TEXTS,
        },
        ("customer_id,prediction", "00a,item-17 item-4 item-92", "00b,item-17 item-4 item-92"),
    ),
    (
        "session_type,labels,Usage\n"
        "1_clicks,7,Public\n1_carts,8,Public\n2_clicks,9,Private\n2_carts,,Private\n",
        "lists",
        {
            "id_column": "session_type",
            "labels_column": "labels",
            "objectives": {"clicks": 1, "carts": 1},
            "split": "usage",
            **NUMBERS,
        },
        ("session_type,labels", "1_clicks,17 4 92", "1_carts,17 4 92"),
    ),
    (
        "user,item\n1,7\n1,8\n2,9\n",
        "pairs",
        {"id_column": "user", "item_column": "item", "objectives": {"items": 1}, **NUMBERS},
        ("user,labels", "1,17 4 92", "2,17 4 92"),
    ),
    (
        "session,type,aid\n5,clicks,7\n5,orders,8\n",
        "pairs",
        {
            "id_column": "session_type",
            "objectives": {"clicks": 0.1, "carts": 0.3, "orders": 0.6},
            **NUMBERS,
        },
        ("session_type,labels", "5_clicks,17 4 92", "5_orders,17 4 92"),
    ),
    (
        "user,movie,stars\nu1,m1,3.5\nu1,m2,4\n",
        "ratings",
        {
            "task": "rating",
            "id_column": "user",
            "item_column": "movie",
            "labels_column": "stars",
            "objectives": {"rating": 1},
            "missing_rows": "reject",
            **TEXTS,
        },
        ("user,movie,stars", "u1,m1,3.5", "u1,m2,3.5"),
    ),
    (
        "user,item,click\n1,7,0\n1,8,1\n",
        "scores",
        {
            "task": "scores",
            "id_column": "user",
            "item_column": "item",
            "labels_column": "click",
            "objectives": {"click": 1},
            "missing_rows": "reject",
            **NUMBERS,
        },
        ("user,item,click", "1,7,0.5", "1,8,0.5"),
    ),
    (
        "user,item,imp,like,reply,Usage\n1,7,a,0,1,Public\n1,7,b,1,0,Private\n",
        "scores",
        {
            "task": "scores",
            "id_column": "user",
            "item_column": "item",
            "labels_column": "score",
            "objectives": {"like": 1, "reply": 1},
            "missing_rows": "reject",
            "context_column": "imp",
            "context_ids": "string",
            "split": "usage",
            **NUMBERS,
        },
        ("user,item,imp,like,reply", "1,7,a,0.5,0.5", "1,7,b,0.5,0.5"),
    ),
    (
        "impression_id,news,clicked\n1,n7,0\n1,n8,1\n",
        "scores",
        {
            "task": "rerank",
            "id_column": "impression_id",
            "item_column": "news",
            "labels_column": "clicked",
            "objectives": {"clicked": 1},
            "missing_rows": "reject",
            "query_ids": "integer",
            "item_ids": "string",
        },
        ("impression_id,news,clicked", "1,n7,0.5", "1,n8,0.5"),
    ),
]


@pytest.mark.parametrize(("text", "shape", "settings", "sample"), TABLES)
def test_tables_are_told_apart_by_their_columns_and_rows(
    text: str, shape: str, settings: dict[str, Any], sample: tuple[str, ...]
) -> None:
    guess = guessed(text)
    assert (guess.shape, guess.settings, guess.sample) == (shape, settings, sample)
    assert guess.columns == tuple(text.split("\n")[0].split(","))
    assert guess.rows[0] == tuple(text.split("\n")[1].split(","))


def test_labels_as_json_lines_name_their_objectives() -> None:
    guess = guessed(
        '{"session": 42, "labels": {"clicks": 7, "carts": [7, 9]}}\n{"session": 43, "labels": {}}\n'
    )
    assert guess.shape == "labels"
    assert guess.settings == {
        "id_column": "session_type",
        "objectives": {"clicks": 0.1, "carts": 0.3, "orders": 0.6},
        **NUMBERS,
    }
    only = guessed('{"session": "a", "labels": ["x", "y"]}\n')
    assert only.settings == {"id_column": "session", "objectives": {"items": 1}, **TEXTS}


def test_raw_sessions_are_recognized() -> None:
    line = '{"session": 1, "events": [{"aid": 7, "ts": 1, "type": "clicks"}]}\n'
    assert guessed(line * 2).shape == "sessions"


def test_a_line_that_was_cut_is_not_looked_at() -> None:
    guess = guessed("user,labels\n1,7\n2,8 9\n3,1", is_cut=True)
    assert guess.rows == (("1", "7"), ("2", "8 9"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (
            b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml",
            "a spreadsheet. Export the table as CSV",
        ),
        (b"\x89PNG\r\n\x1a\n", "neither text nor Parquet"),
        (b"user\x00,labels\n", "neither text nor Parquet"),
        (b"user,labels\n", "no rows"),
        (b"user;labels\n1;7\n", ""),
        (b"user\titem\n1\t7\n", ""),
        (b"user::item\n1::7\n", ""),
        (b"session,item,ts\n1,7,1661724000\n", "The column “ts” looks like a time"),
        (b"user,movie,rating,Timestamp\n1,7,4,1661724000\n", "The column “Timestamp” looks like"),
        (b"u1,1072\nu1,1073\n", "The first row looks like data: “1072” names no column"),
        (b"user,5 7 9\nu2,6\n", "“5 7 9” names no column"),
        (b"User-ID,Item\nu1,7\n", ""),
        (b"Customer Name,what they bought\nAda,b1\n", ""),
        (b'"Name, first","5"" disk"\nAda,b1\n', ""),
        (b"user,item \n1,7\n", "rename “item ” to “item” (without the space around it),"),
        ("имя,товар\n1,7\n".encode(), ""),
        ("고객ID,추천상품\n1,7\n".encode(), ""),
        ("user,商品　名\n1,7\n".encode(), ""),
        ("a\u200bb,ab\n1,7\n".encode(), "rename “a\u200bb” to “ab_1”, and choose the file again."),
        ("\u200b,b\n1,7\n".encode(), "to “user”,"),
        (b"user," + b"x" * 65 + b"\n1,7\n", f"to “{'x' * 64}”,"),
        (b",user,item\n0,u1,7\n", "an index column, the first one. With pandas, write"),
        (b"Unnamed: 0,user,item\n0,u1,7\n", "an index column"),
        (b"index,user,item\n0,u1,7\n1,u2,8\n", "an index column"),
        (b"index,item,rating\n4,7,1\n", ""),
        (b"user,item,\nu1,7,\n", "The column 3 has no name"),
        (b"user,user\nu1,7\n", "Two columns are called “user”"),
        (b"user,item,rating,place\nu1,7,3,x\n", "The column “place” is one too many"),
        (b"session,type,aid,relevance\n1,clicks,7,2\n", ""),
        (b"user|item\n1|7\n", "The file has one column, “user|item”"),
        (b"user,item\n1,7,8\n", "The header has 2 columns, and line 2 has 3"),
        ("u\u200b1,b1\nu\u200b2,b2\n".encode(), "names no column"),
        (b"time,item\n1,7\n", ""),
        (b"user,item,time,click\n1,7,1661724000,1\n", ""),
        (b"user,item,click,time\n1,7,1,1661724000\n", "The column “time” looks like"),
        (b"user,item,Is_Like,reply\n1,7,1,0\n", ""),
        (b"PAR1\x15\x00", ""),
        (b"PK\x03\x04\x00", ""),
        (b"7\t0\td1\t1\n", ""),
        (b"user,labels\n1,a;b\n", ""),
        (b'{"session": 1}\n', ""),
    ],
)
def test_a_file_that_cannot_be_a_ground_truth_is_refused(content: bytes, words: str) -> None:
    found = guess_of(content, is_cut=False).problem
    assert words in found if words else not found


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("u01,B048\nu02,B051\nu02,B048\n", True),
        ("a3f,c91\nb2e,7d0\n", True),
        ("ada,tea\nbob,milk\nada,milk\n", True),
        ("u01,B048,Usage\nu02,B051,Public\n", False),
        ("ada,tea\nbob,milk\n", False),
        ("user1,item1\nuser2,item2\n", True),
        ("user,item2\nada,tea2\n", False),
        ("customerId,sku\nc1,s2\n", False),
        ("who,what\nu01,B048\n", False),
        ("u-1,b-7\nu-2,b-8\n", True),
        ("u1,b7 b8\nu2,b8\n", True),
        ("ada,red tea\nbob,milk\n", True),
        ("고객,상품\n1,7\n", False),
    ],
)
def test_a_first_row_that_is_written_as_the_others_is_asked(text: str, is_asked: bool) -> None:
    guess = guessed(text)
    assert guess.problem == ""
    assert bool(guess.question) == is_asked
    if is_asked:
        assert f"looks like data: “{text.splitlines()[0]}”" in guess.question


def test_qrels_have_settings_without_a_header() -> None:
    guess = guessed("# judged\n7\t0\td1\t1\n7 0 d2 0\n")
    assert (guess.shape, guess.rows) == ("pairs", (("7", "0", "d1", "1"), ("7", "0", "d2", "0")))
    assert guess.settings["id_column"] == "topic"


@pytest.mark.parametrize(
    "text", ["labels,item\n1,7\n1,8\n", "id,labels\n" + "a_x y,7\nb_z,8\n" * 4]
)
def test_what_is_guessed_are_settings(text: str) -> None:
    CompetitionSettings.model_validate({"metric": "mrr@10", **guessed(text).settings})


def test_what_stands_twice_among_the_first_rows_is_noted() -> None:
    assert "“1,7” stands twice" in guessed("user,item\n1,7\n2,7\n1,7\n").note
    assert "The list of “2” holds an item twice" in guessed("user,labels\n1,7\n2,8 9 8\n").note
    assert guessed("user,item\n1,7\n2,7\n1,8\n").note == ""
    assert guessed("user,labels\n1,7\n2,8 9\n").note == ""


@pytest.mark.parametrize("header", ["session_id,bought", "session_id,items", "user,labels"])
def test_lists_stay_lists_where_an_id_stands_twice_and_the_note_names_both_lines(
    header: str,
) -> None:
    guess = guessed(f"{header}\nu1,B1 B2\nu2,B3\nu1,B1 B2\n")
    assert (guess.shape, guess.settings["labels_column"]) == ("lists", header.split(",")[1])
    assert guess.note.startswith("“u1” has two rows, on line 2 and on line 4.")
    assert "Advanced" not in guess.note
    # Of rows without an item to spare, nothing tells lists from one row per item.
    assert guessed("user,item\nu1,B1\nu1,B2\n").shape == "pairs"


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"PAR1\x15\x00", b"\xff\xfeu\x00", b"one\ntwo\n", b'{"a": 1}\n', b"{broken\n"],
)
def test_what_cannot_be_told_is_no_guess(content: bytes) -> None:
    assert guess_of(content, is_cut=False).shape == "unknown"


@pytest.mark.parametrize(
    ("text", "metric", "objectives", "columns"),
    [
        ("id,y\n1,0.5\n2,3\n", "rmse", {"y": 1}, ["number"]),
        ("id,toxic,rude\na,0,1\nb,1,0\nc,0,0\n", "auc", {"toxic": 1, "rude": 1}, ["number"] * 2),
        ("id,y,kind\n1,-2,x\n2,3,y\n", "rmse", {"y": 1}, ["number", "text"]),
        ("Id,Sale_Price\n1,2.5\n2,3.5\n", "rmse", {"sale-price": 1}, ["number"]),
    ],
)
def test_numbers_for_each_id_are_a_table(
    text: str, metric: str, objectives: dict[str, int], columns: list[str]
) -> None:
    guess = guessed(text)
    assert guess.shape == "table"
    settings: dict[str, Any] = dict(guess.settings)
    assert (settings["metric"], settings["objectives"]) == (metric, objectives)
    assert [each["type"] for each in settings["table_columns"]] == columns
    CompetitionSettings.model_validate(settings)


@pytest.mark.parametrize(
    "text",
    [
        "user,item\n1,7\n2,9\n",
        "user,item,rating\n1,7,0.5\n2,9,1.5\n",
        "user,price\n1,2.5\n1,3.5\n",
        "user,item\n1,0\n2,1\n",
    ],
)
def test_what_may_be_items_is_no_table(text: str) -> None:
    assert guessed(text).shape != "table"


@pytest.mark.parametrize(
    ("text", "can_be"),
    [
        ("id,price\n1,25\n2,3\n", True),
        ("id,price\n1,25\n1,3\n", False),
        ("user,labels\n1,7 9\n2,3\n", False),
    ],
)
def test_whole_numbers_for_each_id_are_a_table_where_they_are_read_as_one(
    text: str, can_be: bool
) -> None:
    assert guessed(text).shape != "table"
    assert guessed(text).may_be == ("table" if can_be else "")
    read = guess_of(text.encode(), is_cut=False, wanted="table")
    assert (read.shape == "table", read.may_be) == (can_be, "")


def test_a_table_may_have_many_columns() -> None:
    names = [f"c{place}" for place in range(30)]
    row = ",".join(["1.5"] * 30)
    guess = guessed(f"id,{','.join(names)}\n1,{row}\n2,{row}\n")
    assert (guess.shape, guess.problem, len(guess.settings["table_columns"])) == ("table", "", 30)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["id,y\n3000000000,0.5\n3000000001,1.5\n", "id,y\n7.0,1.5\n8.0,2\n"]
)
def test_ids_of_a_table_are_whole_numbers_only_where_its_reader_takes_them(text: str) -> None:
    assert guessed(text).settings["query_ids"] == "string"


def test_documents_are_items_of_which_each_row_has_one() -> None:
    guess = guessed("topic,docno\nt1,d1\nt2,d2\n")
    assert (guess.shape, guess.settings["item_column"]) == ("pairs", "docno")


def test_a_relevance_beside_another_target_is_a_target() -> None:
    guess = guessed("user,item,relevance,click\n1,7,1,1\n1,8,0,0\n")
    assert (guess.shape, guess.problem) == ("scores", "")
    assert guess.settings["objectives"] == {"relevance": 1, "click": 1}


def test_a_column_beside_sessions_types_and_items_is_too_many() -> None:
    guess = guessed("session,type,aid,click\n1,clicks,7,1\n1,carts,8,0\n")
    assert "The column “click” is one too many" in guess.problem


def test_a_field_that_is_too_long_for_a_guess_is_left_to_the_reader() -> None:
    long = b'a,b\n"' + b"x" * 200_000 + b'",c\n'
    assert guess_of(long, is_cut=False).problem == ""

"""From a file of clicks to the report."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.experiments.report import ReportOptions, report_on
from podium.scoring.problems import FileRejected


def reported(folder: Path, text: str) -> dict[str, Any]:
    path = folder / "clicks.csv"
    path.write_text(text)
    return report_on(path, ReportOptions())


def refused(folder: Path, text: str) -> list[tuple[str, int | None]]:
    path = folder / "clicks.csv"
    path.write_text(text)
    with pytest.raises(FileRejected) as caught:
        report_on(path, ReportOptions())
    return [(str(problem.code), problem.line) for problem in caught.value.rejection.problems]


def test_counts_of_two_groups(tmp_path: Path) -> None:
    report = reported(tmp_path, "group,pv,clicks\nold,60,4\nnew,100,20\nold,40,6\n")
    assert report["unit"] == "page view"
    old, _ = report["groups"]
    assert (old["group"], old["pv"], old["clicks"], old["ctr"]) == ("old", 100, 10, 0.1)
    assert old["interval"] == pytest.approx([0.05522913706067509, 0.17436566150491348])
    difference = report["difference"]
    assert (difference["method"], difference["value"], difference["relative"]) == ("z", 0.1, 1.0)
    assert difference["z"] == pytest.approx(1.9802950859533488)
    assert difference["p"] == pytest.approx(0.04767038065616141)
    assert difference["fisher_p"] == pytest.approx(0.07342758972137636)
    assert difference["interval"] == pytest.approx([0.00014902511855761913, 0.19947387007806955])
    assert (difference["delta"], report["views_per_user"]) == (None, None)


def test_one_row_a_page_view_says_the_same_as_counts(tmp_path: Path) -> None:
    rows = ["a,1"] * 10 + ["a,0"] * 90 + ["b,1"] * 20 + ["b,0"] * 80
    random.Random(1).shuffle(rows)
    # Who is named first is the first group.
    text = "\n".join(["group,clicked", "a,1", "b,1", *rows]) + "\n"
    counted = reported(tmp_path, "clicks,group,pv\n11,a,101\n21,b,101\n")
    assert reported(tmp_path, text) == counted


def test_small_counts_are_left_to_the_exact_test(tmp_path: Path) -> None:
    difference = reported(tmp_path, "group,pv,clicks\na,10,1\nb,12,5\n")["difference"]
    assert difference["method"] == "fisher"
    assert difference["p"] == difference["fisher_p"] != difference["z_p"]


def test_users_are_the_unit_where_they_are_named(tmp_path: Path) -> None:
    rows = [(1, 10), (0, 5), (3, 20), (2, 10), (0, 5), (1, 10)]
    # The rows of a user are added up first.
    text = "group,user,pv,clicks\n" + "".join(
        f"a,{n},{views - 1},{clicks}\na,{n},1,0\n" for n, (clicks, views) in enumerate(rows)
    )
    text += "".join(f"b,x{n},{views},{clicks}\n" for n, (clicks, views) in enumerate(rows))
    report = reported(tmp_path, text)
    assert report["unit"] == "user"
    assert [group["users"] for group in report["groups"]] == [6, 6]
    difference = report["difference"]
    assert (difference["method"], difference["value"], difference["p"]) == ("delta", 0.0, 1.0)
    error = math.sqrt(2 * 0.000625)
    assert difference["delta"]["standard_error"] == pytest.approx(error)
    reach = 1.959963984540054 * error
    assert difference["interval"] == pytest.approx([-reach, reach])
    middle = 7 / 60
    reach = 1.959963984540054 * math.sqrt(0.000625)
    assert report["groups"][0]["interval"] == pytest.approx([middle - reach, middle + reach])
    assert report["views_per_user"] == {
        "means": [10.0, 10.0],
        "difference": 0.0,
        "t": 0.0,
        "degrees": pytest.approx(10.0),
        "p": pytest.approx(1.0),
    }


def test_heavy_users_widen_the_interval(tmp_path: Path) -> None:
    """Users who click together: counting page views would be far too sure."""
    rng = random.Random(3)
    rows = []
    for n in range(400):
        views, taste = rng.choice((1, 40)), rng.random() ** 3
        clicks = sum(rng.random() < taste for _ in range(views))
        rows.append(f"{'ab'[n % 2]},{n},{views},{clicks}")
    report = reported(tmp_path, "\n".join(["group,user,pv,clicks", *rows]) + "\n")
    difference = report["difference"]
    naive = difference["value"] / difference["z"]
    assert difference["delta"]["standard_error"] > 2 * naive


def test_a_single_user_says_nothing(tmp_path: Path) -> None:
    report = reported(tmp_path, "group,user,pv,clicks\na,1,9,2\nb,2,9,3\nb,3,9,3\n")
    difference = report["difference"]
    assert (difference["method"], difference["p"], difference["interval"]) == ("delta", None, None)
    assert report["groups"][0]["interval"] is None
    assert report["views_per_user"] is None


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("group,pv\na,1\n", [("header-mismatch", 1)]),
        ("group,pv,clicks,clicks\n", [("header-mismatch", 1)]),
        ("", [("empty-file", None)]),
        ("group,pv,clicks\na,1,x\nb,-1,0\nb,1,2\n", [("bad-number", n) for n in (2, 3, 4)]),
        ("group,pv,clicks\na,1,1\nb,2,1\nc,2,1\n", [("unknown-id", 4)]),
        ("group,pv,clicks\n,1,1\n", [("bad-id", 2)]),
        ("group,pv,clicks\na,1,1\na,2,1\n", [("row-shape", None)]),
        ("group,pv,clicks\na,1,1\nb,0,0\n", [("zero-denominator", None)]),
        ("group,pv,clicks\na,1,1\nb,1\n", [("row-shape", 3)]),
        ("group,clicked\na,1\nb,2\n", [("bad-number", 3)]),
        ("group,user,clicked\na,7,1\nb,7,1\nb,,1\n", [("duplicate-id", 3), ("bad-id", 4)]),
    ],
)
def test_rows_that_cannot_be_counted_are_refused_with_their_lines(
    tmp_path: Path, text: str, problems: list[tuple[str, int | None]]
) -> None:
    assert refused(tmp_path, text) == problems


def test_parquet_is_read_too_and_its_problems_name_rows(tmp_path: Path) -> None:
    path = tmp_path / "clicks.parquet"
    frame = pl.DataFrame({"group": ["a", "b"], "pv": [100, 100], "clicks": [10, 20]})
    frame.write_parquet(path)
    assert report_on(path, ReportOptions())["difference"]["value"] == 0.1
    frame.with_columns(clicks=101).write_parquet(path)
    with pytest.raises(FileRejected) as caught:
        report_on(path, ReportOptions())
    assert caught.value.rejection.problems[0].row == 0


def test_after_a_thousand_bad_rows_reading_stops(tmp_path: Path) -> None:
    path = tmp_path / "clicks.csv"
    path.write_text("group,clicked\n" + "a,2\n" * 1001)
    with pytest.raises(FileRejected) as caught:
        report_on(path, ReportOptions())
    assert caught.value.rejection.count == 1000

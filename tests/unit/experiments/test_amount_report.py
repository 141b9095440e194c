"""From a file of amounts to the report."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.errors import NotConfigured
from podium.experiments.report import ReportOptions, report_on
from podium.scoring.problems import FileRejected

# Sums of the users of old are 12, 9, 11, 10, 8, of new 14, 10, 13, 12, 9: the golden Welch test.
SALES = """group,user,sales
old,a,10
new,f,14
old,b,9
old,c,11
old,d,10
old,e,8
old,a,2
new,g,10
new,h,13.5
new,h,-.5
new,i,1.2e1
new,j,9
"""


def reported(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    path = folder / "amounts.csv"
    path.write_text(text)
    return report_on(path, ReportOptions(**options))


def refused(folder: Path, text: str, **options: Any) -> list[tuple[str, int | None]]:
    with pytest.raises(FileRejected) as caught:
        reported(folder, text, **options)
    return [(str(problem.code), problem.line) for problem in caught.value.rejection.problems]


def test_means_per_user_have_the_golden_values_of_welch(tmp_path: Path) -> None:
    report = reported(tmp_path, SALES)
    assert (report["unit"], report["control"], report["tests"]) == ("user", "old", 1)
    assert report["groups"] == [{"group": "old", "users": 5}, {"group": "new", "users": 5}]
    (sales,) = report["metrics"]
    assert (sales["metric"], sales["method"], sales["cuped"]) == ("sales", "welch", None)
    assert [group["value"] for group in sales["groups"]] == [10, 11.6]
    (found,) = sales["differences"]
    assert (found["group"], found["value"], found["relative"]) == (
        "new",
        pytest.approx(1.6),
        pytest.approx(0.16),
    )
    assert found["statistic"] == pytest.approx(1.3719886811400706, rel=1e-12)
    assert found["degrees"] == pytest.approx(7.476151980598221, rel=1e-12)
    assert found["p"] == found["p_holm"] == pytest.approx(0.20981915465049022, rel=1e-12)
    # 2.334434 standard errors: Student's t with 7.476 degrees of freedom. SciPy says the same.
    assert found["standard_error"] == pytest.approx(1.1661903789690602)
    assert found["interval"] == pytest.approx([-1.1223949277, 4.3223949277], abs=1e-9)


def test_a_ratio_is_that_of_the_sums_by_the_delta_method(tmp_path: Path) -> None:
    rows = [(1, 10), (0, 5), (3, 20), (2, 10), (0, 5), (1, 10)]
    text = "group,user,revenue,sessions\n" + "".join(
        f"{group},{group}{n},{revenue},{sessions}\n"
        for group in "ab"
        for n, (revenue, sessions) in enumerate(rows)
    )
    (found,) = reported(tmp_path, text, metrics=["revenue/sessions"])["metrics"]
    assert found["method"] == "delta"
    assert found["groups"][0]["value"] == pytest.approx(0.11666666666666667)
    (difference,) = found["differences"]
    assert difference["standard_error"] == pytest.approx((2 * 0.000625) ** 0.5)
    assert (difference["value"], difference["p"], difference["degrees"]) == (0, 1, None)


def test_clicks_of_users_are_the_ratio_of_clicks_and_page_views(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = [(f"{'ab'[n % 2]},{n}", rng.randint(1, 9)) for n in range(60)]
    text = "group,user,pv,clicks\n" + "".join(
        f"{user},{views},{rng.randint(0, views)}\n" for user, views in rows
    )
    clicks = reported(tmp_path, text)["difference"]["delta"]
    (ratio,) = reported(tmp_path, text, metrics=["clicks/pv"])["metrics"][0]["differences"]
    assert [ratio[name] for name in ("standard_error", "p", "interval")] == [
        clicks[name] for name in ("standard_error", "p", "interval")
    ]


def test_every_group_is_compared_with_the_control_and_all_p_are_corrected(tmp_path: Path) -> None:
    rng = random.Random(2)
    text = "group,user,sales,visits\n" + "".join(
        f"{group},{group}{n},{rng.random() + shift},{rng.random()}\n"
        for group, shift in (("x", 0.2), ("old", 0), ("y", 0.1))
        for n in range(50)
    )
    report = reported(tmp_path, text, control="old")
    tested = [
        (metric["metric"], found["group"], found["p"], found["p_holm"])
        for metric in report["metrics"]
        for found in metric["differences"]
    ]
    assert [each[:2] for each in tested] == [
        (metric, group) for metric in ("sales", "visits") for group in "xy"
    ]
    assert report["tests"] == 4
    smallest = min(tested, key=lambda each: each[2])
    assert smallest[3] == pytest.approx(4 * smallest[2])
    assert max(each[3] for each in tested) <= 1


def test_nothing_depends_on_the_order_of_rows(tmp_path: Path) -> None:
    rng = random.Random(3)
    rows = [
        f"{'ab'[user % 2]},{user},{rng.lognormvariate(0, 2)!r},{rng.random()!r}"
        for user in range(200)
        for _ in range(rng.randint(1, 5))
    ]
    options = {"control": "a", "winsorize": 0.95, "before": {"x": "y"}, "metrics": ["x", "x/y"]}
    reports = []
    for _ in range(5):
        rng.shuffle(rows)
        report = reported(tmp_path, "\n".join(["group,user,x,y", *rows]) + "\n", **options)
        report["groups"].sort(key=lambda group: group["group"])
        for metric in report["metrics"]:
            metric["groups"].sort(key=lambda group: group["group"])
        reports.append(report)
    assert all(report == reports[0] for report in reports)


def test_winsorizing_caps_at_the_quantile_of_all_users(tmp_path: Path) -> None:
    # 0 to 9 and 10 to 19: the quantile 0.9 is at place 17.1 of 0 to 19.
    text = "group,user,sales\n" + "".join(f"{'ab'[n // 10]},{n},{n}\n" for n in range(20))
    report = reported(tmp_path, text, winsorize=0.9)
    assert report["winsorized"] == {
        "quantile": 0.9,
        "caps": [{"column": "sales", "value": pytest.approx(17.1), "users": 2}],
    }
    values = [group["value"] for group in report["metrics"][0]["groups"]]
    assert values == pytest.approx([4.5, (10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 2 * 17.1) / 10])
    assert reported(tmp_path, text)["winsorized"] is None


def test_amounts_equal_to_the_quantile_are_not_capped(tmp_path: Path) -> None:
    text = "group,user,sales\n" + "".join(f"{'ab'[n % 2]},{n},{min(n, 5)}\n" for n in range(20))
    (cap,) = reported(tmp_path, text, winsorize=0.9)["winsorized"]["caps"]
    assert (cap["value"], cap["users"]) == (5, 0)


def test_a_quantile_that_would_cap_everything_is_refused(tmp_path: Path) -> None:
    text = "group,user,sales\n" + "".join(f"{'ab'[n % 2]},{n},{n // 9}\n" for n in range(10))
    assert refused(tmp_path, text, winsorize=0.6) == [("bad-number", None)]


def test_cuped_shows_its_theta_and_the_variance_that_is_gone(tmp_path: Path) -> None:
    text = "group,user,sales,earlier\n" + "".join(
        f"{group},{group}{n},{sales},{n}\n"
        for group, amounts in (("a", (1, 2, 3)), ("b", (4, 6, 8)))
        for n, sales in enumerate(amounts)
    )
    (found,) = reported(tmp_path, text, before={"sales": "earlier"})["metrics"]
    assert found["cuped"] == {
        "column": "earlier",
        "theta": 1.5,
        "variance_reduction": 0.9,
        "means": {"a": 2.0, "b": 6.0},
    }
    assert [group["value"] for group in found["groups"]] == [2, 6]
    # What is left of each group is (0.5, 0, -0.5): a variance of 0.25.
    assert found["differences"][0]["standard_error"] == pytest.approx((0.25 * 2 / 3) ** 0.5)


def test_sizes_that_are_not_as_planned_are_told(tmp_path: Path) -> None:
    text = "group,user,sales\n" + "".join(f"{'ab'[n >= 90]},{n},{n}\n" for n in range(100))
    balance = reported(tmp_path, text)["balance"]
    assert balance["planned"] == {"a": 0.5, "b": 0.5}
    assert (balance["chi_square"], balance["is_mismatch"]) == (64, True)
    planned = reported(tmp_path, text, weights={"b": 1, "a": 9})["balance"]
    assert (planned["chi_square"], planned["is_mismatch"]) == (0, False)


def test_sizes_of_clicks_are_tested_by_their_unit(tmp_path: Path) -> None:
    views = reported(tmp_path, "group,pv,clicks\na,900,9\nb,100,9\n")["balance"]
    assert (views["chi_square"], views["is_mismatch"]) == (640, True)
    text = "group,user,pv,clicks\na,1,900,9\nb,2,100,9\n"
    assert reported(tmp_path, text)["balance"]["chi_square"] == 0


def test_the_control_of_clicks_can_be_named(tmp_path: Path) -> None:
    text = "group,pv,clicks\na,100,10\nb,100,20\n"
    assert reported(tmp_path, text, control="b")["difference"]["value"] == -0.1


@pytest.mark.parametrize(
    "options", [{"control": "x"}, {"weights": {"old": 1}}, {"weights": {"old": 1, "x": 1}}]
)
@pytest.mark.parametrize("text", [SALES, "group,pv,clicks\nold,9,1\nnew,9,1\n"])
def test_groups_that_are_not_there_are_wrong_use(
    tmp_path: Path, options: dict[str, Any], text: str
) -> None:
    with pytest.raises(NotConfigured, match="old, new"):
        reported(tmp_path, text, **options)


@pytest.mark.parametrize(
    ("text", "options", "problems"),
    [
        ("user,sales\na,1\n", {}, [("header-mismatch", 1)]),
        ("group,sales\na,1\n", {}, [("header-mismatch", 1)]),
        ("group,user\na,1\n", {}, [("header-mismatch", 1)]),
        ("group,user,x,x\na,1,2,3\n", {}, [("header-mismatch", 1)]),
        (SALES, {"metrics": ["profit"]}, [("header-mismatch", 1)]),
        (SALES, {"metrics": ["sales/visits"]}, [("header-mismatch", 1)]),
        (SALES, {"before": {"sales": "visits"}}, [("header-mismatch", 1)]),
        (SALES, {"before": {"sales": "sales"}, "metrics": ["sales"]}, [("header-mismatch", 1)]),
        (SALES, {"before": {"profit": "sales"}, "metrics": ["sales"]}, [("header-mismatch", 1)]),
        (
            "group,user,x,y\na,1,2,3\n",
            {"metrics": ["x/y"], "before": {"x/y": "x"}},
            [("header-mismatch", 1)],
        ),
        (
            "group,user,x\na,1,\na,2,one\na,3,nan\na,4,1e400\na,5,2e15\na,6,1_0\n",
            {},
            [("bad-number", line) for line in range(2, 8)],
        ),
        ("group,user,x\na,1,2\n,2,2\na,,2\nb,1,2\n", {}, [("bad-id", 3), ("bad-id", 4)]),
        ("group,user,x,y\na,1,1,-1\n", {"metrics": ["x/y"]}, [("bad-number", 2)]),
        ("group,user,x\na,1,2\na,2,2\n", {}, [("row-shape", None)]),
        ("group,user,x\na,1,2\na,2,2\nb,3,2\nb,3,2\n", {}, [("row-shape", None)]),
        (
            "group,user,x,y\na,1,1,0\na,2,1,0\nb,3,1,1\nb,4,1,1\n",
            {"metrics": ["x/y"]},
            [("zero-denominator", None)],
        ),
        (
            "group,user,x\n" + "".join(f"g{n},{n},1\n" for n in range(21)),
            {},
            [("unknown-id", 22)],
        ),
    ],
)
def test_rows_that_cannot_be_counted_are_refused_with_their_lines(
    tmp_path: Path, text: str, options: dict[str, Any], problems: list[tuple[str, int | None]]
) -> None:
    found = refused(tmp_path, text, **options)
    assert found[: len(problems)] == problems


def test_groups_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "amounts.csv"
    path.write_bytes(b"group,user,x\na,1,2\n\xff\xfe,2,3\n")
    with pytest.raises(FileRejected) as caught:
        report_on(path, ReportOptions())
    problem = caught.value.rejection.problems[0]
    assert (str(problem.code), problem.line) == ("bad-id", 3)


def test_a_user_in_two_groups_is_named_with_the_line(tmp_path: Path) -> None:
    assert refused(tmp_path, "group,user,x\na,1,2\nb,1,2\n") == [("duplicate-id", 3)]


def test_parquet_says_the_same_and_its_problems_name_rows(tmp_path: Path) -> None:
    path = tmp_path / "amounts.csv"
    path.write_text(SALES)
    frame = pl.read_csv(path)
    frame.write_parquet(tmp_path / "amounts.parquet")
    options = ReportOptions()
    assert report_on(tmp_path / "amounts.parquet", options) == report_on(path, options)
    frame.with_columns(sales=pl.lit(None, pl.Float64)).write_parquet(tmp_path / "amounts.parquet")
    with pytest.raises(FileRejected) as caught:
        report_on(tmp_path / "amounts.parquet", options)
    assert caught.value.rejection.problems[0].row == 0


def test_an_effect_on_nothing_has_no_relative_size(tmp_path: Path) -> None:
    text = "group,user,x\na,1,0\na,2,0\nb,3,1\nb,4,2\n"
    (found,) = reported(tmp_path, text)["metrics"][0]["differences"]
    assert (found["value"], found["relative"]) == (1.5, None)


def test_more_than_a_loss_is_a_relative_gain(tmp_path: Path) -> None:
    text = "group,user,x\na,1,-1\na,2,-3\nb,3,0\nb,4,2\n"
    (found,) = reported(tmp_path, text)["metrics"][0]["differences"]
    assert (found["value"], found["relative"]) == (3, 1.5)

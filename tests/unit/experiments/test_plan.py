"""Random assignment: its shares, its stability, its independence, and the test of sizes."""

from __future__ import annotations

import hashlib
import hmac
import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from podium.experiments.balance import balance_document, balance_of
from podium.experiments.plan import HashedAssignment, Plan
from podium.experiments.users import assigned
from podium.scoring.problems import FileRejected

PLAN = Plan.of({"old": 50, "new": 30, "newer": 20})
USERS = [b"user %d" % n for n in range(30_000)]


def groups_of(users: list[bytes], salt: str = "a test", plan: Plan = PLAN) -> list[str]:
    assignment = HashedAssignment.by(plan, salt)
    return [assignment.group_of(user) for user in users]


def test_shares_are_kept() -> None:
    """For 200 salts, the p of the sizes are uniform themselves."""
    from scipy import stats

    p_values = []
    for salt in range(200):
        groups = groups_of(USERS[:3000], f"salt {salt}")
        sizes = [groups.count(name) for name in PLAN.groups]
        p_values.append(balance_of(sizes, PLAN).p)
    assert stats.kstest(p_values, "uniform").pvalue > 0.01


def test_tests_with_other_salts_are_independent() -> None:
    from scipy import stats

    first, second = groups_of(USERS, "one"), groups_of(USERS, "two")
    table = np.zeros((3, 3))
    for pair in zip(first, second, strict=True):
        table[PLAN.groups.index(pair[0]), PLAN.groups.index(pair[1])] += 1
    assert stats.chi2_contingency(table).pvalue > 0.01


def test_ids_that_follow_each_other_are_no_pattern() -> None:
    from scipy import stats

    groups = groups_of(USERS, plan=Plan.equal(["a", "b"]))
    same = sum(one == other for one, other in pairwise(groups))
    assert stats.binomtest(same, len(groups) - 1).pvalue > 0.01


def test_a_user_stays_when_others_are_added_or_rows_are_shuffled(tmp_path: Path) -> None:
    assignment = HashedAssignment.by(PLAN, "a test")
    names = [f"u{n}" for n in range(2000)]
    few = tmp_path / "few.csv"
    few.write_text("user\n" + "\n".join(names[:500]) + "\n")
    random.Random(1).shuffle(names)
    many = tmp_path / "many.csv"
    many.write_text("user\n" + "\n".join(names) + "\n")
    later = dict(assigned(many, assignment).iter_rows())
    assert list(later) == names
    assert dict(assigned(few, assignment).iter_rows()).items() <= later.items()


def test_a_growing_last_group_only_takes_users_in() -> None:
    before = groups_of(USERS, plan=Plan.of({"old": 90, "new": 10}))
    after = groups_of(USERS, plan=Plan.of({"old": 60, "new": 40}))
    moves = {(one, other) for one, other in zip(before, after, strict=True) if one != other}
    assert moves == {("old", "new")}


def test_the_documented_arithmetic_gives_the_same_groups() -> None:
    for user, group in zip(USERS[:2000], groups_of(USERS[:2000]), strict=True):
        digest = hmac.new(b"a test", user, hashlib.sha256).hexdigest()
        place = Fraction(int(digest[:16], 16), 2**64)
        expected = "old" if place < Fraction(1, 2) else "new" if place < Fraction(4, 5) else "newer"
        assert group == expected


def test_the_end_of_an_interval_belongs_to_the_next_group() -> None:
    number = int(hmac.new(b"a", b"ada", hashlib.sha256).hexdigest()[:16], 16)
    plan = Plan.equal(["old", "new"])
    ends = [HashedAssignment(plan, b"a", (number + n,)).group_of(b"ada") for n in (0, 1)]
    assert ends == ["new", "old"]


def test_equal_thirds_leave_no_user_out() -> None:
    plan = Plan.equal(["a", "b", "c"])
    assert plan.shares == (Fraction(1, 3),) * 3
    assert set(groups_of(USERS, plan=plan)) == {"a", "b", "c"}


def test_sizes_by_hand() -> None:
    # 60 and 40 instead of 50 and 50: 10² / 50, twice. Of one degree of freedom: p of z = 2.
    found = balance_of([60, 40], Plan.equal(["a", "b"]))
    assert (found.chi_square, found.is_mismatch) == (4.0, False)
    assert found.p == pytest.approx(0.04550026389635842, rel=1e-12)


def test_a_mismatch_begins_below_one_in_a_thousand() -> None:
    plan = Plan.equal(["a", "b"])
    # Of 10,000 users, 3.29 standard deviations are 164.5.
    assert [balance_of([5000 + n, 5000 - n], plan).is_mismatch for n in (164, 165)] == [False, True]


def test_a_plan_may_name_groups_in_another_order() -> None:
    found = balance_document({"new": 10, "old": 90}, Plan.of({"old": 9, "new": 1}))
    assert found == {
        "planned": {"new": 0.1, "old": 0.9},
        "chi_square": 0.0,
        "p": 1.0,
        "is_mismatch": False,
    }


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("name\nada\n", [("header-mismatch", 1)]),
        ("user,user\na,b\n", [("header-mismatch", 1)]),
        ("user\n", [("empty-file", None)]),
        ("user,age\nada,3\n,4\nbob,5\nada,6\n", [("bad-id", 3), ("duplicate-id", 5)]),
        ('user\nada\n"a""b"\n', [("bad-id", 3)]),
        ("user,age\nada\n", [("row-shape", 2)]),
    ],
)
def test_users_that_cannot_be_assigned_are_refused_with_their_lines(
    tmp_path: Path, text: str, problems: list[tuple[str, int | None]]
) -> None:
    path = tmp_path / "users.csv"
    path.write_text(text)
    with pytest.raises(FileRejected) as caught:
        assigned(path, HashedAssignment.by(PLAN, "a"))
    found = caught.value.rejection.problems
    assert [(str(problem.code), problem.line) for problem in found] == problems


def test_users_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_bytes(b"user\nada\n\xff\xfe\xfd\n")
    with pytest.raises(FileRejected) as caught:
        assigned(path, HashedAssignment.by(PLAN, "a"))
    assert caught.value.rejection.problems[0].line == 3


def test_numbers_in_parquet_are_assigned_as_in_text(tmp_path: Path) -> None:
    assignment = HashedAssignment.by(PLAN, "a")
    frame = pl.DataFrame({"age": [3, 4, 5], "user": [7, 8, 9]})
    frame.write_parquet(tmp_path / "users.parquet")
    frame.write_csv(tmp_path / "users.csv")
    both = [assigned(tmp_path / f"users.{kind}", assignment) for kind in ("parquet", "csv")]
    assert both[0].equals(both[1])
    frame.with_columns(user=7).write_parquet(tmp_path / "users.parquet")
    with pytest.raises(FileRejected) as caught:
        assigned(tmp_path / "users.parquet", assignment)
    problem = caught.value.rejection.problems[0]
    assert (problem.row, problem.detail) == (1, "user “7” is already in row 0")

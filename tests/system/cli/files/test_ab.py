"""`podium ab`: reports of clicks and amounts, and random assignment."""

from __future__ import annotations

import gzip

import pytest

from tests.builders.processes.commands import Person

SALES = "group,user,sales,before,visits\n" + "".join(
    f"{group},{group}{n},{sales},{n},{n + 1}\n"
    for group, amounts in (("old", (1, 2, 3)), ("new", (4, 6, 8)))
    for n, sales in enumerate(amounts)
)


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    (person.home / "clicks.csv").write_text("group,pv,clicks\nold,100,10\nnew,100,20\n")
    (person.home / "sales.csv").write_text(SALES)
    users = "".join(f"{n},NL\n" for n in range(1000))
    (person.home / "users.csv").write_text("user,country\n" + users)


def test_the_report_of_clicks_for_people(person: Person) -> None:
    ran = person.types("ab", "clicks.csv")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[1].split() == ["old", "100", "10", "0.1", "0.0552291", "to", "0.174366"]
    assert lines[4:] == [
        "difference  0.1",
        "relative    +100.00%",
        "95 %        0.000149025 to 0.199474",
        "p           0.04767",
        "method      pooled two-proportion z",
        "sizes       as planned (50 : 50), p 1 (chi-square)",
    ]


def test_the_report_may_be_asked_for_by_name_and_options_may_come_first(person: Person) -> None:
    plain = person.types("ab", "clicks.csv", "--json")
    assert plain.document["difference"]["fisher_p"] == pytest.approx(0.07342758972137636)
    assert [group["ctr"] for group in plain.document["groups"]] == [0.1, 0.2]
    assert person.types("ab", "report", "clicks.csv", "--json") == plain
    assert person.types("ab", "--json", "clicks.csv") == plain


def test_bad_rows_are_named(person: Person) -> None:
    (person.home / "clicks.csv").write_text("group,pv,clicks\nold,100,10\nnew,1,20\n")
    ran = person.types("ab", "clicks.csv")
    assert ran.code == 3
    assert "clicks.csv:3: 20 clicks are more than 1 page views" in ran.err
    (person.home / "sales.csv").write_text(SALES + "new,new9,many,1,1\n")
    ran = person.types("ab", "sales.csv")
    assert (ran.code, ran.err) == (3, "sales.csv:8: “many” is not a finite number.\n")


def test_the_report_of_amounts_for_people(person: Person) -> None:
    options = ("--metric", "sales", "--metric", "sales/visits", "--cuped", "sales=before")
    ran = person.types("ab", "sales.csv", *options, "--winsorize", "0.9")
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out
        == """\
group  users  metric        value    95 %
old    3      sales         2        -0.484138 to 4.48414
new    3      sales         5.66667  1.87208 to 9.46125
old    3      sales/visits  1        1 to 1
new    3      sales/visits  2.83333  2.06146 to 3.6052

metric        difference  effect   relative  95 %                p          p (Holm)
sales         new - old   3.66667  +183.33%  2.88645 to 4.44689  0.000376   0.000376
sales/visits  new - old   1.83333  +183.33%  1.06146 to 2.6052   3.235e-06  6.471e-06

method      Welch's t-test of means per user; delta method for ratios
winsorized  at the quantile 0.9: sales 7 (users above: 1), \
before 2 (users above: 0), visits 3 (users above: 0)
CUPED       effects are of adjusted means: sales by before, theta 1.25, variance -93.8%
sizes       as planned (50 : 50), p 1 (chi-square)
"""
    )


def test_a_document_has_all_that_was_done(person: Person) -> None:
    ran = person.types("ab", "sales.csv", "--metric", "sales", "--cuped", "sales=before", "--json")
    assert (ran.code, ran.err) == (0, "")
    (sales,) = ran.document["metrics"]
    assert (sales["cuped"]["theta"], sales["cuped"]["variance_reduction"]) == (1.5, 0.9)
    assert sales["differences"][0]["value"] == 4
    assert ran.document["winsorized"] is None


def test_without_names_every_amount_is_a_metric_but_those_before(person: Person) -> None:
    ran = person.types("ab", "sales.csv", "--cuped", "sales=before", "--json")
    assert [metric["metric"] for metric in ran.document["metrics"]] == ["sales", "visits"]


def test_sizes_that_are_not_as_planned_are_warned_of(person: Person) -> None:
    (person.home / "clicks.csv").write_text("group,pv,clicks\nold,900,10\nnew,100,20\n")
    ran = person.types("ab", "clicks.csv")
    assert ran.code == 0
    assert ran.err.startswith("Sample ratio mismatch: the groups do not have the planned numbers")
    assert "not as planned (50 : 50)" in ran.out
    ran = person.types("ab", "clicks.csv", "--share", "new=10", "--share", "old=90")
    assert (ran.code, ran.err) == (0, "")
    assert "as planned (90 : 10), p 1" in ran.out
    document = person.types("ab", "clicks.csv", "--json").document
    assert document["balance"]["is_mismatch"] is True


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--winsorize", "1"), "from 0.5 to less than 1"),
        (("--winsorize", "nan"), "from 0.5 to less than 1"),
        (("--cuped", "sales"), "--cuped takes revenue=revenue_before, not sales."),
        (("--cuped", "sales=before", "--cuped", "sales=visits"), "--cuped names sales twice."),
        (("--share", "old"), "--share takes control=50, not old."),
        (("--share", "old=0"), "a share is a number above 0"),
        (("--share", "old=nan"), "a share is a number above 0"),
        (("--share", "old=1", "--share", "old=2"), "--share names old twice."),
        (("--control", "x"), "There is no group x. The file has: old, new."),
    ],
)
def test_wrong_options_are_explained(person: Person, options: tuple[str, ...], told: str) -> None:
    ran = person.types("ab", "sales.csv", *options)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


SHARES = ("--share", "old=75", "--share", "new=25")


def test_users_are_assigned_and_the_report_finds_the_planned_sizes(person: Person) -> None:
    ran = person.types("ab", "assign", "users.csv", "--salt", "a", *SHARES, "-o", "groups.csv")
    assert (ran.code, ran.err) == (0, "")
    lines = (person.home / "groups.csv").read_text().splitlines()
    assert lines[0] == "user,group"
    assert [line.split(",")[0] for line in lines[1:]] == [str(n) for n in range(1000)]
    users = {name: sum(line.endswith(f",{name}") for line in lines[1:]) for name in ("old", "new")}
    assert [line.split() for line in ran.out.splitlines()] == [
        ["group", "planned", "users"],
        ["old", "75.00%", str(users["old"])],
        ["new", "25.00%", str(users["new"])],
    ]
    rows = "".join(f"{line},{n % 7}\n" for n, line in enumerate(lines[1:]))
    (person.home / "seen.csv").write_text("user,group,sales\n" + rows)
    balance = person.types("ab", "seen.csv", *SHARES, "--json").document["balance"]
    assert (balance["is_mismatch"], balance["planned"]) == (False, {"old": 0.75, "new": 0.25})


def test_an_assignment_repeats_itself_in_any_container(person: Person) -> None:
    command = ("ab", "assign", "users.csv", *SHARES, "--salt")
    document = person.types(*command, "a", "-o", "groups.csv.gz", "--json").document
    assert document["file"] == "groups.csv.gz"
    assert sum(group["users"] for group in document["groups"]) == 1000
    assert person.types(*command, "a", "-o", "plain.csv").code == 0
    packed = gzip.decompress((person.home / "groups.csv.gz").read_bytes())
    assert packed == (person.home / "plain.csv").read_bytes()
    # Another salt makes another file, which does not take the place of this one.
    assert person.types(*command, "a", "-o", "plain.csv").code == 0
    assert person.types(*command, "b", "-o", "plain.csv").code == 2
    assert person.types(*command, "b", "-o", "plain.csv", "--force").code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--salt", "", *SHARES, "-o", "g.csv"), "--salt is empty"),
        (("--salt", "a", "--share", "old=1", "-o", "g.csv"), "Name 2 to 20 groups"),
        (("--salt", "a", *SHARES, "-o", "users.csv"), "users.csv has the users to assign"),
        (("--salt", "a", *SHARES, "--share", 'a"=1', "-o", "g.csv"), "without commas and quotes"),
    ],
)
def test_wrong_use_of_assign_is_explained(
    person: Person, options: tuple[str, ...], told: str
) -> None:
    ran = person.types("ab", "assign", "users.csv", *options)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert not (person.home / "g.csv").exists()


def test_users_that_stand_there_twice_are_named(person: Person) -> None:
    (person.home / "users.csv").write_text("user\nada\nbob\nada\n")
    ran = person.types("ab", "assign", "users.csv", "--salt", "a", *SHARES, "-o", "g.csv")
    assert (ran.code, ran.err) == (3, "users.csv:4: user “ada” is already on line 2.\n")
    assert not (person.home / "g.csv").exists()

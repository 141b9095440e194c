"""`podium score --metric-file` and `podium metric check`, on small tables."""

from __future__ import annotations

import pytest

from tests.builders.processes.commands import Person

METRIC = '''"""The mean absolute error."""
import pandas as pd

class ParticipantVisibleError(Exception):
    pass

def score(
    solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str, factor: float = 1
) -> float:
    """
    >>> half = pd.DataFrame({"id": [1], "y": [0.5]})
    >>> score(half, half * 2, "id")
    0.5
    """
    if submission["y"].max() > 9:
        raise ParticipantVisibleError("y is at most 9")
    if solution["y"].max() > 9:
        print("looking")
        raise ValueError("a bad solution")
    return factor * float((solution["y"] - submission["y"]).abs().mean())
'''

SOLUTION = "id,y,Usage\nb,1,Public\na,2,Private\nc,3,Private\n"

pytestmark = pytest.mark.xdist_group("own-metrics")


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    (person.home / "metric.py").write_text(METRIC)
    (person.home / "solution.csv").write_text(SOLUTION)
    (person.home / "good.csv").write_text("id,y\na,2\nb,3\nc,5\n")


def score(file: str, *more: str, truth: str = "solution.csv") -> list[str]:
    return ["score", file, "--truth", truth, "--metric-file", "metric.py", *more]


def test_each_split_is_scored_by_itself(person: Person) -> None:
    more = ("--metric-argument", "factor=2", "--lower-is-better", "--json")

    document = person.types(*score("good.csv", *more)).document

    assert document["status"] == "scored"
    assert {name: split["score"] for name, split in document["splits"].items()} == {
        "public": 4.0,
        "private": 2.0,
    }


def test_an_argument_may_be_a_list(person: Person) -> None:
    weighted = METRIC.replace("factor: float = 1", "factors: list[float] | None = None").replace(
        "return factor", "return sum(factors or [1])"
    )
    (person.home / "metric.py").write_text(weighted)
    more = ("--metric-argument", "factors=[1.5, 0.5]", "--lower-is-better", "--json")

    checked = person.types("metric", "check", "metric.py")
    scored = person.types(*score("good.csv", *more))
    wrong = person.types(*score("good.csv", "--metric-argument", 'factors=["a"]'))

    assert "arguments  factors (list[float], null)" in checked.out
    assert scored.document["splits"]["public"]["score"] == 4.0
    assert (wrong.code, "factors takes list[float], not 'a'" in wrong.err) == (4, True)


def test_refused_and_bad_files_end_with_their_exit_code(person: Person) -> None:
    (person.home / "high.csv").write_text("id,y\na,2\nb,10\nc,5\n")
    (person.home / "short.csv").write_text("id,y\na,2\n")

    high = person.types(*score("high.csv"))
    short = person.types(*score("short.csv"))

    assert (high.code, "public: the metric refuses it: y is at most 9" in high.err) == (3, True)
    assert (short.code, "short.csv" in short.err) == (3, True)


def test_a_metric_that_fails_shows_its_traceback_and_its_output(person: Person) -> None:
    (person.home / "odd.csv").write_text(SOLUTION.replace("b,1", "b,11"))

    ran = person.types(*score("good.csv", truth="odd.csv"))

    assert ran.code == 4
    assert 'File "metric.py", line 19, in score' in ran.err
    assert "It had printed:\nlooking" in ran.err


def test_a_check_names_the_line_and_tries_the_metric(person: Person) -> None:
    tried = ("--solution", "solution.csv", "--submission", "good.csv")
    good = person.types("metric", "check", "metric.py", *tried)
    (person.home / "metric.py").write_text(METRIC.replace("    0.5\n", "    0.75\n"))
    bad = person.types("metric", "check", "metric.py")
    salted = METRIC.replace(
        "return factor", "return (hash('x') % 1000 if len(solution) > 1 else 0) + factor"
    )
    (person.home / "metric.py").write_text(salted)
    unlike = person.types("metric", "check", "metric.py", *tried)

    assert (good.code, good.err) == (0, "")
    assert (bad.code, bad.err.startswith("metric.py:12: score(half, half * 2")) == (3, True)
    assert (unlike.code, "processes with other hash seeds disagree" in unlike.err) == (3, True)


def test_a_check_says_why_the_metric_refuses_a_file_and_knows_its_arguments(person: Person) -> None:
    (person.home / "high.csv").write_text("id,y\na,2\nb,10\nc,5\n")
    tried = ("--solution", "solution.csv", "--submission", "high.csv")
    high = person.types("metric", "check", "metric.py", *tried)
    strange = person.types("metric", "check", "metric.py", "--metric-argument", "power=2")

    assert (high.code, "public: the metric refuses it: y is at most 9" in high.err) == (0, True)
    assert (strange.code, "the file's further arguments are factor" in strange.err) == (2, True)

"""`podium create` and `podium score` understand a ground truth and a metric alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Installation]:
    """A server without competitions."""
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as installation:
        yield installation


OF_ONE_FUNCTION = [
    ("accuracy", "id,breed\n1,cat\n2,dog\n3,cat\n", "id,breed\n1,cat\n2,cat\n3,cat\n"),
    ("log_loss", "id,breed\n1,cat\n2,dog\n3,cat\n", "id,dog,cat\n1,0,1\n2,1,0\n3,0.5,0.5\n"),
    ("auc", "id,y\n1,1\n2,0\n3,1\n", "id,y\n1,0.9\n2,0.2\n3,0.4\n"),
    ("mae", "id,price\n1,10\n2,20\n3,30\n", "id,price\n1,10.5\n2,20\n3,30\n"),
    ("mae", "id,a,B_c\n1,1.5,2\n2,2,2\n3,3,3\n", "id,a,B_c\n1,1,2\n2,2,2\n3,3,4\n"),
    ("mcrmse", "id,a,b\n1,1.5,2\n2,2,2\n3,3,3\n", "id,a,b\n1,1,2\n2,2,2\n3,3,4\n"),
    ("mae", "user,item,rating\n1,7,3\n1,8,4\n", "user,item,rating\n1,7,3\n1,8,2\n"),
    ("auc", "user,item,click\n1,7,1\n1,8,0\n", "user,item,click\n1,7,0.5\n1,8,0.4\n"),
    ("ndcg@5", "query,doc,click\n1,7,1\n1,8,0\n", "query,doc,click\n1,7,1\n1,8,2\n"),
    ("recall@2", "user,items\n1,7 8\n2,9\n", "user,items\n1,8 9\n2,9\n"),
]


def doubled(text: str, *, sides: Sequence[str] = ("", "")) -> str:
    """The rows twice, under other ids, perhaps with the sides that they are on."""
    header, *rows = text.splitlines()
    lines = [header + (",Usage" if sides[0] else "")]
    for number, side in enumerate(sides, 1):
        lines += [f"{number}{row}" + (f",{side}" if side else "") for row in rows]
    return "".join(f"{line}\n" for line in lines)


def test_a_competition_made_with_a_metric_judges_as_score_does(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    for number, (metric, truth, file) in enumerate(OF_ONE_FUNCTION):
        (person.home / "t.csv").write_text(doubled(truth, sides=("Public", "Private")))
        (person.home / "s.csv").write_text(doubled(file))
        (person.home / "wrong.csv").write_text(f"index,{file}")
        slug = f"one-{number}"
        made = person.types("create", slug, "--metric", metric, "--truth", "t.csv", **here)
        assert made.code == 0, made.err
        told = person.types("settings", slug, **here)
        (person.home / "settings.json").write_text(told.out)
        for name in ("s.csv", "wrong.csv"):
            asked = ("score", name, "--truth", "t.csv", "--no-history", "--json")
            by_metric = person.types(*asked, "--metric", metric)
            by_settings = person.types(*asked, "--preset", "settings.json")
            assert by_metric.code == by_settings.code == (0 if name == "s.csv" else 3), truth
            for word in ("score", "problem", "counts"):
                assert by_metric.document.get(word) == by_settings.document.get(word), truth


def test_the_kind_of_a_new_competition_is_named_where_a_metric_suits_several(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    # So many that either split has some, whatever key the server draws.
    rows = "".join(f"{number},{number / 2},2\n" for number in range(100))
    (person.home / "t.csv").write_text("id,y,z\n" + rows)
    command = ("create", "kind", "--metric", "mae", "--truth", "t.csv", "--task")
    assert person.types(*command, "table", **here).code == 0
    assert person.types("settings", "kind", **here).document["task"] == "table"
    alone = person.types("create", "other", "--task", "table", **here)
    assert (alone.code, "--task goes with --metric and --truth" in alone.err) == (2, True)

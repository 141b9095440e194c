"""The rules about what is not everybody's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import privacy
from tests.house.project import Project, Source
from tests.places import ROOT


def of(*sources: Source) -> Project:
    return Project(Path("/nowhere"), sources)


@pytest.mark.parametrize(
    "line",
    [
        "from podium.teams import queries\n",
        "from podium.teams.queries import team_named\n",
        "from podium.submissions.queries import quota\n",
        "import podium.teams.queries\n",
    ],
)
def test_queries_of_another_subject_are_found(line: str) -> None:
    (problem,) = privacy.keep_their_queries(of(Source("app/podium/boards/service/views.py", line)))
    assert (problem.path, problem.line) == ("app/podium/boards/service/views.py", 1)


def test_a_subject_may_ask_its_own_queries_and_the_services_of_others() -> None:
    text = "from podium.boards import queries\nfrom podium.teams.service import teams\n"
    assert (
        list(privacy.keep_their_queries(of(Source("app/podium/boards/service/views.py", text))))
        == []
    )


@pytest.mark.parametrize(
    "text",
    [
        "select(PrivateScore)\n",
        "models.PrivateScore.score\n",
        "def page() -> list[str]:\n    return session.scalars(select(PrivateScore.note))\n",
    ],
)
def test_private_scores_are_found_in_the_queries_of_the_public_board(text: str) -> None:
    project = of(Source("app/podium/boards/queries/rows.py", text))
    assert len(list(privacy.name_private_scores_where_they_may(project))) == 1


def test_one_function_of_a_file_may_name_private_scores_and_its_neighbor_may_not() -> None:
    text = (
        "def private_scores_of() -> PrivateScore:\n    return select(PrivateScore)\n"
        "def twin_of(score: PrivateScore) -> None:\n    select(PrivateScore)\n"
    )
    project = of(Source("app/podium/submissions/queries/submissions.py", text))
    (problem,) = privacy.name_private_scores_where_they_may(project)
    assert problem.line == 4


def test_every_definition_that_may_name_private_scores_does() -> None:
    for listed in privacy.MAY_NAME_PRIVATE_SCORES:
        path, _, name = listed.partition(":")
        source = Source(path, (ROOT / path).read_text())
        assert name in {named for named, _ in privacy.naming_private_scores(source)}, listed

"""A wrong file gets the same code, line and hint from the server and from both commands at home."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation, Person
from tests.builders.page import Browser
from tests.builders.processes.typed import typed
from tests.builders.season import until
from tests.builders.wrong_files.browser import facts_in, looked_at
from tests.builders.wrong_files.contests import CONTESTS
from tests.builders.wrong_files.every import WRONG_FILES
from tests.builders.wrong_files.shape import Wrong

pytestmark = pytest.mark.xdist_group("wrong submissions")

A_TEAM = 15
"""Files that one team sends: many rejected ones make it wait."""

Problems = list[dict[str, Any]]


@pytest.fixture(scope="module")
def opened(judging: Installation) -> dict[str, Competition]:
    """An open competition for each contest."""
    return {
        name: Competition.opened(
            judging, contest.truth, **{"forms": [], **contest.settings}, daily_limit=100
        )
        for name, contest in CONTESTS.items()
    }


@pytest.fixture(scope="module")
def on_server(opened: dict[str, Competition]) -> dict[str, Problems]:
    """The problems that the server finds in each wrong file."""
    sent: dict[str, tuple[Person, str]] = {}
    for name, competition in opened.items():
        files = [wrong for wrong in WRONG_FILES if wrong.contest == name]
        for some in (files[at : at + A_TEAM] for at in range(0, len(files), A_TEAM)):
            team = competition.team()
            for wrong in some:
                path = f"/competitions/{competition.slug}/submissions"
                answer = team.post(path, content=wrong.content)
                assert answer.status_code == 202, (str(wrong), answer.text)
                sent[str(wrong)] = (team, f"/submissions/{answer.json()['id']}")
    return {wrong: _problems(team, path) for wrong, (team, path) in sent.items()}


def _problems(team: Person, path: str) -> Problems:
    until(lambda: team.get(path).json()["judged_at"] is not None)
    found: Problems = team.get(path).json()["problem"]["errors"]
    return found


@pytest.fixture(scope="module")
def at_home(
    opened: dict[str, Competition], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Any]:
    """Runs a command on a file for a contest; returns its exit code and its document. Settings lie
    beside the sample, as the server gives both."""
    folder = tmp_path_factory.mktemp("home")
    for name, competition in opened.items():
        anonymous, path = competition.installation.anonymous, f"/competitions/{competition.slug}"
        (folder / f"{name}.truth.csv").write_text(CONTESTS[name].truth)
        (folder / f"{name}.csv").write_bytes(anonymous.get(f"{path}/sample-submission").content)
        (folder / f"{name}.settings.json").write_bytes(anonymous.get(path).content)

    def run(command: str, contest: str, content: bytes) -> tuple[int, Any]:
        file = folder / "file"
        file.write_bytes(content)
        options = ["--sample", str(folder / f"{contest}.csv")]
        if command == "score":
            options = ["--truth", str(folder / f"{contest}.truth.csv"), "--no-history"]
            options += ["--preset", str(folder / f"{contest}.settings.json")]
        done = typed(command, file, *options, "--json")
        return done.code, done.document

    return run


def told(problems: Problems) -> list[tuple[Any, ...]]:
    """All that must be equal."""
    return [(each["code"], each["line"], each["hint"]) for each in problems]


@pytest.mark.parametrize("wrong", WRONG_FILES, ids=str)
def test_a_wrong_file_is_told_the_same_everywhere(
    on_server: dict[str, Problems], at_home: Callable[..., Any], wrong: Wrong
) -> None:
    expected = told(on_server[str(wrong)])
    code, line, hint = expected[0]
    assert (code, line) == (wrong.code, wrong.line)
    assert wrong.hint in hint
    for command in ("score", "validate"):
        status, document = at_home(command, wrong.contest, wrong.content)
        assert status == 3, command
        assert told(document["problem"]["errors"]) == expected, command


@pytest.fixture(scope="module")
def in_browser(
    opened: dict[str, Competition], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Problems]:
    """The problems that the page to submit sees in each file."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on this machine: it runs the scripts of the page")
    facts = {}
    for name, competition in opened.items():
        browser, person = Browser(competition.installation.client.app), competition.team()
        browser.sign_in(str(person.token))
        facts[name] = facts_in(browser.get(f"/competitions/{competition.slug}/submit").text)
    files = {str(wrong): (facts[wrong.contest], wrong.content) for wrong in WRONG_FILES}
    files |= {f"{name}: good": (facts[name], CONTESTS[name].good.encode()) for name in CONTESTS}
    seen = looked_at(node, list(files.values()), tmp_path_factory.mktemp("scripts"))
    return dict(zip(files, seen, strict=True))


@pytest.mark.parametrize("wrong", WRONG_FILES, ids=str)
def test_the_page_says_nothing_else_before_the_file_is_sent(
    on_server: dict[str, Problems], in_browser: dict[str, Problems], wrong: Wrong
) -> None:
    expected, seen = told(on_server[str(wrong)]), told(in_browser[str(wrong)])
    # It knows no published ids, and not which category is most like another.
    assert [each for each in seen if each not in expected and each[2]] == []
    assert [each[:2] for each in seen if each[:2] not in [one[:2] for one in expected]] == []
    if wrong.in_browser:
        assert seen[0][:2] == expected[0][:2]


@pytest.mark.parametrize("name", CONTESTS)
def test_the_page_finds_nothing_in_a_good_file(in_browser: dict[str, Problems], name: str) -> None:
    assert in_browser[f"{name}: good"] == []


@pytest.mark.parametrize("name", CONTESTS)
def test_the_good_file_is_taken(at_home: Callable[..., Any], name: str) -> None:
    for command in ("score", "validate"):
        status, document = at_home(command, name, CONTESTS[name].good.encode())
        assert (status, document.get("not_checked")) == (0, None)

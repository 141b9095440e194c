"""The names in documents exist: files, commands with their options, targets, settings."""

from __future__ import annotations

import re
import shlex
import struct
from pathlib import Path
from typing import Any

import pytest
import typer

from podium.accounts.authentication import oidc
from podium.cli.commands import build
from podium.cli.lazy import FORMER_NAMES, LazyGroup
from podium.cli.operator.environment import COMPOSE
from podium.cli.participant.submitting import SUBMISSIONS
from podium.client.refusals import KINDS
from podium.core.competition_settings import CompetitionSettings
from podium.settings import Settings
from tests.places import ROOT
from tests.unit.documents.documents import DOCUMENTS, codes, name_of

COMMANDS: Any = typer.main.get_command(build())
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)


@each_document
def test_every_command_exists_with_its_options(path: Path) -> None:
    wrong = [line for line in codes(path.read_text()) if not all(map(_exists, _calls(line)))]
    assert wrong == []


def test_the_tables_of_submissions_in_documents_have_the_columns_of_the_command() -> None:
    columns = ",".join(name for name, _ in SUBMISSIONS)
    shown = {
        line
        for path in DOCUMENTS
        for line in codes(path.read_text())
        if line.startswith("id,submitted,")
    }
    assert shown == {columns}


@each_document
def test_no_value_of_a_setting_has_a_comment_behind_it(path: Path) -> None:
    # systemd and `docker run --env-file` take it for a part of the value.
    lines = [line for line in codes(path.read_text()) if re.match(r"\s*PODIUM_\w+=", line)]
    assert [line for line in lines if re.search(r"\s#", line)] == []


def _calls(line: str) -> list[list[str]]:
    """The calls of `podium` in a line of code, as words."""
    lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars=";|<>&()")
    lexer.whitespace_split = True
    calls: list[list[str]] = []
    try:
        words = list(lexer)
    except ValueError:  # no line for a shell, such as "Team Ada's"
        return []
    is_first, is_inside = True, False
    for word in words:
        if set(word) <= set(";|<>&()") or word == "--":
            is_first, is_inside = word not in "<>", False
        elif is_first and word == "podium":
            calls.append([])
            is_first, is_inside = False, True
        elif is_inside:
            calls[-1].append(word)
        else:
            is_first = re.fullmatch(r"[A-Z_]+=.*", word) is not None
    return calls


def _exists(words: list[str]) -> bool:
    command, before = COMMANDS, ""
    options = {"-h", "--help"}
    for word in words:
        options |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        inner = command.whole() if isinstance(command, LazyGroup) else {}
        if word.startswith("-"):
            if word.partition("=")[0] not in options:
                return False
        elif inner and before != "--profile":
            # Records of the past call commands by former names.
            today = FORMER_NAMES.get(word, word)
            named = today if today in inner else getattr(command, "default", None)
            if named is None:
                return False
            command = inner[named]
        before = word
    return True


GNU = re.compile(
    r"\bstat -c|\bsed -i|\bdate -d|\bsha256sum|\bbase64 -w|\breadlink -f|/I[a-z]*['\"]"
)
"""Options and tools of GNU alone: readers with macOS have others."""


def test_the_guide_names_what_is_registered_at_an_identity_provider() -> None:
    guide = (ROOT / "docs" / "operators.md").read_text()
    assert f"`https://podium.example{oidc.REDIRECT_PATH}`" in guide
    assert f"| scopes | `{oidc.SCOPES}` |" in guide


@each_document
def test_commands_are_those_of_every_unix(path: Path) -> None:
    assert [line for line in codes(path.read_text()) if GNU.search(line)] == []


@each_document
def test_every_target_exists(path: Path) -> None:
    named = {
        name
        for line in codes(path.read_text())
        for name in re.findall(r"^(?:\$ |- run: )?make ([a-z-]+)", line)
    }
    assert named - TARGETS == set()


@each_document
def test_every_setting_exists(path: Path) -> None:
    settings = {f"PODIUM_{name.upper()}" for name in Settings.model_fields}
    elsewhere = "".join(
        file.read_text()
        for file in [*(ROOT / "app" / "podium" / "cli").rglob("*.py"), ROOT / "docker-compose.yml"]
    )
    named = set(re.findall(r"\bPODIUM_[A-Z_]*[A-Z]\b", path.read_text())) - settings
    assert {name for name in named if not re.search(rf"\b{name}\b", elsewhere)} == set()


def test_operators_find_every_variable_of_the_compose_file_with_its_default() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    own = dict(re.findall(r"\$\{(\w+)(?::-([^}]*))?\}", compose))
    # Without a value: arguments of the build.
    own |= dict.fromkeys(re.findall(r"^    (\w+_IMAGE):$", compose, re.MULTILINE), "") | own
    settings = {f"PODIUM_{name.upper()}" for name in Settings.model_fields}
    own = {name: default for name, default in own.items() if name not in settings}
    guide = (ROOT / "docs" / "operators.md").read_text()
    part = guide.partition("\n## In containers\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (?:`([^`]+)`|–) \| \S", part, re.MULTILINE)
    assert dict(rows) == own
    assert {name for name in own if name.startswith("PODIUM_")} == COMPOSE


def test_organizers_find_every_setting_of_a_competition_in_their_table() -> None:
    text = (ROOT / "docs" / "generated" / "competition-settings.md").read_text()
    named = re.findall(r"^\| `(\w+)` \|.*\|$", text, re.MULTILINE)
    assert set(CompetitionSettings.model_fields) - set(named) == set()


def test_the_page_of_the_client_names_every_error_that_a_refusal_becomes() -> None:
    text = (ROOT / "docs" / "client.md").read_text()
    rows = set(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.MULTILINE))
    assert {(kind.__name__, str(status)) for status, kind in KINDS.items()} - rows == set()


def test_commands_that_do_not_exist_are_noticed() -> None:
    assert not _exists(["sumbit", "otto"])
    assert not _exists(["submit", "otto", "--fiel", "x.csv"])
    assert not _exists(["team", "mrege"])
    assert _exists(["--profile", "ada", "team", "merge", "--accept", "ID"])
    assert _calls('$ A=1 podium a; x | podium b "c d" > e # podium f') == [["a"], ["b", "c d"]]


def test_the_picture_of_the_board_is_a_small_picture() -> None:
    content = (ROOT / "docs" / "images" / "board.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > height > 500
    assert len(content) <= 150_000


def test_the_readme_is_read_in_a_minute() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120

"""A missing requirement of a command beyond the thin client is named before it begins."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from podium.cli import extras
from podium.cli.commands import build
from podium.cli.extras import Extra, require, require_linux
from podium.errors import NotConfigured


def test_what_is_installed_is_required_in_silence() -> None:
    for extra in Extra:
        require(extra, "podium test")


def test_a_missing_extra_is_said_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.BRINGS, Extra.SERVER, ("the server", "no_such_module"))
    with pytest.raises(NotConfigured) as refused:
        require(Extra.SERVER, "podium serve")
    needed, line = refused.value.detail.split(": ", 1)
    assert needed == "podium serve needs the server"
    # No release is on an index, and single quotes are none to Windows' cmd.
    assert line == (
        'pip install "podium-scorer[server] @ git+https://github.com/podium-scorer/podium"'
    )


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("otto synth --to /nowhere", "podium otto synth"),
        ("otto synth --unknown 3", "podium otto synth"),
        ("score absent.csv", "podium score"),
    ],
)
def test_a_command_without_its_extra_says_so_whatever_it_is_given(
    monkeypatch: pytest.MonkeyPatch, line: str, command: str
) -> None:
    monkeypatch.setitem(extras.BRINGS, Extra.SCORE, ("the scorer", "no_such_module"))
    with pytest.raises(NotConfigured, match=f"^{command} needs the scorer: "):
        CliRunner().invoke(build(), line.split(), catch_exceptions=False)


def test_the_help_of_a_command_without_its_extra_ends_with_the_line_to_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(extras.BRINGS, Extra.SCORE, ("the scorer", "no_such_module"))
    ran = CliRunner().invoke(build(), ["otto", "synth", "--help"])
    assert ran.exit_code == 0
    assert "podium otto synth needs the scorer: pip install" in " ".join(ran.stdout.split())


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_server_runs_on_linux_only_and_says_so(
    monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", system)
        with pytest.raises(NotConfigured, match=r"^podium serve runs on Linux only") as refused:
            require(Extra.SERVER, "podium serve")
    assert refused.value.detail.count(".") == 1


def test_linux_is_where_everything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    require_linux("podium serve")

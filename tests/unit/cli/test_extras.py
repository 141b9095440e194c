"""A missing requirement of a command beyond the thin client is named before it begins."""

from __future__ import annotations

import sys

import pytest

from podium.cli import extras
from podium.cli.extras import Extra, needing, require, require_linux
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


def test_a_command_does_nothing_before_its_extra_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(extras.BRINGS, Extra.SCORE, ("the scorer", "no_such_module"))
    done: list[str] = []
    command = needing(Extra.SCORE, "otto synth", lambda: done.append("synth"))
    with pytest.raises(NotConfigured, match=r"^podium otto synth needs the scorer: "):
        command()
    monkeypatch.undo()
    assert done == []
    command()
    assert done == ["synth"]


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_server_runs_on_linux_only_and_says_so(
    monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    command = needing(Extra.SERVER, "serve", lambda: None)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", system)
        with pytest.raises(NotConfigured, match=r"^podium serve runs on Linux only") as refused:
            command()
    assert refused.value.detail.count(".") == 1


def test_linux_is_where_everything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    require_linux("podium serve")

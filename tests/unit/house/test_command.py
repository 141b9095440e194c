"""The command: it prints every problem, of whatever rule, and fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.__main__ import main


def test_the_command_prints_every_problem_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\ndependencies = []\n[project.optional-dependencies]\n'
    )
    package = tmp_path / "app" / "podium"
    package.mkdir(parents=True)
    (package / "teams.py").write_text("import no_such_library  # nobody has it\n")
    assert main(tmp_path) == 1
    printed = capsys.readouterr().out
    assert "app/podium/teams.py:1: open the module by saying" in printed
    assert "app/podium/teams.py:1: no_such_library: ask for it" in printed
    assert "app/podium/teams.py:1: “nobody” in # nobody has it: write no user" in printed

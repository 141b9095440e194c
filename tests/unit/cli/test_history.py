"""The history where it cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.cli.history.entries import keep_reading


def test_that_nothing_is_kept_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for _ in range(2):
        keep_reading("http://podium.test", "shop")
    told = capsys.readouterr().err
    assert told.count("The run is not in the history:") == 1

"""Unfinished uploads: what is said of them, and where they cannot be remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.cli.participant.unfinished import RememberedUploads, interruption_message
from podium.client.uploads import RESUMABLE_BYTES


@pytest.mark.parametrize(
    ("size", "end"),
    [
        (RESUMABLE_BYTES, "it sends the file from its beginning."),
        (RESUMABLE_BYTES + 1, "the upload resumes from here."),
    ],
)
def test_only_of_a_large_file_an_upload_is_said_to_resume(
    tmp_path: Path, size: int, end: str
) -> None:
    file = tmp_path / "file.csv"
    with file.open("wb") as sink:
        sink.truncate(size)
    assert interruption_message(file) == f"Stopped. Run the same command again: {end}"


def test_a_state_folder_that_cannot_be_made_ends_no_upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    known = RememberedUploads()
    known["server and hash"] = "7"
    assert dict(known) == {}

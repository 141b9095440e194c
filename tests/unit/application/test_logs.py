"""Logs go to standard error as it is; what cannot be written is dropped and counted."""

from __future__ import annotations

import io
import json
import sys

import pytest

from podium.logs import configure_logs, get_logger


class Disk(io.StringIO):
    """A stream with room or without."""

    is_full = False

    def write(self, text: str) -> int:
        if self.is_full:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_events_on_a_full_disk_are_counted_and_the_count_is_told_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk()
    monkeypatch.setattr(sys, "stderr", disk)
    configure_logs(json=True)
    log = get_logger("test")
    log.info("test.began")
    disk.is_full = True
    log.info("line.lost")
    disk.is_full = False
    log.info("test.ended")
    monkeypatch.undo()
    configure_logs()
    events = [json.loads(line) for line in disk.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["test.began", "lines.dropped", "test.ended"]
    assert events[1]["pieces"] > 0


def test_a_closed_stream_stops_no_caller_and_the_next_one_is_written_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", first)
    configure_logs(json=True)
    log = get_logger("test").bind()
    log.info("line.written")
    assert "line.written" in first.getvalue()
    first.close()
    log.info("line.lost")
    monkeypatch.setattr(sys, "stderr", second)
    log.info("test.ended")
    monkeypatch.undo()
    configure_logs()
    events = [json.loads(line)["event"] for line in second.getvalue().splitlines()]
    assert events == ["lines.dropped", "test.ended"]

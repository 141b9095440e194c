"""Processes of a custom metric that end badly, or lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.application import Application
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import QuotaSlot
from tests.builders.judging.table_scene import TableScene


@pytest.mark.timeout(300)
def test_a_process_of_the_metric_that_ends_badly_or_lies_has_failed(
    application: Application, tmp_path: Path
) -> None:
    metric = {"version": 1, "seconds": 5}
    scene = TableScene(application, tmp_path, in_children=True, own_metric=metric)
    for number, (act, why) in enumerate(
        {"abort": "crash", "leave": "no-answer", "raise": "our-error", "sleep": "wall-time"}.items()
    ):
        if number == 3:
            # After three in a row the team would wait.
            scene.change(lambda session: session.query(QuotaSlot).delete())
        row = scene.judged({"act": act}, number=number)
        assert (row.state, row.problem) == (State.FAILED, {"code": "metric-failed"})
        note = scene.run(row.id).note
        assert note is not None
        assert note["report"].startswith(f"The code ended the process that ran it: {why}.")
        assert scene.slots() == number % 3 + 1
    scene.change(lambda session: session.query(QuotaSlot).delete())
    row = scene.judged({"score": 0.5}, {"act": "abort"}, number=9)
    assert (row.state, scene.private_run(row.id)) == (State.SCORED, WorkState.FAILED)

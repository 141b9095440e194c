"""Custom metrics through the Python client, against a real port."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.client import Organizer
from podium.errors import InvalidInput
from tests.builders.custom_metrics.scene import METRIC, MetricScene
from tests.builders.uploads.server import running as served


def test_a_metric_is_uploaded_compared_and_tried(scene: MetricScene, tmp_path: Path) -> None:
    scene.load_truth()
    file = tmp_path / "mine.py"
    with (
        served(scene.installation.application) as server,
        Organizer(f"http://127.0.0.1:{server.port}", scene.organizer.token) as organizer,
    ):
        file.write_text(METRIC)
        made = organizer.upload_custom_metric(scene.slug, file, note="first")
        assert (made["version"], made["file_name"], made["note"]) == (1, "mine.py", "first")
        file.write_text(METRIC + "# more\n")
        organizer.upload_custom_metric(scene.slug, file)
        assert [each["version"] for each in organizer.custom_metrics(scene.slug)] == [2, 1]
        assert organizer.custom_metric(scene.slug, "1")["in_force"] is True
        assert organizer.metric_source(scene.slug, "1").decode() == METRIC
        assert "+# more" in organizer.metric_difference(scene.slug, "2", "1")
        assert organizer.try_custom_metric(scene.slug, "2")["public"]["score"] == 3.5
        assert organizer.metric_in_force(scene.slug)["version"] == 1
        file.write_text("def score(:\n")
        with pytest.raises(InvalidInput) as refusal:
            organizer.upload_custom_metric(scene.slug, file)
        assert refusal.value.problems[0]["line"] == 1

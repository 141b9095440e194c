"""The custom metrics of presets, looked at as any upload is."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.custom_metric_runner.catalogue import FOLDER, file_of
from tests.builders.custom_metric_runner.bench import MetricBench

FILES = sorted(FOLDER.glob("[!_]*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_metric_file_is_good_and_has_examples(bench: MetricBench, file: Path) -> None:
    checked = bench.check(file.read_bytes())
    assert checked.problems == ()
    assert checked.doctests > 0
    assert checked.output == ""


def test_a_preset_with_a_built_in_metric_has_no_file() -> None:
    assert file_of("spooky-authors") in FILES
    assert file_of("otto") is None

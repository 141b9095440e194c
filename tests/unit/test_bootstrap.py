"""Which adapters an installation gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.bootstrap import build, threads_of_a_judging
from app.errors import NotConfigured
from app.settings import Settings


def test_judgings_side_by_side_share_the_processors() -> None:
    cores = len(os.sched_getaffinity(0))
    assert threads_of_a_judging(1) == cores
    assert threads_of_a_judging(cores) == 1
    assert threads_of_a_judging(10 * cores) == 1


def test_a_store_that_is_not_read_here_is_refused_at_the_start(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, storage_url="s3://bucket")
    with pytest.raises(NotConfigured, match="PODIUM_STORAGE_URL"):
        build(settings)

"""The rules by which raw sessions are prepared, and what a version keeps of them."""

from __future__ import annotations

from typing import Any

import pytest

from podium.materials.service.raw_sessions import Preparation
from podium.otto.clickstreams import Columns


@pytest.mark.parametrize(
    ("stored", "preparation"),
    [
        ({"days": 7, "columns": None}, Preparation(7, None)),
        (
            {"days": 1.5, "columns": ["who", "what", "when", None, "iso", True]},
            Preparation(1.5, Columns("who", "what", "when", None, "iso", text_ids=True)),
        ),
    ],
)
def test_what_versions_keep_is_read_again(stored: dict[str, Any], preparation: Preparation) -> None:
    assert Preparation.from_stored(stored) == preparation
    assert preparation.stored() == stored

"""The spelling of receipts: one for each document, and none where there would be two."""

from __future__ import annotations

from typing import Any

import pytest

from podium.submissions.rules import canonical, signed_part


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"score": 0.5}, "holds no floats"),
        ({"scores": [{"public": (1, 2.0)}]}, "holds no floats"),
        ({"größe": 1}, "'größe' is not ASCII text"),
        ({"sizes": [{1: 2}]}, "1 is not ASCII text"),
    ],
)
def test_what_two_programs_could_spell_differently_is_in_no_receipt(
    document: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        canonical(document)


def test_a_signature_covers_everything_but_itself() -> None:
    assert signed_part({"signature": "ab", "b": [1, None, True], "a": "é"}) == (
        '{"a":"é","b":[1,null,true]}'.encode()
    )

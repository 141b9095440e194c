"""Passwords are long enough, varied enough, and mean the same on every machine."""

from __future__ import annotations

import pytest

from app.domain.passwords import checked_password
from app.errors import InvalidInput


@pytest.mark.parametrize("given", ["correct horse", "9174620358", "pässwörter", "李" * 6 + "abcd"])
def test_ten_different_enough_characters_are_a_password(given: str) -> None:
    assert checked_password(given, name="ada") == given


@pytest.mark.parametrize(
    "given", ["", "short", "abcdefghi", "a" * 20, "abababababab", "abcdef" * 43, "Grace Hopper"]
)
def test_short_uniform_endless_and_own_names_are_none(given: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_password(given, name="Grace Hopper")
    assert refusal.value.code == "bad-password"


def test_one_password_typed_on_two_machines_is_one() -> None:
    composed, decomposed = "Z\u00fcrich-abc-9", "Zu\u0308rich-abc-9"
    assert composed != decomposed
    assert checked_password(composed, name="x") == checked_password(decomposed, name="x")


@pytest.mark.parametrize(
    "given",
    [
        "1234567890",
        "qwertyuiop",
        "QWERTYUIOP",
        "q1w2e3r4t5",
        "Password123",
        "password2026",
        "!iloveyou!!",
        "football-99",
        "passwordpassword",
        "monkeymonkeymonkey",
        "１２３４５６７８９０",
    ],
)
def test_what_everybody_tries_first_is_none(given: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_password(given, name="Grace Hopper")
    assert refusal.value.code == "bad-password"
    assert "tried first" in refusal.value.detail


@pytest.mark.parametrize("given", ["football, 11 players", "dragon-4-dragon", "password 28 Eichen"])
def test_a_common_word_among_others_is_a_password(given: str) -> None:
    assert checked_password(given, name="ada") == given

"""Passwords are long enough, varied enough, and mean the same on every machine."""

from __future__ import annotations

import pytest

from podium.accounts.rules import checked_password
from podium.errors import InvalidInput


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
        "password password",
        "Dragon-dragon-Dragon",
        "Summer2026!",
        "podium1234",
        "Podium-2026!",
        "kimchi-2026!",
        "0123456789",
        "1234567890ab",
        "abcdefghijkl",
        "9876543210!!",
        "１２３４５６７８９０",
    ],
)
def test_what_everybody_tries_first_is_none(given: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_password(given, name="Grace Hopper")
    assert refusal.value.code == "bad-password"
    assert "a common password" in refusal.value.detail


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("administrator1", "administrator"),
        ("Administrator-2026", "administrator"),
        ("ada2026ada1!", "ada"),
        ("2026 Grace.Hopper", "Grace Hopper"),
        ("20262026-2027!a", "20262026-2027!a"),
    ],
)
def test_the_accounts_name_with_something_around_it_is_none(given: str, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_password(given, name=name)
    assert "account name" in refusal.value.detail


@pytest.mark.parametrize(
    "given",
    ["abc-Zuse-1941", "correct horse", "ada likes trains", "x7Kq!2vbnm#", "stuvw, said the clock"],
)
def test_a_short_run_or_a_part_of_the_name_does_no_harm(given: str) -> None:
    assert checked_password(given, name="ada") == given


@pytest.mark.parametrize("given", ["football, 11 players", "dragon-4-dragon", "password 28 Eichen"])
def test_a_common_word_among_others_is_a_password(given: str) -> None:
    assert checked_password(given, name="ada") == given

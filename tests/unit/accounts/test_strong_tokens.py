"""Tokens of the administrator that an operator may set."""

from __future__ import annotations

import pytest

from podium.accounts.rules import require_sound_tokens, require_strong_token
from podium.errors import NotConfigured


@pytest.mark.parametrize(
    ("token", "because"),
    [
        ("secret", "has 6 characters, and needs 20 or more"),
        ("nineteen-characters", "has 19 characters"),
        ("a" * 40, "can be guessed"),
        ("secretsecretsecretsecret", "can be guessed"),
        ("passwordpasswordpassword", "can be guessed"),
        ("01234567890123456789", "can be guessed"),
        ("a-token with-a-space-in-it", "no spaces"),
        ("a-token-of-größerer-länge", "ASCII"),
    ],
)
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused_with_a_way_out(
    token: str, because: str
) -> None:
    with pytest.raises(NotConfigured) as refusal:
        require_strong_token(token)
    told = refusal.value.detail
    assert because in told
    assert told.startswith("PODIUM_ADMIN_TOKEN ")
    assert told.endswith("Make a good one with: openssl rand -hex 32")
    assert token not in told


@pytest.mark.parametrize(
    "token",
    [
        "5f0b0dd9a6d1f2b0c7e3",
        "the-administrator-of-the-tests",
        "Q9eASaCqkYbQNj0U0WWyOPwam8LHa_roqkpUcE6y8s0",
        "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=",
    ],
)
def test_a_random_token_or_a_phrase_is_taken(token: str) -> None:
    require_strong_token(token)


def test_the_token_for_metrics_is_as_strong_and_not_the_administrators() -> None:
    good, other = "5f0b0dd9a6d1f2b0c7e3", "the-administrator-of-the-tests"
    require_sound_tokens(administrator=None, metrics=None)
    require_sound_tokens(administrator=other, metrics=good)
    with pytest.raises(NotConfigured, match=r"^PODIUM_METRICS_TOKEN has 6 characters"):
        require_sound_tokens(administrator=good, metrics="secret")
    with pytest.raises(NotConfigured, match=r"^PODIUM_METRICS_TOKEN is the administrator's token"):
        require_sound_tokens(administrator=good, metrics=good)
    with pytest.raises(NotConfigured, match=r"^PODIUM_ADMIN_TOKEN has 6 characters"):
        require_sound_tokens(administrator="secret", metrics=good)

"""Attempts are counted in a sliding window, for a bounded number of keys."""

from __future__ import annotations

from podium.accounts.rules import Attempts


def test_as_many_attempts_as_the_limit_are_free() -> None:
    attempts = Attempts(limit=2, seconds=10)
    for now in (0.0, 1.0):
        assert attempts.wait("ada", now) == 0
        attempts.count("ada", now)
    assert attempts.wait("ada", 2.0) == 8
    assert attempts.wait("bob", 2.0) == 0


def test_the_oldest_attempt_is_forgotten_when_the_window_has_passed_it() -> None:
    attempts = Attempts(limit=1, seconds=10)
    attempts.count("ada", 5.0)
    assert attempts.wait("ada", 14.5) == 1
    assert attempts.wait("ada", 15.0) == 0


def test_a_good_attempt_does_not_count() -> None:
    attempts = Attempts(limit=1, seconds=10)
    attempts.count("ada", 0.0)
    attempts.forgive("ada")
    attempts.forgive("ada")
    assert attempts.wait("ada", 0.0) == 0


def test_only_so_many_keys_are_remembered() -> None:
    attempts = Attempts(limit=1, seconds=10, most_keys=2)
    for key in ("ada", "bob", "eve"):
        attempts.count(key, 0.0)
    assert [attempts.wait(key, 1.0) for key in ("ada", "bob", "eve")] == [0, 9, 9]


def test_a_good_attempt_takes_back_itself_and_not_the_one_before_it() -> None:
    attempts = Attempts(limit=1, seconds=10)
    attempts.count("ada", 0.0)
    attempts.count("ada", 4.0)
    attempts.forgive("ada")
    assert attempts.wait("ada", 4.0) == 6

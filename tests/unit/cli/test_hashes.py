"""Hashes that are made while a command does something else."""

from __future__ import annotations

import hashlib
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from podium.cli.history.entries import hashed_meanwhile


def test_each_file_gets_its_own_hash(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(bytes(3 << 20))
    with hashed_meanwhile(one, other) as sha256_of:
        for file in (other, one):
            assert sha256_of(file) == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_hash_that_is_not_whole_is_never_given(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(4 << 30)
    with hashed_meanwhile(large) as sha256_of:
        pass
    with pytest.raises(CancelledError):
        sha256_of(large)

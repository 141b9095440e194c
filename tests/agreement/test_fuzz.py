"""A short run of `make fuzz`: the compiled reader under sanitizers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="the sanitizers need gcc")


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_mutated_blocks_are_read_as_the_strict_reader_reads_them_and_no_byte_beyond() -> None:
    done = fuzz("--blocks", "150000", "--seed", "1", "--processes", "2")
    assert done.returncode == 0, done.stderr[-3000:]
    summary = r"10,000 blocks of (\w+) .*: ([0-9,]+) began with a plain row, (\d+) "
    found = re.findall(summary, done.stdout)
    kinds = sorted(what for what, *_ in found)
    assert kinds == sorted(["lists", "rows", "cells", "labels", "counts"] * 3), done.stdout
    for _, plain, new_ways in found:
        assert int(plain.replace(",", "")) > 1000
        assert int(new_ways) > 10

"""Tests that share a server run in one process: nothing else says so when that is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.places import ROOT

MODULE = """
import os
from pathlib import Path
import pytest

pytestmark = pytest.mark.xdist_group("{group}")

@pytest.mark.parametrize("number", range(6))
def test_says_where_it_runs(number):
    with Path("{place}").open("a") as place:
        place.write("{group} " + os.environ["PYTEST_XDIST_WORKER"] + chr(10))
"""


def test_the_tests_of_a_group_run_in_one_process(tmp_path: Path) -> None:
    place = tmp_path / "place"
    for number, group in enumerate(("one", "two", "one", "two")):
        path = tmp_path / f"test_{number}.py"
        path.write_text(MODULE.format(group=group, place=place))
    hook = "from tests.groups import pytest_xdist_make_scheduler"
    assert hook in (ROOT / "tests" / "conftest.py").read_text()
    (tmp_path / "conftest.py").write_text(hook)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    workers = defaultdict(set)
    for line in place.read_text().splitlines():
        group, worker = line.split()
        workers[group].add(worker)
    assert {group: len(found) for group, found in workers.items()} == {"one": 1, "two": 1}

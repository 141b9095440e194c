"""Tests that share a server, and those of a fast module, which share an installation, run in one
process: nothing else says so when that is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

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
    assert {group: len(found) for group, found in _ran(tmp_path).items()} == {"one": 1, "two": 1}


@pytest.mark.parametrize(
    ("module", "units"),
    [("tests/api/boards/test_it.py", 1), ("tests/system/boards/test_it.py", 6)],
)
def test_a_module_runs_in_one_process_in_the_fast_tiers_alone(
    tmp_path: Path, module: str, units: int
) -> None:
    path = tmp_path / module
    path.parent.mkdir(parents=True)
    path.write_text(MODULE.format(group="", place=tmp_path / "place").replace("pytestmark", "was"))
    (found,) = _ran(tmp_path).values()
    assert len(found) == min(units, 2)


def test_the_cases_of_a_test_may_be_groups_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(MODULE.format(group="each[]", place=tmp_path / "place"))
    (found,) = _ran(tmp_path).values()
    assert len(found) == 2


def _ran(folder: Path) -> dict[str, set[str]]:
    """The workers, by groups, that have run the tests in this folder, which write to `place`."""
    hook = "from tests.groups import pytest_xdist_make_scheduler"
    assert hook in (ROOT / "tests" / "conftest.py").read_text()
    (folder / "conftest.py").write_text(hook)
    (folder / "pytest.ini").touch()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", folder],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    workers = defaultdict(set)
    for line in (folder / "place").read_text().splitlines():
        group, _, worker = line.rpartition(" ")
        workers[group].add(worker)
    return workers

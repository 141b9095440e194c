"""The files that other tools read name things that exist."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

from tests.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())


def steps(job: str) -> list[dict[str, Any]]:
    """The steps of a job of the workflow."""
    found: list[dict[str, Any]] = WORKFLOW["jobs"][job]["steps"]
    return found


def test_ci_runs_what_a_developer_runs() -> None:
    assert steps("fast")[-1] == {"run": "make test"}
    assert steps("everything")[-1] == {"run": ".ci/run"}
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_ci_tests_every_python_that_the_package_names() -> None:
    prefix = "Programming Language :: Python :: 3."
    named = [f"3.{c.removeprefix(prefix)}" for c in PROJECT["classifiers"] if prefix in c]
    assert WORKFLOW["jobs"]["fast"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_actions_are_pinned_to_a_major_version() -> None:
    used = [step["uses"] for job in WORKFLOW["jobs"] for step in steps(job) if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", action)] == []


def test_hooks_call_the_tools_of_the_project() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.M))
    for hook in hooks:
        program, what, *_ = hook["entry"].split()
        if program == "make":
            assert what in TARGETS
        else:
            assert program.removeprefix(".venv/bin/") in pinned

"""Checks the rules of the house: `python -m tests.house`."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.house import errors, files, folders, imports, modules, privacy, references, words
from tests.house.project import Problem, Project, read
from tests.places import ROOT


def problems(project: Project) -> Iterator[Problem]:
    """All lines that break a rule."""
    for source in project.sources:
        for rule in (*files.RULES, *words.RULES):
            yield from rule(source)
    for project_rule in (
        *folders.RULES,
        *imports.RULES,
        *modules.RULES,
        *privacy.RULES,
        *errors.RULES,
        *references.RULES,
        *words.PROJECT_RULES,
    ):
        yield from project_rule(project)


def main(root: Path = ROOT) -> int:
    """Prints what is wrong and what to do about it; 1 where anything is."""
    began = time.monotonic()
    project = read(root)
    found = sorted(problems(project), key=lambda problem: (problem.path, problem.line))
    for problem in found:
        print(problem)
    count, seconds = len(project.sources), time.monotonic() - began
    print(f"{len(found) or 'no'} problems in {count} files, {seconds:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    # Trees hold no garbage: to look for it takes longer than to parse.
    gc.disable()
    sys.exit(main())

"""Freezes an installation: `python -m tests.builders.installations NAME PODIUM [--postgresql]`.

PODIUM is the command of the version to freeze, which stands in an environment of its own with that
version's own packages: in a checkout of it, `python -m venv .venv`, then what `make` does for its
`.venv/installed`. It becomes `frozen/NAME.tar.xz` here, after about ten minutes: the version plays
a season with everything that it stores, is killed in the middle of its work, and then ends this
work on a copy, so that what it gave is known.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.builders.installations import packing
from tests.builders.installations.freezing import Frost
from tests.builders.installations.program import AFTERWARDS, LEASE_SECONDS, Program
from tests.builders.installations.recording import exact_scores, recorded, wait_for_all
from tests.builders.installations.season import Season
from tests.builders.servers import postgres


def main() -> None:
    """Makes one file."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("name")
    given.add_argument("podium", type=Path)
    given.add_argument("--postgresql", action="store_true")
    wanted = given.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="frozen-")))
        program = Program([wanted.podium.absolute()], folder)
        if wanted.postgresql:
            server, stop = postgres.start()
            stack.callback(stop)
            program.database_url = stack.enter_context(postgres.made(server, "frozen"))
        stack.callback(program.abandon)
        sys.stdout.write(f"{freeze(wanted.name, program)}\n")


def freeze(name: str, program: Program) -> Path:
    """The file of an installation that the version makes in its folder."""
    season = Season(program)
    program.serve(PODIUM_JUDGING_SLOTS="2")
    season.begin()
    program.stop("serve")
    program.serve("--no-worker", PODIUM_ANSWER_SECONDS="0")
    frost = Frost(season)
    frost.settle()
    source = Answers(season)
    slugs = [*season.contests, *season.drafts]
    seen = recorded(source, slugs)
    frost.last_moment()
    program.kill("serve")
    kept = program.folder / "kept"
    shutil.copytree(program.data, kept / "data")
    if program.database_url:
        packing.dump(program.database_url, kept)
    # The version goes on as after a long night: no lease is in force any more.
    time.sleep(LEASE_SECONDS)
    program.serve(PODIUM_JUDGING_SLOTS="2", **AFTERWARDS)
    wait_for_all(source, slugs)
    answers = {
        "people": season.people,
        "ids": season.ids,
        "sent": season.sent,
        "competitions": slugs,
        "drafts": season.drafts,
        "seen": seen,
        "ended": recorded(source, slugs),
        "scores": {slug: exact_scores(source, slug) for slug in slugs},
    }
    return packing.packed(name, kept, answers)


@dataclass
class Answers:
    """The program, asked by people of the season."""

    season: Season

    def get(self, who: str, path: str) -> Any:
        """The answer to a GET."""
        token = self.season.people.get(who)
        return self.season.program.ask("GET", path, token)


if __name__ == "__main__":
    main()

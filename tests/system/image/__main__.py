"""`make image-test`: both profiles of the compose file on an engine, step by step.

Without an engine it says so and ends with 1, because nothing was tried. `ENGINE=make` makes one of
Debian's packages, and stand-ins of the images that cannot be pulled, in `IMAGE_TEST_FOLDER`.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tests.system.image import one_machine, scale
from tests.system.image.engine import Engine, NoEngine, Refused, engine
from tests.system.image.installation import PROJECT, Installation
from tests.system.image.report import Report, say
from tests.system.image.standins import provide

PROFILES = {"one-machine": one_machine.try_out, "scale": scale.try_out}


def main() -> int:
    """Tries the profiles that are named, or both; answers with 1 unless all went well."""
    folder = Path(os.environ.get("IMAGE_TEST_FOLDER", "/tmp/podium-image-test"))
    people = folder / "people"
    for needed in (people, folder / "share"):
        needed.mkdir(parents=True, exist_ok=True)
    report = Report()
    try:
        with engine(folder) as found:
            _tell(found, provide(found, folder))
            for profile in sys.argv[1:] or PROFILES:
                _try(found, profile, people, report)
    except NoEngine as reason:
        say(f"skipped: no Docker engine runs here ({reason}).")
        say("As root on a Debian machine, `make image-test ENGINE=make` makes one.")
        return 1
    except Refused as reason:
        say(f"FAIL  {reason}")
        return 1
    say(f"{report.passed} steps passed, {report.failed} failed")
    return int(report.failed > 0)


def _try(found: Engine, profile: str, people: Path, report: Report) -> None:
    say(f"== {profile}, {time.strftime('%Y-%m-%d %H:%M')}")
    installation = Installation(found, profile, people, scale.settings(profile))
    installation.compose("down", "--volumes")
    try:
        PROFILES[profile](installation, report)
    except BaseException:
        logs = found.tried("compose", "--project-name", PROJECT, "logs", "--tail=40")
        say(logs.stdout[-8000:])
        raise
    finally:
        installation.compose("down", "--volumes")


def _tell(found: Engine, stand_ins: list[str]) -> None:
    version = found("version", "--format", "Docker Engine {{.Server.Version}}").strip()
    say(f"{version}, {found('compose', 'version').strip()}")
    if stand_ins:
        say(f"Stand-ins of Debian's packages: {', '.join(stand_ins)}.")


if __name__ == "__main__":
    sys.exit(main())

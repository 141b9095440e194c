"""Builds add-ons with the setuptools at hand, and installs them beside Podium without a network."""

from __future__ import annotations

import re
import shutil
import site
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.builders.processes.environments import Environment
from tests.places import ROOT

GUIDE = ROOT / "docs" / "extending.md"

PAGE = (ROOT / "docs" / "metrics" / "mape.md").read_text()


def of_the_guide() -> dict[str, str]:
    """The files of the add-on that the guide shows, with the page of its metric."""
    project, metrics, kinds = re.findall(
        r"^```(?:toml|python)\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE
    )
    page = PAGE.replace("title: Mean absolute percentage error (MAPE)", "title: Near prices")
    page = page.replace("short: MAPE", "short: Near").replace(
        "direction: lower", "direction: higher"
    )
    page = page.replace("## Example: `mape`", "## Example: `podium_acme__near`")
    return {
        "pyproject.toml": project,
        "podium_acme/__init__.py": "",
        "podium_acme/metrics.py": metrics,
        "podium_acme/kinds.py": kinds,
        "podium_acme/docs/metrics/podium_acme__near.md": page,
    }


def beside_podium(folder: Path) -> Environment:
    """An environment that has what this one has, and takes add-ons."""
    environment = Environment.empty(folder)
    (here,) = (each for each in site.getsitepackages() if Path(each, "polars").is_dir())
    linked = f"import site; site.addsitedir({here!r})\n"
    (libraries(environment) / "podium.pth").write_text(linked)
    return _with_command(environment)


def changed(environment: Environment, folder: Path, file: str, old: str, new: str) -> Environment:
    """A copy of an environment in which an installed file says something else."""
    shutil.copytree(environment.folder, folder, symlinks=True)
    copy = _with_command(Environment(folder))
    (path,) = libraries(copy).glob(file)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return copy


def _with_command(environment: Environment) -> Environment:
    command = environment.folder / "bin" / "podium"
    command.write_text(f"#!{environment.python}\nfrom podium.cli import main\nmain()\n")
    command.chmod(0o755)
    return environment


def libraries(environment: Environment) -> Path:
    (found,) = environment.folder.glob("lib/python3*/site-packages")
    return found


def install(environment: Environment, files: Mapping[str, str], source: Path) -> None:
    """Installs the package of these files, which are written below `source`."""
    for name, text in files.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"),
            *("--no-build-isolation", "--target", libraries(environment), source),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr

"""Environments of programs whose libraries clash with ours. Standard library only."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path


def interpreter(folder: Path, requirements: Path) -> Path:
    """The interpreter of an environment that has what a file of requirements names. It is made
    where it is missing or has something else; raises `CalledProcessError` if that fails."""
    python = folder / "bin" / "python"
    wanted, installed = requirements.read_text(), folder / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        print(f"installing {requirements} into {folder} …", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        command = [str(python), "-m", "pip", "install", "-qq", "-r", str(requirements)]
        subprocess.run(command, check=True)
        installed.write_text(wanted)
    return python

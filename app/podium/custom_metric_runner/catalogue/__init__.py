"""Custom metrics of presets named after past competitions, one file each, to start from.

They are read as files and run like every custom metric; Podium itself does not import them.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def file_of(preset: str) -> Path | None:
    """Finds the custom metric of a preset; None where a built-in metric scores it."""
    file = FOLDER / f"{preset.replace('-', '_')}.py"
    return file if file.is_file() else None

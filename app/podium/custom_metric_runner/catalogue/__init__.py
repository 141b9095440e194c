"""Custom metrics of presets that are named after past competitions, one file each, to start from.

They are read as files and run where every custom metric is; no code of ours imports them.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def file_of(preset: str) -> Path | None:
    """The custom metric of a preset; None where a built-in metric scores it."""
    file = FOLDER / f"{preset.replace('-', '_')}.py"
    return file if file.is_file() else None

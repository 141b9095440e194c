"""Folders of the project, whatever folder a test is moved to."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder of the project."""

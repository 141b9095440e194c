"""The source files that the rules of this folder are about."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python_files(*folders: str) -> list[Path]:
    """All Python files below the folders, generated migration steps left out."""
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if path.parent.name != "versions"]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions of a file, methods and inner ones included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def name_of(path: Path) -> str:
    """A file's path as it stands in messages."""
    return str(path.relative_to(ROOT))

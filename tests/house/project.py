"""The project as the house rules see it: its Python files, each read and parsed once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]

PACKAGE = "podium"
"""The name under which the product is imported."""

PRODUCT = ("app", "migrations")
FOLDERS = (*PRODUCT, "benchmarks", "tests")

Function = ast.FunctionDef | ast.AsyncFunctionDef

STRING_OR_COMMENT = re.compile(
    r"""(\"{3}|\'{3})(?:\\.|.)*?\1 | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \#[^\n]*""",
    re.DOTALL | re.VERBOSE,
)
"""All that a comment can begin in or after: ten times as fast as `tokenize`."""

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement in which statements stand; an import stands nowhere else."""


@dataclass(frozen=True)
class Problem:
    """A line that breaks a rule, with what to do about it."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Imported:
    """An import statement, and whether it stands in a function, or in a block for types alone."""

    node: ast.Import | ast.ImportFrom
    is_deferred: bool = False
    is_for_types: bool = False


@dataclass(frozen=True)
class Source:
    """One Python file by its path below the root."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def docstrings(self) -> list[ast.Constant]:
        """The texts that stand as statements: of modules, classes, functions, below constants."""
        values = (node.value for node in self.nodes if isinstance(node, ast.Expr))
        return [
            value
            for value in values
            if isinstance(value, ast.Constant) and isinstance(value.value, str)
        ]

    @cached_property
    def imports(self) -> list[Imported]:
        """All imports of the file."""
        return list(_imports(self.tree.body))

    @cached_property
    def comments(self) -> list[tuple[int, str]]:
        """The comments with their lines."""
        found = STRING_OR_COMMENT.finditer(self.text)
        comments = [each for each in found if each[0].startswith("#")]
        return [(self.text.count("\n", 0, each.start()) + 1, each[0]) for each in comments]

    @property
    def functions(self) -> Iterator[Function]:
        """All functions of the file, methods and inner ones included."""
        return (node for node in self.nodes if isinstance(node, Function))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names by which it is imported, `__init__` included."""
        parts = Path(self.path).with_suffix("").parts
        return parts[1:] if parts[0] == "app" else parts

    @property
    def module(self) -> str:
        """The name under which it is imported; that of its folder for an `__init__`."""
        return ".".join(self.parts).removesuffix(".__init__")

    @property
    def folder(self) -> str:
        """The folder that it stands in."""
        return str(Path(self.path).parent)

    def is_in(self, *folders: str) -> bool:
        """True if the file stands anywhere below one of the folders."""
        return any(self.path.startswith(f"{folder}/") for folder in folders)

    def problem(self, line: int, text: str) -> Problem:
        """A problem in this file."""
        return Problem(self.path, line, text)


@dataclass(frozen=True)
class Project:
    """A folder with the sources of the project."""

    root: Path
    sources: tuple[Source, ...]

    def files(self, *folders: str) -> Iterator[Path]:
        """All files below the folders, of whatever kind."""
        for folder in folders:
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path.relative_to(self.root)


def read(root: Path = ROOT, folders: Iterable[str] = FOLDERS) -> Project:
    """The project below a folder. Steps of migrations are left out: Alembic writes them."""
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    return Project(
        root,
        tuple(
            Source(str(path.relative_to(root)), path.read_text())
            for path in paths
            if path.parent.name != "versions"
        ),
    )


def _imports(
    nodes: Iterable[ast.AST], *, is_deferred: bool = False, is_for_types: bool = False
) -> Iterator[Imported]:
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield Imported(node, is_deferred, is_for_types)
        for block in BLOCKS:
            yield from _imports(
                getattr(node, block, ()),
                is_deferred=is_deferred or isinstance(node, Function),
                is_for_types=is_for_types or _is_for_types(node),
            )


def _is_for_types(node: ast.AST) -> bool:
    """True for a block that type checkers alone go through."""
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def names_in(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The whole names that an import names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [f"{node.module}.{alias.name}" for alias in node.names]

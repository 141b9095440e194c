"""`python -m tests.house.rooms`: lines of code by room, the modules and packages that stand side by
side in `podium`. Blank lines, comments, docstrings and imports are not code."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.house.project import Source, read


def lines_of_code(source: Source) -> int:
    """The number of lines of a file that are code."""
    others = set(_lines_beside(source))
    return sum(
        1
        for number, line in enumerate(source.lines, 1)
        if line.strip() and not line.strip().startswith("#") and number not in others
    )


def rooms(sources: Iterable[Source]) -> Counter[str]:
    """Lines of code by room; the files of the package itself are left out."""
    found = Counter[str]()
    for source in sources:
        if source.parts[1] != "__init__":
            found[source.parts[1]] += lines_of_code(source)
    return found


def _lines_beside(source: Source) -> Iterator[int]:
    for node in source.nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from range(node.lineno, (node.end_lineno or 0) + 1)
            case (
                ast.Module(body=[first, *_])
                | ast.ClassDef(body=[first, *_])
                | ast.FunctionDef(body=[first, *_])
                | ast.AsyncFunctionDef(body=[first, *_])
            ) if _is_text(first):
                yield from range(first.lineno, (first.end_lineno or 0) + 1)


def _is_text(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def main() -> None:
    """Prints the rooms, the largest first, and all together."""
    found = rooms(read(folders=["app"]).sources)
    for room, count in [*found.most_common(), ("all", found.total())]:
        print(f"{count:7,} {room}")


if __name__ == "__main__":
    main()

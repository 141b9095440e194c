"""Small submissions, and their lists as the code under test gets them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from podium.scoring.combining import ListSpool, answered_ids, spooled
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective, Task

ONE = Task((Objective("", Decimal(1), "recall_capped@20:micro"),), id_column="user")
"""A single objective without a name: ids are bare sessions."""


def submission(path: Path, rows: dict[str, str], task: Task = ONE) -> Path:
    """A submission with these ids and labels, in this order."""
    lines = [f"{task.id_column},{task.labels_column}", *(f"{i},{t}" for i, t in rows.items())]
    path.write_text("\n".join(lines) + "\n")
    return path


def side_by_side(
    folder: Path, *files: dict[str, str], task: Task = ONE, depth: int = 20
) -> tuple[list[ListSpool], PublishedIds]:
    """The spools of some submissions, of so many items a list, and the ids of the first."""
    paths = [submission(folder / f"{n}.csv", rows, task) for n, rows in enumerate(files)]
    published = answered_ids(paths[0], task=task)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    spools = [
        spooled(path, task=task, published=published, depth=depth, scratch=scratch)
        for path in paths
    ]
    return spools, published

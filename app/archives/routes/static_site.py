"""A finished competition as a folder of pages that need no server: relative links, no scripts, no
request to anywhere. It holds what everybody may see after the reveal, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from podium.boards.pages.rows import Row, shown_rows
from podium.boards.schemas import whole_csv, whole_json
from podium.boards.service.parts import Question, read_part
from podium.competitions.pages.evaluation import metric_line
from podium.competitions.service import competitions
from podium.competitions.service.announcements import announcements_of
from podium.competitions.service.competitions import Described
from podium.core.locks import Board
from podium.core.models import Competition
from podium.errors import WrongState
from podium.http.html.rendering import STATIC, templates
from podium.materials.service.data_files import files_of

MOST_ROWS = 1_000_000
"""A page of the archive holds a whole board, or list."""

BOARDS: tuple[Board, ...] = ("public", "private")

STATIC_FILES = ("podium.css", "board.css", "podium.svg")


@dataclass(frozen=True, slots=True)
class ArchivedBoard:
    """A whole board of a finished competition."""

    title: str
    phase: str
    metric: str
    split: Board
    rows: list[Row]


def site_files(
    session: Session, *, competition: Competition, now: datetime
) -> Iterator[tuple[str, bytes]]:
    """Name and content of every file. Raises `WrongState` (`not-revealed`) at the first before
    the reveal: an archive of a board that goes on would only be an old one."""
    if competition.revealed_at is None:
        raise WrongState(
            "A static archive is made of a finished competition. Reveal it first.",
            code="not-revealed",
        )
    described = competitions.describe_found(session, actor=None, competition=competition)
    boards = {split: _board(session, described, split) for split in BOARDS}
    shared: dict[str, Any] = {"made_at": now, "competition": competition}
    yield (
        "index.html",
        _page(
            "archives/site_index.html",
            **shared,
            board=boards["private"],
            description=competition.description,
            counts=described.counts,
            announcements=announcements_of(
                session, competition_id=competition.id, before_id=None, limit=MOST_ROWS
            ),
        ),
    )
    for split, board in boards.items():
        yield f"{split}.html", _page("archives/site_board.html", **shared, board=board)
        yield f"boards/{split}.json", whole_json(session, competition, split)
        yield f"boards/{split}.csv", whole_csv(session, competition, split)
    files = files_of(session, competition_id=competition.id, after_name=None, limit=MOST_ROWS)
    yield (
        "files.html",
        _page("archives/site_files.html", **shared, board=boards["private"], files=files),
    )
    for name in STATIC_FILES:
        yield name, STATIC[name].read_bytes()


def _board(session: Session, described: Described, split: Board) -> ArchivedBoard:
    question = Question(split, limit=MOST_ROWS)
    part = read_part(session, competition=described.competition, question=question)
    return ArchivedBoard(
        title=described.competition.title,
        phase=described.phase.value,
        metric=metric_line(described.settings),
        split=split,
        rows=shown_rows(part, is_final=split == "private"),
    )


def _page(template: str, **context: Any) -> bytes:
    return templates.get_template(template).render(context).encode()

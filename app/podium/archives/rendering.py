"""Renders boards for an archive, and the pages of a static site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from podium.boards.rendering.documents import whole_csv, whole_json
from podium.boards.rendering.rows import Row, shown_rows
from podium.boards.service import views
from podium.boards.service.board_pages import BoardQuery, read_page
from podium.competitions.service import competitions
from podium.competitions.service.announcements import announcements_of
from podium.competitions.service.competitions import CompetitionView
from podium.core.configuration import highest_score
from podium.core.database.engine import database_now
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.http.html.rendering import STATIC, templates
from podium.http.html.texts import split_words, unit_words
from podium.materials.service.data_files import files_of
from podium.scoring.metrics.pages import short_name
from podium.submissions.schemas import SigningKeysOut
from podium.submissions.service import receipt_keys

MAX_ROWS = 1_000_000
"""Rows of a page in the archive: it shows a whole board or list."""

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


def served_documents(session: Session, competition: Competition) -> Iterator[tuple[str, bytes]]:
    """Yields the documents that the API serves, by their names in an archive: the public keys of
    receipts and the whole boards; the private board only after the reveal."""
    keys = SigningKeysOut.of_keys(receipt_keys.keys(session))
    yield "signing-keys.json", keys.model_dump_json().encode()
    for split in BOARDS if competition.revealed_at is not None else BOARDS[:1]:
        yield from _documents(session, competition, split)


def site_files(session: Session, competition: Competition) -> Iterator[tuple[str, bytes]]:
    """Yields name and content of every file of a revealed competition's site."""
    described = competitions.describe_found(session, actor=None, competition=competition)
    boards = {split: _board(session, described, split) for split in BOARDS}
    shared: dict[str, Any] = {
        "made_at": database_now(session),
        "competition": competition,
        "queries": unit_words(described.settings)[1],
        "units": split_words(described.settings)[1],
    }
    yield (
        "index.html",
        _page(
            "archives/site_index.html",
            **shared,
            board=boards["private"],
            description=competition.description,
            counts=described.counts,
            announcements=announcements_of(
                session, competition_id=competition.id, before_id=None, limit=MAX_ROWS
            ),
        ),
    )
    for split, board in boards.items():
        yield f"{split}.html", _page("archives/site_board.html", **shared, board=board)
        yield from _documents(session, competition, split)
    files = files_of(session, competition_id=competition.id, after_name=None, limit=MAX_ROWS)
    yield (
        "files.html",
        _page("archives/site_files.html", **shared, board=boards["private"], files=files),
    )
    for name in STATIC_FILES:
        yield name, STATIC[name].read_bytes()


def _documents(
    session: Session, competition: Competition, split: Board
) -> Iterator[tuple[str, bytes]]:
    yield f"boards/{split}.json", whole_json(session, competition, split)
    yield f"boards/{split}.csv", whole_csv(session, competition, split)


def _board(session: Session, described: CompetitionView, split: Board) -> ArchivedBoard:
    competition = described.competition
    shows_members = views.may_see_members(session, competition=competition, actor=None)
    query = BoardQuery(split, limit=MAX_ROWS, with_members=shows_members)
    board_page = read_page(session, competition=competition, query=query)
    return ArchivedBoard(
        title=described.competition.title,
        phase=described.phase.value,
        metric=short_name(described.settings.metric_line),
        split=split,
        rows=shown_rows(
            board_page, is_final=split == "private", highest=highest_score(described.settings)
        ),
    )


def _page(template: str, **context: Any) -> bytes:
    return templates.get_template(template).render(context).encode()

"""Pages of downloads for participants: files with size and hash, and the sample submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import CompetitionOut
from podium.errors import StoredFileCorrupt
from podium.errors.reasons import sentence
from podium.http.html.table_words import column_words
from podium.http.html.texts import number_words
from podium.http.pages.addresses import installation_address
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.materials.schemas import FileOut
from podium.materials.schemas.interactions import StatisticsOut
from podium.scoring.kinds import kind_of
from podium.scoring.kinds.words import query_words
from podium.storage import Area

FILES_OF_A_PAGE = 100

PREVIEWED_FILES, PREVIEW_ROWS, PREVIEW_COLUMNS, PREVIEW_BYTES = 3, 5, 200, 16_384
"""The files that are previewed, rows and characters of each, and bytes that are looked at."""

_STATISTICS = "/competitions/{}/statistics"

PLAIN_TEXT = (".csv", ".tsv", ".txt", ".jsonl", ".json", ".ndjson")

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class FilePreview:
    """The first rows of a data file."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class DataPage(CompetitionPage):
    """The data files, where a terminal finds them, first rows of some of them, and the columns of a
    submission in words."""

    template: ClassVar[str] = "materials/data.html"

    files: Listed[FileOut]
    base_url: str
    previews: list[FilePreview]
    columns: list[tuple[str, str]]
    has_statistics: bool


@dataclass(frozen=True, kw_only=True)
class StatisticsPage(CompetitionPage):
    """The training data in figures."""

    template: ClassVar[str] = "materials/statistics.html"

    figures: Mapping[str, Any]


@router.get("/competitions/{slug}/data")
async def show_files(request: Request, slug: str) -> Response:
    """The files, and the lines that fetch them from a terminal."""
    layout = await competition_layout(request, slug, here="data")
    path = at("/competitions/{}/files", slug)
    files = await listed_of(request, path, Listed[FileOut], limit=FILES_OF_A_PAGE)
    page = DataPage(
        layout=layout,
        files=files,
        base_url=installation_address(request),
        previews=await run_in_threadpool(previews_of, request.app.state.application, files.items),
        columns=columns_of(layout.competition),
        has_statistics=(await ask(request, "GET", at(_STATISTICS, slug))).is_good,
    )
    return await show(request, page)


@router.get("/competitions/{slug}/data/statistics")
async def show_statistics(request: Request, slug: str) -> Response:
    """The training data in figures, where they were prepared here."""
    layout = await competition_layout(request, slug, here="data")
    found = await document_of(request, at(_STATISTICS, slug), StatisticsOut)
    page = StatisticsPage(layout=layout, figures=found.model_dump(by_alias=True))
    return await show(request, page)


def previews_of(application: Application, files: Sequence[FileOut]) -> list[FilePreview]:
    """The first rows of the first data files that are plain text."""
    found = []
    for file in files[:PREVIEWED_FILES]:
        if not file.name.lower().endswith(PLAIN_TEXT) or not file.bytes:
            continue
        end = min(file.bytes, PREVIEW_BYTES)
        try:
            content = b"".join(application.storage.read(Area.FILES, file.sha256, 0, end))
        except StoredFileCorrupt:
            # A download says so; the page has more to show.
            continue
        text = first_rows(content, is_cut=end < file.bytes)
        if text is not None:
            found.append(FilePreview(file.name, text))
    return found


def first_rows(content: bytes, *, is_cut: bool) -> str | None:
    r"""The first whole lines, each cut to what a page can show; None for what is not text.

    >>> first_rows(b"user,item\n1,7\n2,", is_cut=True)
    'user,item\n1,7'
    """
    whole = content[: content.rfind(b"\n") + 1] if is_cut and b"\n" in content else content
    try:
        lines = whole.decode("utf-8-sig").splitlines()[:PREVIEW_ROWS]
    except UnicodeDecodeError:
        return None
    if not all(line.replace("\t", "").isprintable() for line in lines):
        return None
    return "\n".join(
        line if len(line) <= PREVIEW_COLUMNS else f"{line[:PREVIEW_COLUMNS]}…" for line in lines
    )


def columns_of(competition: CompetitionOut) -> list[tuple[str, str]]:
    """The columns of a submission, and their meaning."""
    one, _ = query_words(competition.id_column)
    ids = "a whole number" if competition.query_ids == "integer" else "text"
    items = "whole numbers" if competition.item_ids == "integer" else "texts without spaces"
    kind = kind_of(competition.task)
    if kind.has_table:
        values = [(c.name, sentence(column_words(c))) for c in competition.table_columns]
        return [(competition.id_column, f"The {one}: {ids}."), *values]
    if kind.has_numbers:
        context = []
        if competition.context_column:
            words = "Tells pairs of the same two apart, as in the sample submission."
            context = [(competition.context_column, words)]
        item = [(competition.item_column, f"The item: one of the {items} in the data.")]
        number = number_words(competition)
        number = f"{number[0].upper()}{number[1:]}."
        return [
            (competition.id_column, f"The {one}: {ids}."),
            *(item if competition.item_column else []),
            *context,
            *((name, number) for name in competition.number_columns),
        ]
    names = list(competition.objectives)
    key = f"The {one}: {ids}."
    if len(names) > 1:
        key += f" Behind it an underscore and the objective: {', '.join(names)}."
    depth = max(metric.k or 1 for metric in competition.objective_metrics.values())
    return [
        (competition.id_column, key),
        (
            competition.labels_column,
            f"Item ids ({items}) separated by spaces, the best first. The first {depth} count.",
        ),
    ]

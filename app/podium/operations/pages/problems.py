"""The meaning of every error code: the target of the `type` of a problem document. Browsers get a
page, programs JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from podium.core.problems import Meaning, meanings
from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.http.errors import problem_document
from podium.http.pages.layout import PageContext, show

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class ProblemsPage(PageContext):
    """All codes: of requests, and of files."""

    template: ClassVar[str] = "operations/problems.html"

    requests: list[Meaning]
    files: list[Meaning]


@dataclass(frozen=True, kw_only=True)
class ProblemPage(PageContext):
    """A code, which may mean something for requests and for files."""

    template: ClassVar[str] = "operations/problem.html"

    code: str
    meanings: list[Meaning]


UNKNOWN = "No error has this code. GET /problems lists all of them."


@router.get("/problems")
async def show_problems(request: Request) -> Response:
    """Lists all codes with their titles, as a page or a document."""
    found = list(meanings())
    if not _is_browser(request):
        return _answer(found)
    requests, files = ([one for one in found if one.place == place] for place in _PLACES)
    return _varied(await show(request, ProblemsPage(requests=requests, files=files)))


@router.get("/problems/{code}")
async def show_problem(request: Request, code: str) -> Response:
    """Explains a code, as a page or a document: its meaning and remedy. Raises `NotFound` for
    unknown codes."""
    found = list(meanings(code))
    if _is_browser(request):
        if not found:
            raise NotFound(UNKNOWN)
        return _varied(await show(request, ProblemPage(code=code, meanings=found)))
    return _answer(found) if found else _unknown(request)


_PLACES = ("request", "file")


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _answer(found: Sequence[Meaning]) -> Response:
    return _varied(JSONResponse({"items": [asdict(one) for one in found]}))


def _unknown(request: Request) -> Response:
    document = problem_document(
        status=404,
        code=ErrorCode.NOT_FOUND,
        detail=UNKNOWN,
        request_id=getattr(request.state, "request_id", None),
    )
    media_type = "application/problem+json"
    return _varied(JSONResponse(document, status_code=404, media_type=media_type))


def _varied(response: Response) -> Response:
    response.headers["Vary"] = "Accept"
    return response

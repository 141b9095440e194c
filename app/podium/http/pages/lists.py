"""Lists on pages: the page that the address names, narrowed by filters in it."""

from __future__ import annotations

from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel

from podium.http.pages.api_calls import Answer, Document, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.paging import Listed

Item = TypeVar("Item", bound=BaseModel)


def listed_or_refused(answer: Answer, as_: type[Listed[Item]]) -> tuple[Listed[Item], FormView]:
    """Parses a list, or returns an empty one with the refusal of its filters. Raises `ApiProblem`
    for every other refusal."""
    if answer.status == 422:
        refusal = FormView(status=422, summary=answer.problem.detail)
        return as_(items=[], next_cursor=None), refusal
    return answer.read(as_), EMPTY


async def listed_of(
    request: Request, path: str, as_: type[Document], **filters: object
) -> Document:
    """Reads the page of a list that the address names by its `cursor`. Raises `ApiProblem` for a
    refusal."""
    cursor = request.query_params.get("cursor")
    return await document_of(request, path, as_, cursor=cursor, **filters)

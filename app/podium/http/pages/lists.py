"""Lists on pages that are narrowed by filters in the address."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from podium.http.pages.api_calls import Answer
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

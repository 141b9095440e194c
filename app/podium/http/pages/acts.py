"""Forms that ask for one operation of the API each, as a table says; for pages with many acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from fastapi import Request, Response

from podium.errors.codes import ErrorCode
from podium.http.pages.api_calls import Answer, ApiProblem, Json, ask, at
from podium.http.pages.fields import FormView, SentForm, after, refused

TO_ERROR_PAGE = (401, 404)
"""Refusals after which the page itself could not be shown again."""

STILL_RUNNING = (
    "This takes longer than usual, and the server goes on with it. Press the same button again in a"
    " moment: it shows the result then."
)


Body: TypeAlias = Callable[[SentForm], Json | None]
"""A function that makes the JSON body of a form."""


def nothing(_: SentForm) -> Json | None:
    """No body at all."""
    return None


def reason(form: SentForm) -> Json | None:
    """Why; for acts that may go without."""
    given = form.text_or_none("reason")
    return {"reason": given} if given else {}


def texts(*names: str) -> Body:
    """A body of these fields, as they were typed."""
    return lambda form: {name: form.text(name).strip() for name in names}


class Again(Protocol):
    """The page that a form stands on, once more, with what is wrong."""

    def __call__(self, *, form: FormView) -> Awaitable[Response]:
        """The page with this form on it."""


@dataclass(frozen=True, slots=True)
class FormAction:
    """A form: the operation it asks for (`{}` are parts of the address), the line of `flash.py`
    that follows, the body, which fields problems belong to, and a word that has to be typed."""

    method: str
    path: str
    done: str
    body: Body = nothing
    fields: Mapping[str, str] = field(default_factory=dict)
    is_dangerous: bool = False


async def carry_out(
    request: Request,
    act: FormAction,
    *parts: str,
    form: SentForm,
    back: str,
    again: Again,
    name: str | None = None,
    confirm: str = "",
    typed: SentForm | None = None,
) -> Response:
    """Does it and goes `back`, or shows the page `again`. A dangerous act wants `confirm` typed
    into the field of that name, in capitals or not, as keyboards of phones have it. `typed` is what
    stands in the form then, where `form` differs."""
    given = form.text("confirm").strip()
    if act.is_dangerous and given.casefold() != confirm.casefold():
        shown = unconfirmed(form, confirm, name=name)
    else:
        answer = await ask(request, act.method, at(act.path, *parts), json=act.body(form))
        if answer.is_good:
            return after(back, act.done)
        shown = shown_refusal(answer, form, name=name, fields=act.fields)
    return await again(form=replace(shown, typed=typed or form))


def shown_refusal(
    answer: Answer,
    form: SentForm,
    *,
    name: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> FormView:
    """The API's refusal at the fields of the form: a problem of `split.public_fraction` at `split`,
    if there is nothing closer. Raises `ApiProblem` where no page can be shown."""
    if answer.status in TO_ERROR_PAGE:
        raise ApiProblem(answer)
    named = dict(fields or {})
    places = {
        place: next(
            (
                named.get(part, part)
                for part in (place, place.split(".")[0])
                if named.get(part, part) in form.fields
            ),
            place,
        )
        for problem in answer.problem.errors
        for place in [problem.member]
        if place
    }
    shown = refused(answer, form, name=name, fields={**named, **places})
    is_running = answer.problem.code == ErrorCode.STILL_RUNNING
    return replace(shown, summary=STILL_RUNNING) if is_running else shown


def unconfirmed(form: SentForm, expected: str, *, name: str | None = None) -> FormView:
    """A form whose confirmation was not typed."""
    words = f"This is not “{expected}”." if form.text("confirm").strip() else "Nothing was typed."
    return FormView(
        form, name=name, status=422, summary="Nothing was done.", problems={"confirm": words}
    )

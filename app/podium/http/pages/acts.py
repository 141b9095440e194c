"""Forms that call one operation of the API each, declared in a table; for pages with many
actions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from fastapi import Request, Response

from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.http.pages.api_calls import Answer, ApiProblem, Json, ask, at
from podium.http.pages.fields import FormView, SentForm, after, read_form, refused

TO_ERROR_PAGE = (401, 404)
"""Refusals after which the page itself could not be shown again."""

STILL_RUNNING = (
    "This takes longer than usual, and the server goes on with it. Press the same button again in a"
    " moment: it shows the result then."
)


Body: TypeAlias = Callable[[SentForm], Json | None]
"""A function that builds the JSON body from a form."""


def nothing(_: SentForm) -> Json | None:
    """Builds no body at all."""
    return None


def reason(form: SentForm) -> Json | None:
    """Builds a body with a reason, for actions that do not require one."""
    given = form.text_or_none("reason")
    return {"reason": given} if given else {}


def texts(*names: str) -> Body:
    """Builds a body of these fields, without surrounding spaces."""
    return lambda form: {name: form.text(name).strip() for name in names}


class Again(Protocol):
    """Renders the page of a form again, with its problems."""

    def __call__(self, *, form: FormView) -> Awaitable[Response]:
        """Renders the page with this form."""


@dataclass(frozen=True, slots=True)
class FormAction:
    """A form: the operation that it calls (`{}` are parts of the address), the key of the message
    in `flash.py` that follows, the body, the fields of problems, and whether the name must be typed
    to confirm."""

    path: str
    done: str
    body: Body = nothing
    fields: Mapping[str, str] = field(default_factory=dict)
    is_dangerous: bool = False
    method: str = "POST"


def act_named(acts: Mapping[str, FormAction], name: str) -> FormAction:
    """Finds the action that the end of an address names. Raises `NotFound`."""
    if name not in acts:
        raise NotFound("There is no such act.")
    return acts[name]


async def carry_out(
    request: Request,
    act: FormAction,
    *parts: str,
    back: str,
    again: Again,
    form: SentForm | None = None,
    name: str | None = None,
    confirm: str = "",
    typed: SentForm | None = None,
) -> Response:
    """Calls the operation and redirects `back`, or renders the page `again`. A dangerous action
    requires `confirm` typed into the field of that name, ignoring case, since phones capitalize.
    Without a `form` it is the request's; `typed` is what is then shown, where it differs."""
    form = await read_form(request) if form is None else form
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
    """Assigns the API's refusal to the fields of the form: a problem of `split.public_fraction` to
    `split`, unless a field is closer. Raises `ApiProblem` where no page can be shown."""
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
    """Builds the form for a confirmation that was not typed."""
    words = f"This is not “{expected}”." if form.text("confirm").strip() else "Nothing was typed."
    return FormView(
        form, name=name, status=422, summary="Nothing was done.", problems={"confirm": words}
    )

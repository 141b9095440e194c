"""Plain HTML forms: the fields are sent to the API, and either another page follows, or the same
page again, with each problem at its field and everything typed retained."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from fastapi import Request
from fastapi.responses import RedirectResponse

from podium.errors import BadRequest, PodiumError
from podium.errors.codes import ErrorCode
from podium.errors.reasons import sentence
from podium.http.deps import knows_caller
from podium.http.errors import status_of
from podium.http.middleware.allowances import MAX_JSON_BYTES, take
from podium.http.pages.api_calls import Answer

MAX_FIELDS = 1_000

SECRETS = frozenset({"password", "password_again", "current_password", "token"})
"""Fields whose text is never sent back to the browser."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """The fields of a form as they were typed."""

    fields: Mapping[str, list[str]]

    def text(self, name: str) -> str:
        """Reads a field; empty where it is missing."""
        return self.fields.get(name, [""])[0]

    def text_or_none(self, name: str) -> str | None:
        """Reads a field without surrounding spaces; None where it is empty."""
        return self.text(name).strip() or None

    def texts(self, name: str) -> list[str]:
        """Reads all fields with this name, such as checked boxes."""
        return list(self.fields.get(name, ()))

    def all_ticked(self, name: str) -> list[str]:
        """Lists the values of the ticked boxes of a group, whose page also sends an empty one."""
        return list(filter(None, self.texts(name)))

    def is_ticked(self, name: str) -> bool:
        """True if a check box was ticked."""
        return name in self.fields


@dataclass(frozen=True, slots=True)
class FormView:
    """A form as a template shows it: empty, or with the typed values and their problems."""

    typed: SentForm = field(default_factory=lambda: SentForm({}))
    name: str | None = None
    status: int = 200
    summary: str | None = None
    problems: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    """Problems that belong to no field."""

    shown: dict[str, tuple[str, str]] = field(default_factory=dict, compare=False)
    """Labels and ids of the fields with a problem, as far as they have been rendered."""

    is_kept: bool = False
    """True retains the typed values also after a success, which was only a trial of them."""

    @property
    def keeps_typed(self) -> bool:
        """True where the page shows the typed values."""
        return self.is_kept or self.status != 200

    def value(self, name: str, default: object = "") -> object:
        """Chooses the initial value of a field; secrets have to be typed again."""
        if not self.keeps_typed or name in SECRETS or name not in self.typed.fields:
            return default
        return self.typed.text(name)

    def ticked(self, name: str, default: bool = False) -> bool:
        """True if a box is ticked when the page opens."""
        return self.typed.is_ticked(name) if self.keeps_typed else default

    def ticked_of(self, name: str, default: Collection[str] = ()) -> Collection[str]:
        """Lists the values of a group of boxes that are ticked when the page opens."""
        if not self.keeps_typed or name not in self.typed.fields:
            return default
        return self.typed.all_ticked(name)

    def problem(self, name: str) -> str | None:
        """Finds the problem of a field, or None."""
        return self.problems.get(name)

    def note(self, name: str, label: str, place: str) -> str:
        """Records the label and the id of a field with a problem, for the summary of problems;
        returns an empty text."""
        if name in self.problems:
            self.shown.setdefault(name, (label, place))
        return ""

    def label(self, name: str) -> str:
        """Finds the label of a field on the page."""
        label, _ = self.shown.get(name, (name.replace("_", " ").capitalize(), ""))
        return label

    def place(self, name: str) -> str:
        """Finds the id of a field on the page."""
        _, place = self.shown.get(name, ("", f"f-{name}"))
        return place

    def of(self, name: str) -> FormView:
        """Returns itself where the form of that name was sent, otherwise an empty form: on a page
        with several forms a problem is shown at the one that was sent."""
        return self if self.name in (None, name) else EMPTY


EMPTY = FormView()


async def read_form(request: Request) -> SentForm:
    """Parses an `application/x-www-form-urlencoded` body, which may be long for a user who is
    signed in. Raises `BadRequest` (`bad-form`) for bodies that no browser sends."""
    if await knows_caller(request):
        take(request.scope, MAX_JSON_BYTES)
    body = await request.body()
    try:
        fields = parse_qs(
            body.decode("utf-8"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError:
        raise BadRequest("The form is malformed.", code=ErrorCode.BAD_FORM) from None
    # Browsers send the line ends of a text area as CR LF.
    return SentForm(
        {name: [text.replace("\r\n", "\n") for text in texts] for name, texts in fields.items()}
    )


def refused(
    answer: Answer,
    form: SentForm,
    *,
    name: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> FormView:
    """Builds the form that shows the API's refusal. `fields` maps a code, or a member of the
    request (`metric.k`), to its field, where that has another name; `name` is the form's, on a page
    of several."""
    document = answer.problem
    places = dict(fields or {})
    problems: dict[str, str] = {}
    others: list[str] = []
    for problem in document.errors:
        place = problem.member
        field_name = places.get(problem.code) or places.get(place) or place
        line = f"Line {problem.line}:" if problem.line is not None else None
        detail = sentence(problem.detail) if place else problem.detail
        if problem.hint:
            detail = f"{detail.removesuffix('.')}."
        text = " ".join(filter(None, (line, detail, problem.hint)))
        if field_name and (field_name in form.fields or field_name in places.values()):
            problems.setdefault(field_name, text)
        else:
            others.append(f"{place}: {text}" if place else text)
    target = places.get(document.code)
    if target:
        problems.setdefault(target, document.detail)
    summary = sentence(document.detail) if not problems or target else "Look at the marked fields."
    if len(others) == 1 and not problems and document.detail in others[0]:
        # A single problem becomes the summary, with its line and advice.
        summary, others = sentence(others[0]), []
    return FormView(
        typed=form,
        name=name,
        status=answer.status,
        summary=summary,
        problems=problems,
        others=tuple(text for text in others if text != document.detail),
    )


def refusal_of(form: SentForm, error: PodiumError, fields: Mapping[str, str]) -> FormView:
    """Shows the form again after an error of a use case, beside the field of its code."""
    field_name = fields.get(error.code)
    problems = {field_name: error.detail} if field_name else {}
    return FormView(form, None, status_of(error), error.detail, problems)


def after(address: str, done: str, **query: str) -> RedirectResponse:
    """Redirects the browser after something was done, with the key of the flash message that it
    shows there. `address` is one of our own, possibly with a `#fragment`."""
    path, hash_sign, fragment = address.partition("#")
    target = f"{path}?{urlencode({'done': done, **query})}{hash_sign}{fragment}"
    return RedirectResponse(target, status_code=303)


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LOCAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")


def sent_time(text: str) -> str | None:
    """Converts a day, or a time as browsers send it, to the format of the API, in UTC. None for an
    empty text; any other text is unchanged."""
    if not text:
        return None
    if _DAY.fullmatch(text):
        return f"{text}T00:00:00Z"
    if not _LOCAL_TIME.fullmatch(text):
        return text
    return f"{text}{':00' if len(text) == 16 else ''}Z"

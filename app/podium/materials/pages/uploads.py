"""Forms with a file for organizers: ground truth, published ids, what is known about items and
sessions, data for participants. Scripts send the same files to the API by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import address_of, dashboard_of
from podium.errors import InvalidInput, NotFound, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.errors import status_of
from podium.http.pages.acts import TO_ERROR_PAGE
from podium.http.pages.api_calls import ApiProblem, at
from podium.http.pages.fields import FormView, SentForm, after, refused
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.streaming.form_bodies import FormBody
from podium.materials.pages import ground_truth, organizing
from podium.submissions.pages import organizing as organizing_submissions

router = APIRouter(include_in_schema=False)

_COMPETITION = "/admin/competitions/{}"


INTERACTION_FIELDS = (
    *("protocol", "pick", "count", "share", "days", "at", "min_train", "test_users"),
    *("cold_items", "threshold", "relevance", "duplicates", "min_user", "min_item"),
    *("user", "item", "rating", "time", "type", "objectives", "format"),
)
"""The options that the form of interactions asks for."""


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A kind of file: the operation that takes it, the section it belongs to, the line that
    follows, and the texts beside it."""

    method: str
    path: str
    section: str
    done: str
    text_fields: tuple[str, ...] = ()

    def target(self, slug: str, form: FormBody) -> Target:
        """The address that this upload goes to."""
        texts = {name: (form.text(name) or "").strip() or None for name in self.text_fields}
        return Target(self.method, at(self.path, slug), texts)


class BaselineUpload(UploadForm):
    """A file that a baseline submits."""

    def target(self, slug: str, form: FormBody) -> Target:
        """With the name that the file has."""
        params = {"team": form.text("team"), "filename": form.filename or None}
        return Target(self.method, at(self.path, slug), params)


class DataUpload(UploadForm):
    """A file for participants: its name is a part of the address."""

    def target(self, slug: str, form: FormBody) -> Target:
        """The name that was typed, or the one that the file has."""
        name = (form.text("name") or "").strip() or form.filename or ""
        if not name:
            raise InvalidInput("Choose a file, or type a name for it.", code=ErrorCode.BAD_NAME)
        return Target(self.method, at(self.path, slug, name), {})


UPLOADS = {
    "ground-truth": UploadForm(
        "POST", f"{_COMPETITION}/ground-truth", "/ground-truth", "truth-uploaded"
    ),
    "raw-sessions": UploadForm(
        "POST",
        f"{_COMPETITION}/raw-sessions",
        "/ground-truth",
        "sessions-prepared",
        ("days", "columns", "time_unit", "ids"),
    ),
    "interactions": UploadForm(
        "POST",
        f"{_COMPETITION}/interactions",
        "/ground-truth",
        "interactions-prepared",
        INTERACTION_FIELDS,
    ),
    "published-ids": UploadForm(
        "PUT", f"{_COMPETITION}/published-ids", "/ground-truth", "ids-published"
    ),
    "items": UploadForm(
        "PUT", f"{_COMPETITION}/items", "/ground-truth#items", "items-told", ("training_users",)
    ),
    "sessions": UploadForm(
        "PUT", f"{_COMPETITION}/sessions", "/ground-truth#sessions", "sessions-told"
    ),
    "baseline": BaselineUpload(
        "POST", "/competitions/{}/submissions", "/submissions", "baseline-submitted", ("team",)
    ),
    "files": DataUpload("PUT", f"{_COMPETITION}/files/{{}}", "/files", "file-put", ("name",)),
}
"""By the end of the address of their forms."""


@router.post("/organize/{slug}/uploads/{kind}")
async def post_upload(request: Request, slug: str, kind: str) -> Response:
    """Hands the file on, and goes back to its section."""
    upload = UPLOADS.get(kind)
    if upload is None:
        raise NotFound("There is no such upload.")
    # Nothing of the body is read for a user who may not send it.
    layout = await dashboard_of(request, slug)
    try:
        answer = await hand_on(
            request,
            text_fields=upload.text_fields,
            target=lambda form: upload.target(slug, form),
        )
    except PodiumError as error:
        shown = FormView(SentForm({}), name=kind, status=status_of(error), summary=error.detail)
        return await _again(request, slug, upload, shown)
    if answer.is_good:
        is_reading = answer.status == 202 and upload.section == "/ground-truth"
        done = "truth-checking" if is_reading else upload.done
        if done == "file-put" and layout.competition.phase == "draft":
            done = "file-put-draft"
        return after(address_of(slug, upload.section), done)
    if answer.status in TO_ERROR_PAGE:
        raise ApiProblem(answer)
    return await _again(request, slug, upload, refused(answer, SentForm({}), name=kind))


async def _again(request: Request, slug: str, upload: UploadForm, form: FormView) -> Response:
    if upload.section == "/files":
        return await organizing.page(request, slug, form=form)
    if upload.section == "/submissions":
        return await organizing_submissions.page(request, slug, form)
    return await ground_truth.page(request, slug, form=form)

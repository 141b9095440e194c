"""`podium upload`: uploads an organizer's files to a competition."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import Slug
from podium.cli.outcome import complain, print_if_interrupted
from podium.cli.parameters.files import file_option
from podium.cli.participant.unfinished import RememberedUploads, interruption_message
from podium.cli.printing import AsJson, Timeout, bar, print_outcome
from podium.core.sizes import size_of
from podium.errors import InvalidInput, NotConfigured
from podium.errors.codes import ErrorCode

if TYPE_CHECKING:
    from podium.client import Organizer


def _labels_in(given: Path | None) -> Path | None:
    """Returns the file of labels of a prepared folder, which needs the scorer; a file needs
    none."""
    if given is None or not given.is_dir():
        return given
    from podium.cli.offline.described import labels_in

    return labels_in(given)


@dataclass(frozen=True)
class OwnFiles:
    """An organizer's files for a competition."""

    truth: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            callback=_labels_in,
            help="The hidden labels, or the folder that `podium prepare` has made.",
        ),
    ] = None
    published_ids: Annotated[
        Path | None, file_option("Ids to predict; by default those of the ground truth.")
    ] = None
    data: Annotated[
        list[Path] | None, file_option("Data file for participants; may be repeated.")
    ] = None

    def refuse_labels(self) -> None:
        """Raises `InvalidInput` if a file for participants is the ground truth that is sent with
        it: the server, which has no ground truth yet, would accept both."""
        for file in self.data or ():
            if self.truth is not None and cmp(file, self.truth, shallow=False):
                raise InvalidInput(
                    f"{file} is the ground truth itself. Participants could download it.",
                    code=ErrorCode.FILE_IS_GROUND_TRUTH,
                )


def upload(
    slug: Slug,
    *,
    files: OwnFiles,
    timeout: Timeout = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress.")] = False,
    as_json: AsJson = False,
) -> None:
    """Upload a competition's ground truth, published ids or files for participants.

    Files above 16 MiB survive broken connections. After an interruption, run the same command
    again: the upload resumes.
    """
    truth = files.truth
    if truth is None and files.published_ids is None and not files.data:
        raise NotConfigured("Which file? Name --truth, --published-ids or --data.")
    files.refuse_labels()
    with connect_as_organizer() as organizer:
        try:
            documents = send_files(organizer, slug, files, timeout=timeout, quiet=quiet)
        except InvalidInput as refusal:
            if truth is not None and is_about(refusal, truth):
                by = f"`podium settings {slug}` with --change"
                present = organizer.competition(slug)["settings"]
                if hint := hint_at(truth, refusal, by=by, explicit={}, present=present):
                    complain(hint)
            raise
    facts = {name: _in_brief(document) for name, document in documents.items()}
    print_outcome(documents, facts, as_json=as_json)


def send_files(
    organizer: Organizer,
    slug: str,
    files: OwnFiles,
    *,
    timeout: float | None = None,
    quiet: bool = True,
) -> dict[str, Any]:
    """Uploads these files, participants' first; returns the document of each by the file's name."""
    documents: dict[str, Any] = {}
    truth, ids = files.truth, files.published_ids
    for file in files.data or ():
        with sending(organizer, file, quiet=quiet):
            documents[file.name] = organizer.add_file(slug, file.name, file)
    if ids is not None:
        with sending(organizer, ids, quiet=quiet):
            documents[ids.name] = organizer.publish_ids(slug, ids)
    if truth is not None:
        with sending(organizer, truth, quiet=quiet):
            documents[truth.name] = organizer.upload_ground_truth(slug, truth, timeout=timeout)
        if documents[truth.name]["preparation"]:
            complain(
                f"{truth}: these are whole sessions. They were cut: what follows is the ground"
                f" truth, and the rest is data: `podium competitions files {slug}`."
            )
        for warning in documents[truth.name]["warnings"]:
            complain(f"{truth}: {warning.rstrip('.')}.")
    return documents


@contextmanager
def sending(organizer: Organizer, file: Path, *, quiet: bool) -> Iterator[None]:
    """Shows the progress of a file, reports interruptions, and remembers the upload."""
    organizer.memory = RememberedUploads()
    organizer.on_retry = complain
    with bar(file.name, quiet=quiet) as moved:
        organizer.on_progress = moved
        try:
            with print_if_interrupted(interruption_message(file)):
                yield
        except InvalidInput as error:
            error.facts |= {"file": str(file), "is_file_rejected": bool(error.problems)}
            raise
        finally:
            organizer.on_progress = None


def _in_brief(document: dict[str, Any]) -> str:
    if (version := document.get("version")) is not None:
        return f"ground truth, version {version}"
    if (count := document.get("published_ids")) is not None:
        return f"{count} published ids"
    return size_of(document["bytes"])


def is_about(failure: BaseException, truth: Path | None) -> TypeGuard[InvalidInput]:
    """True for the refusal of a ground truth that was sent."""
    return isinstance(failure, InvalidInput) and failure.facts.get("file") == str(truth)


def hint_at(truth: Path, refusal: InvalidInput, **known: Any) -> str | None:
    """Returns a sentence about settings by which a refused ground truth may be accepted; None
    without the scorer, which reads its first rows."""
    with suppress(ImportError):
        from podium.cli.organizer.guessing import hint_at_settings

        return hint_at_settings(truth, refusal, **known)
    return None

"""`podium validate`: checks a submission without scoring it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import slugs
from podium.cli.configuration import connect, slug_of
from podium.cli.offline.described import PerhapsTruthFile, dataset_settings
from podium.cli.offline.inference.file_heads import has_items, require_regular, table_head
from podium.cli.offline.scoring import (
    File,
    end,
    judged,
    tell_columns,
    tell_zeros,
)
from podium.cli.offline.tasks import TaskOptions, task_to_validate
from podium.cli.offline.truths import canonical, published_in
from podium.cli.outcome import complain
from podium.cli.parameters.files import file_option
from podium.cli.parameters.grouped import Without
from podium.cli.printing import AsJson, print_facts, print_json
from podium.cli.sample_settings import settings_beside, write_settings
from podium.errors import NotConfigured
from podium.scoring import engine
from podium.scoring.kinds import kind_of
from podium.scoring.rewriting.opening import form_of

if TYPE_CHECKING:
    from podium.scoring.engine import Published
    from podium.scoring.task import Task


Sample = Annotated[
    Path | None,
    file_option(
        "The sample submission, or the list of ids. Settings beside it, in NAME.settings.json, are"
        " read too.",
        "--sample",
        "--published-ids",
    ),
]
Asked = Annotated[
    str | None,
    typer.Option(
        "-c",
        "--competition",
        help="The competition's slug: the server is asked for its settings, and without --sample"
        " for its ids.",
        callback=slug_of,
        autocompletion=slugs,
    ),
]


def validate(
    file: File,
    sample: Sample = None,
    truth: PerhapsTruthFile = None,
    competition: Asked = None,
    *,
    options: Annotated[TaskOptions, Without({"average"})],
    as_json: AsJson = False,
) -> None:
    """Check a submission as the server does, against the ids of a sample or of a ground truth.

    A sample does not contain all rules. `podium competitions download` puts the settings of the
    competition beside it, and -c asks the server for them; without either, the rules that could not
    be checked are named. With --truth, a sample names the ids if some of them have no labels.

    Exit code 3, with every problem's line, if the file would be rejected.
    """
    if not (sample or truth or competition) or (truth and competition):
        raise NotConfigured("Give --sample or --truth, which say which ids are asked for, or -c.")
    require_regular(file, *filter(None, (sample, truth)))
    with tempfile.TemporaryDirectory(prefix="podium-") as folder:
        sample, settings = asked_by(sample, competition, options, Path(folder))
        known = truth or sample
        assert known is not None, "one of them is given"
        submission = None if truth is None else file
        effective = replace(options, preset=settings, submission=submission)
        task = task_to_validate(known, effective)
        unchecked = [] if truth or settings else _untold(known, task, effective.item_ids)
        document = judged(lambda: _checked(file, _asked_for(sample, truth, settings, task), task))
    _tell(document, unchecked, as_json=as_json)
    is_free = bool(options.metrics and not options.columns)
    takes_ids = sample is None
    end(file, document, None if truth is None else task, is_free=is_free, takes_ids=takes_ids)
    tell_zeros(effective, [file], known, task)
    if truth is not None:
        tell_columns(effective, truth, task)


def asked_by(
    sample: Path | None, competition: str | None, options: TaskOptions, folder: Path
) -> tuple[Path | None, str | None]:
    """Returns the file of ids, and the preset or settings that apply: those of the competition if
    one is named, which a server is asked for, or those beside the sample."""
    is_described = bool(options.preset or options.metrics or options.kind)
    if competition:
        if is_described or options.encoding:
            raise NotConfigured("-c takes the settings of the competition: name no others.")
        return _downloaded(competition, sample, folder)
    if sample and not is_described and settings_beside(sample).is_file():
        return sample, str(settings_beside(sample))
    return sample, options.preset


def _downloaded(slug: str, sample: Path | None, folder: Path) -> tuple[Path, str]:
    """Downloads the sample and the settings of a competition from its server; the sample only if
    none is given."""
    settings = folder / "settings.json"
    with connect() as podium:
        write_settings(podium.competition(slug), settings)
        if sample is None:
            sample = folder / "sample.csv"
            podium.sample_submission(slug, sample)
    return sample, str(settings)


def _asked_for(
    sample: Path | None, truth: Path | None, preset: str | None, task: Task
) -> Published:
    """Returns the ids that a sample, or else a ground truth, requires."""
    if truth is not None:
        return canonical(truth, task, preset=preset, ids=sample)[1]
    assert sample is not None, "one of them is given"
    return published_in(sample, task)


def _untold(sample: Path, task: Task, item_ids: str | None) -> list[str]:
    """Returns the rules that a sample alone does not show."""
    kind = kind_of(task.kind)
    if kind.has_lists:
        if task.names != ("",):
            return []
        # A sample without items does not show whether they are numbers; a prepared folder may have
        # their kind.
        is_told = (
            item_ids
            or "item_ids" in dataset_settings(sample)
            or has_items(table_head(sample, task.forms))
        )
        return [*([] if is_told else ["items"]), "repeated items"]
    return list(kind.untold_by_samples)


def _tell(document: dict[str, Any], unchecked: list[str], *, as_json: bool) -> None:
    """Prints the verdict, and the rules that were not checked."""
    is_valid = document["status"] == "valid"
    if unchecked and "form" in document:
        unchecked = [*unchecked, "whether a server takes this form"]
    if as_json:
        print_json({**document, **({"not_checked": unchecked} if is_valid and unchecked else {})})
    elif is_valid:
        status = "valid as far as it was checked" if unchecked else "valid"
        form = {"form": document["form"]} if "form" in document else {}
        print_facts({"status": status, **document["counts"], **form})
    if is_valid and unchecked:
        complain(
            f"Not checked: {', '.join(unchecked)}. The sample does not tell the rules: -c SLUG"
            " asks the server, and `podium competitions download` puts them beside it."
        )


def _checked(file: Path, published: Published, task: Task) -> dict[str, Any]:

    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        counts = engine.validate(file, task=task, published=published, scratch=Path(scratch))
    form = form_of(file, task).form
    return {"status": "valid", "counts": dict(counts), **({"form": form} if form else {})}

"""`podium convert`: writes a submission of another form in that of the competition's sample."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from podium.cli.offline.checking.validating import Asked, Sample, asked_by
from podium.cli.offline.inference.file_heads import require_regular
from podium.cli.offline.rejections import rejections_of
from podium.cli.offline.scoring import File
from podium.cli.offline.tasks import TaskOptions, task_to_validate
from podium.cli.offline.truths import published_in
from podium.cli.outcome import complain
from podium.cli.parameters.grouped import Without
from podium.cli.printing import AsJson, print_outcome
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured
from podium.scoring.combining.converting import convert as converted


def convert(
    file: File,
    out: Annotated[
        Path, typer.Option("--out", "-o", dir_okay=False, help="The file to write, as CSV.")
    ],
    sample: Sample = None,
    competition: Asked = None,
    *,
    options: Annotated[TaskOptions, Without({"average"})],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a submission of another form as the competition takes it, and say what was changed.

    Read are the forms that competitions of its kind may take, such as tabs or semicolons between
    the columns, no header, further columns, one item per row, JSON, or xz; and text in UTF-16 or in
    the --encoding. Every row is checked first; nothing is left out but what would not count. The
    new file has the score that the form itself would have.

    Exit code 3, with every problem's line, if the file would be rejected in its own form, too.
    """
    require_regular(file, *filter(None, (sample,)))
    if not (sample or competition):
        raise NotConfigured("Give --sample, which says which ids are asked for, or -c.")
    if out.exists() and out.samefile(file):
        raise NotConfigured(f"{out} is the file to convert. Name another one with --out.")
    with tempfile.TemporaryDirectory(prefix="podium-") as folder, rejections_of(file):
        known, settings = asked_by(sample, competition, options, Path(folder))
        assert known is not None, "one of them is given"
        task = task_to_validate(known, replace(options, preset=settings, submission=None))
        with fetched(out, force=force) as fresh:
            found = converted(
                file,
                task=task,
                published=published_in(known, task),
                scratch=Path(folder),
                to=fresh,
            )
            if found is None:
                raise NotConfigured(f"{file} has the form of the sample already; nothing to do.")
    facts = {"file": str(out), "form": found.form, **found.counts}
    print_outcome({**facts, "forms": list(found.forms)}, facts, as_json=as_json)
    if found.cut is not None:
        complain(f"Lists keep their first {found.cut:,} items: no others count.")

"""`podium otto upload`: the server prepares raw sessions, so that nothing needs to be installed
here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.parameters.files import file_argument
from podium.cli.preparation.otto_options import stream_of
from podium.cli.preparation.showing import prepared_there
from podium.cli.printing import AsJson, Timeout
from podium.preparation.clickstreams import StreamOptions
from podium.preparation.options import CutOptions, TestDays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from podium.client import Organizer


def upload(
    slug: Annotated[str, typer.Argument(help="The competition, which is still a draft.")],
    raw: Annotated[Path, file_argument("As for `podium otto prepare`.")],
    days: TestDays = CutOptions.days,
    *,
    stream: StreamOptions,
    launch: Annotated[
        bool, typer.Option("--launch", help="Run the launch checklist, and open it.")
    ] = False,
    timeout: Timeout = None,
    as_json: AsJson = False,
) -> None:
    """Upload raw sessions, get a competition: the server prepares them as `podium otto prepare`.

    The draft gets its hidden labels, its published ids and the files for participants. The sessions
    are cut by a secret of the competition, which never leaves the server.
    """
    stream_of(stream, [raw], None)
    form = {} if stream.columns is None else vars(stream)

    def send(organizer: Organizer) -> dict[str, Any]:
        return organizer.upload_raw_sessions(slug, raw, days=days, timeout=timeout, **form)

    def figures(made: Mapping[str, Any]) -> dict[str, Any]:
        return {f"{name}_sessions": made[name]["sessions"] for name in ("train", "test")}

    prepared_there(slug, raw, send, figures, launch=launch, timeout=timeout, as_json=as_json)

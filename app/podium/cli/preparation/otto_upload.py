"""`podium otto upload`: the server prepares raw sessions, so that nothing is needed here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import launched
from podium.cli.organizer.uploading import sending
from podium.cli.outcome import complain
from podium.cli.preparation.otto_options import StreamOptions
from podium.cli.preparation.showing import show_made
from podium.cli.printing import AsJson, Timeout, print_json


def upload(
    slug: Annotated[str, typer.Argument(help="The competition, which is still a draft.")],
    raw: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="As for `podium otto prepare`.")
    ],
    days: Annotated[
        float, typer.Option(min=0.0, help="Sessions that start in the last days are the test set.")
    ] = 7,
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
    stream.stream([raw], None)
    with connect_as_organizer() as organizer:
        form = {} if stream.columns is None else vars(stream)
        with sending(organizer, raw, quiet=as_json):
            version = organizer.upload_raw_sessions(slug, raw, days=days, timeout=timeout, **form)
        for warning in version["warnings"]:
            complain(f"{raw}: {warning}.")
        if launch:
            launched(organizer, slug, timeout)
        names = [file["name"] for file in organizer.files(slug)]
    if as_json:
        print_json(version)
        return
    made = version["preparation"]
    parts = {"train_sessions": made["train"], "test_sessions": made["test"]}
    facts = {name: part["sessions"] for name, part in parts.items()}
    show_made({"files": names, **facts, "ground_truth": version["version"]}, as_json=False)

"""Which commands there are: the only list of them."""

from __future__ import annotations

from collections.abc import Callable

import typer

from app.cli import (
    archives,
    catalogue,
    comparing,
    competing,
    configuration,
    creating,
    demo,
    doctor,
    offline,
    organizing,
    segmenting,
    serving,
    submitting,
    verifying,
)

PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Take part": (
        configuration.login,
        submitting.submit,
        submitting.submission,
        submitting.submissions,
        competing.leaderboard,
        competing.limits,
        submitting.select,
    ),
    "Organize": (creating.create, organizing.rejudge),
    "Without a server": (
        offline.score,
        offline.validate,
        catalogue.metrics,
        comparing.compare,
        segmenting.segments,
        comparing.ab,
        verifying.verify,
    ),
    "Operate": (serving.serve, serving.worker, serving.migrate, doctor.doctor, demo.demo),
    "Archive": (archives.export, archives.import_, archives.archive),
}
"""The groups of `podium --help`; a command is called as its function is."""


def build() -> typer.Typer:
    """The command line with all its commands, grouped as `podium --help` shows them."""
    app = typer.Typer(
        help="A self-hosted competition scorer for recommender systems.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    competitions = typer.Typer(help="Look at competitions and their files.", no_args_is_help=True)
    competitions.command("list")(competing.list_competitions)
    competitions.command("files")(competing.list_files)
    competitions.command("download")(competing.download)
    app.add_typer(competitions, name="competitions", rich_help_panel="Take part")
    for panel, commands in PANELS.items():
        for command in commands:
            app.command(rich_help_panel=panel)(command)
    return app

"""The commands of `podium`: the only list of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from podium.cli import authentication, configuration
from podium.cli.extras import Extra, needing
from podium.cli.history import runs
from podium.cli.offline import (
    analysing,
    blending,
    catalogue,
    comparing,
    experimenting,
    scoring,
    segmenting,
    verifying,
)
from podium.cli.offline.checking import validating
from podium.cli.offline.own_metrics import checking
from podium.cli.operator import archives, backups, doctor, serving
from podium.cli.operator.demo import showing
from podium.cli.operator.private_files import privately
from podium.cli.operator.settings_help import WHERE_SETTINGS_ARE, CommandWithSettings
from podium.cli.organizer import (
    acting,
    creating,
    given_settings,
    metric_files,
    organizing,
    people,
    telling,
    uploading,
)
from podium.cli.outcome import MEANINGS
from podium.cli.participant import competing, competitions, submitting, teaming
from podium.cli.patience import patient
from podium.cli.preparation import baselining, interactions, otto_data
from podium.cli.streams.pipes import taking_pipes

TAKING_PART = "Take part"

ORGANIZING = "Organize"

OFFLINE = "Without a server"

OPERATING = "Operate"
"""The panel of the commands that an installation's files are made by."""

ARCHIVING = "Archive"

PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    TAKING_PART: (
        authentication.login,
        authentication.logout,
        authentication.whoami,
        submitting.submit,
        submitting.submission,
        submitting.submissions,
        competing.leaderboard,
        competing.limits,
        submitting.select,
        submitting.cancel,
        submitting.receipt,
        runs.runs,
    ),
    ORGANIZING: (
        creating.create,
        uploading.upload,
        given_settings.settings,
        acting.launch,
        acting.announce,
        acting.freeze,
        acting.unfreeze,
        acting.close,
        acting.reopen,
        telling.teams,
        organizing.rejudge,
        organizing.rejudgings,
        acting.reveal,
    ),
    OFFLINE: (
        scoring.score,
        validating.validate,
        interactions.prepare,
        interactions.stats,
        baselining.baseline,
        blending.blend,
        analysing.analyse,
        blending.overlap,
        catalogue.metrics,
        comparing.compare,
        segmenting.segments,
        verifying.verify,
    ),
    OPERATING: (
        serving.serve,
        serving.worker,
        serving.migrate,
        doctor.doctor,
        backups.backup,
        backups.check_backup,
        backups.restore,
        showing.demo,
    ),
    ARCHIVING: (archives.export, archives.import_, archives.archive),
}
"""The groups of `podium --help`; a command is called as its function is."""

GROUPS: dict[str, tuple[str, str, dict[str, Callable[..., None]]]] = {
    "competitions": (
        "Show competitions, their rules and their files.",
        TAKING_PART,
        {
            "list": competitions.list_competitions,
            "show": competitions.show,
            "rules": competitions.rules,
            "files": competitions.list_files,
            "download": competitions.download,
        },
    ),
    "team": (
        "Enter a competition; invite, leave, merge.",
        TAKING_PART,
        {
            "show": teaming.show,
            "create": teaming.create,
            "request": teaming.request,
            "join": teaming.join,
            "rename": teaming.rename,
            "leave": teaming.leave,
            "merge": teaming.merge,
        },
    ),
    "users": (
        "Create and list accounts.",
        ORGANIZING,
        {"add": people.add, "list": people.list_users, "roster": people.roster},
    ),
    "metric": (
        "Check a metric of your own for tables; upload, compare and try its versions.",
        ORGANIZING,
        {
            "check": checking.check,
            "upload": metric_files.upload,
            "list": metric_files.list_versions,
            "show": metric_files.show,
            "diff": metric_files.diff,
            "trial": metric_files.trial,
        },
    ),
    "otto": (
        "Prepare, split and synthesize OTTO data.",
        OFFLINE,
        {
            "prepare": otto_data.prepare,
            "split": otto_data.split,
            "synth": otto_data.synth,
            "upload": otto_data.upload,
        },
    ),
    "ab": (
        "Assign users to the groups of an A/B test, and report it. `podium ab FILE` reports, too.",
        OFFLINE,
        {"report": experimenting.report, "assign": experimenting.assign},
    ),
}
"""Commands with commands of their own: what they are about, their panel, and the functions."""

CONNECTING = ("baseline", "otto upload")
"""Commands of other panels that talk to a server, as all do that take part or organize."""

AT_HOME = ("metric check",)
"""Commands of these panels that talk to none."""

NEEDS = {OFFLINE: Extra.SCORE, OPERATING: Extra.SERVER, ARCHIVING: Extra.SERVER}
"""The extra that the commands of a panel need; the others are the thin client."""

EXCEPTIONS = {
    "ab report": Extra.AB,
    "ab assign": Extra.AB,
    "metric check": Extra.METRICS,
    "otto upload": None,
}
"""Commands that need another one than their panel, or none."""


class ReportsByDefault(TyperGroup):
    """A group whose command `report` runs where none is named: `podium ab FILE`."""

    default = "report"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - private to Typer
        """Puts the command before all else but a command or a question for help."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


WITH_DEFAULT = {"ab": ReportsByDefault}
"""Groups with a command that runs where none is named."""


def build() -> typer.Typer:
    """The command line with all its commands, grouped as `podium --help` shows them."""
    app = typer.Typer(
        help="A self-hosted competition scorer for recommender systems.",
        epilog=_exit_codes(),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(configuration.choose_profile)
    for name, (about, panel, group) in GROUPS.items():
        inner = typer.Typer(
            help=about, no_args_is_help=True, cls=WITH_DEFAULT.get(name, TyperGroup)
        )
        for called, function in group.items():
            made = _prepared(f"{name} {called}", panel, function)
            inner.command(called, help=help_of(function))(made)
        app.add_typer(inner, name=name, rich_help_panel=panel)
    for panel, commands in PANELS.items():
        for command in commands:
            called = command.__name__.strip("_")
            cls = CommandWithSettings if command is serving.serve else None
            epilog = WHERE_SETTINGS_ARE if cls is None and panel in (OPERATING, ARCHIVING) else None
            made = _prepared(called, panel, command)
            app.command(
                called, cls=cls, rich_help_panel=panel, help=help_of(command), epilog=epilog
            )(made)
    return app


def _exit_codes() -> str:
    """The table of exit codes in one paragraph."""
    return f"Exit codes: {'; '.join(f'{code:d} {words}' for code, words in MEANINGS.items())}."


def help_of(command: Callable[..., None]) -> str:
    """The text of a command's docstring, each paragraph on one line: a terminal breaks it as wide
    as it is."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _prepared(name: str, panel: str, command: Callable[..., None]) -> Callable[..., None]:
    """The command with what its panel asks for."""
    made = taking_pipes(command)
    made = privately(made) if panel == OPERATING else made
    talks = panel in (TAKING_PART, ORGANIZING) and name not in AT_HOME
    if talks or name in CONNECTING:
        made = patient(made)
    extra = EXCEPTIONS.get(name, NEEDS.get(panel))
    return made if extra is None else needing(extra, name, made)

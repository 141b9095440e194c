"""All commands of `podium`; this is the only list of them."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from podium import __version__
from podium.cli.completing import profiles
from podium.cli.configuration import PROFILE
from podium.cli.extras import Extra, require
from podium.cli.lazy import LazyCommand, LazyGroup, Place, paragraphs
from podium.cli.operator.private_files import privately
from podium.cli.operator.settings_help import WHERE_SETTINGS_ARE, CommandWithSettings
from podium.cli.outcome import MEANINGS
from podium.cli.parameters.grouped import grouped
from podium.cli.parameters.patience import patient
from podium.cli.reporting import reported
from podium.cli.streams.encoding import choose_encoding
from podium.cli.streams.output import open_what_is_closed, output_checked
from podium.cli.streams.pipes import taking_pipes
from podium.errors import NotConfigured

TAKING_PART = "Take part"

ORGANIZING = "Organize"

OFFLINE = "Without a server"

OPERATING = "Operate"
"""The panel of the commands for operators."""

ARCHIVING = "Archive"

PANELS: dict[str, tuple[Place, ...]] = {
    TAKING_PART: (
        "authentication:login",
        "authentication:logout",
        "authentication:whoami",
        "participant.submitting:submit",
        "participant.submitting:submission",
        "participant.submitting:submissions",
        "participant.competing:leaderboard",
        "participant.competing:limits",
        "participant.submitting:select",
        "participant.submitting:cancel",
        "participant.submitting:receipt",
        "history.runs:runs",
    ),
    ORGANIZING: (
        "organizer.creating:create",
        "organizer.uploading:upload",
        "organizer.given_settings:settings",
        "organizer.acting:launch",
        "organizer.acting:announce",
        "organizer.acting:freeze",
        "organizer.acting:unfreeze",
        "organizer.acting:close",
        "organizer.acting:reopen",
        "organizer.telling:teams",
        "organizer.organizing:rejudge",
        "organizer.organizing:rejudgings",
        "organizer.acting:reveal",
    ),
    OFFLINE: (
        "offline.scoring:score",
        "offline.checking.validating:validate",
        "offline.checking.converting:convert",
        "preparation.interactions:prepare",
        "preparation.interactions:stats",
        "preparation.baselining:baseline",
        "offline.blending:blend",
        "offline.analyzing:analyze",
        "offline.blending:overlap",
        "offline.catalogue:metrics",
        "offline.comparing:compare",
        "offline.segmenting:segments",
        "offline.verifying:verify",
    ),
    OPERATING: (
        "operator.serving:serve",
        "operator.serving:worker",
        "operator.serving:migrate",
        "operator.doctor:doctor",
        "operator.backups:backup",
        "operator.backups:check_backup",
        "operator.backups:restore",
        "operator.demo.showing:demo",
    ),
    ARCHIVING: (
        "operator.archives:export",
        "operator.archives:import_",
        "operator.archives:archive",
    ),
}
"""The groups of `podium --help`; a command has the name of its function."""

GROUPS: dict[str, tuple[str, str, dict[str, Place]]] = {
    "competitions": (
        "Show competitions, their rules and their files.",
        TAKING_PART,
        {
            "list": "participant.competitions:list_competitions",
            "show": "participant.competitions:show",
            "rules": "participant.competitions:rules",
            "files": "participant.competitions:list_files",
            "download": "participant.competitions:download",
        },
    ),
    "team": (
        "Enter a competition; invite, leave, merge.",
        TAKING_PART,
        {
            "show": "participant.teaming:show",
            "create": "participant.teaming:create",
            "request": "participant.teaming:request",
            "join": "participant.teaming:join",
            "rename": "participant.teaming:rename",
            "leave": "participant.teaming:leave",
            "merge": "participant.teaming:merge",
        },
    ),
    "users": (
        "Create and list accounts.",
        ORGANIZING,
        {
            "add": "organizer.people:add",
            "list": "organizer.people:list_users",
            "roster": "organizer.people:roster",
        },
    ),
    "metric": (
        "Check a metric of your own for tables; upload, compare and try its versions.",
        ORGANIZING,
        {
            "check": "offline.custom_metrics.checking:check",
            "upload": "organizer.custom_metrics:upload",
            "list": "organizer.custom_metrics:list_versions",
            "show": "organizer.custom_metrics:show",
            "diff": "organizer.custom_metrics:diff",
            "trial": "organizer.custom_metrics:trial",
        },
    ),
    "otto": (
        "Prepare, split and synthesize OTTO data.",
        OFFLINE,
        {
            "prepare": "preparation.otto_data:prepare",
            "split": "preparation.otto_data:split",
            "synth": "preparation.otto_data:synth",
            "upload": "preparation.otto_upload:upload",
        },
    ),
    "ab": (
        "Assign users to the groups of an A/B test, and report it. `podium ab FILE` reports, too.",
        OFFLINE,
        {"report": "offline.experimenting:report", "assign": "offline.experimenting:assign"},
    ),
}
"""Commands with subcommands: their subject, their panel, and the functions."""

CONNECTING = ("baseline", "otto upload")
"""Commands of other panels that connect to a server, as all for participants and organizers do."""

AT_HOME = ("metric check",)
"""Commands of these panels that connect to none."""

NEEDS = {OFFLINE: Extra.SCORE, OPERATING: Extra.SERVER, ARCHIVING: Extra.SERVER}
"""The extra that the commands of a panel need; all others need only the thin client."""

EXCEPTIONS = {
    "ab report": Extra.AB,
    "ab assign": Extra.AB,
    "metric check": Extra.METRICS,
    "otto upload": None,
}
"""Commands that need another extra than their panel, or none."""


ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Settings of a command that accepts any arguments."""

ABOUT = "A self-hosted competition scorer for recommender systems."


class ReportsByDefault(LazyGroup):
    """A group that runs its command `report` if none is named: `podium ab FILE`."""

    default = "report"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - private to Typer
        """Inserts the command, unless the first argument is a command or asks for help."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class AllCommands(LazyGroup):
    """The command `podium` with all others."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for panel, places in PANELS.items():
            for place in places:
                called = name_of(place)
                self.commands[called] = _listed(called, panel, place)
        for name, (about, panel, group) in GROUPS.items():
            inner: dict[str, Any] = {
                called: _listed(f"{name} {called}", panel, at) for called, at in group.items()
            }
            kind = ReportsByDefault if name == "ab" else LazyGroup
            self.commands[name] = kind(
                name=name, help=about, no_args_is_help=True, rich_help_panel=panel, commands=inner
            )


def name_of(place: Place) -> str:
    """Returns the name of a command that has the name of its function."""
    return place.partition(":")[2].strip("_").replace("_", "-")


def run() -> None:
    """Runs the command line; ends the process with the exit code of the command."""
    open_what_is_closed()
    choose_encoding()
    with output_checked(), reported():
        code = build()(prog_name="podium", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)


def build() -> typer.Typer:
    """Builds the command line with all its commands, grouped as `podium --help` shows them."""
    app = typer.Typer(
        cls=AllCommands,
        help=ABOUT,
        epilog=f"Exit codes: {'; '.join(f'{code:d} {words}' for code, words in MEANINGS.items())}.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_choose_profile)
    return app


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        print(f"podium {__version__}")
        raise typer.Exit


def _choose_profile(
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            envvar=PROFILE,
            help="Stored login to use, or to store.",
            autocompletion=profiles,
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version."),
    ] = False,
) -> None:
    """Chooses the stored login before any command runs."""
    if profile is not None:
        # Every command looks in the environment, so the option only sets a variable there.
        os.environ[PROFILE] = profile


def _listed(called: str, panel: str, place: Place) -> LazyCommand:
    group, _, name = called.rpartition(" ")
    shown = None if group else panel
    return LazyCommand(name, place, shown, lambda lazy: _built(lazy, called, panel))


def _built(lazy: LazyCommand, called: str, panel: str) -> Any:  # noqa: ANN401 - as above
    """Builds the command with the options of its panel; without its extra, one that refuses and
    names the extra."""
    extra = EXCEPTIONS.get(called, NEEDS.get(panel))
    alone = typer.Typer(add_completion=False)
    try:
        require(extra, f"podium {called}")
    except NotConfigured as refusal:
        alone.command(
            lazy.name, help=f"{lazy.summary}\n\n{refusal.detail}", context_settings=ANYTHING
        )(_refusal(refusal))
        return typer.main.get_command(alone)
    command = lazy.function()
    function = taking_pipes(grouped(command))
    function = privately(function) if panel == OPERATING else function
    talks = panel in (TAKING_PART, ORGANIZING) and called not in AT_HOME
    function = patient(function) if talks or called in CONNECTING else function
    cls = CommandWithSettings if called == "serve" else None
    epilog = WHERE_SETTINGS_ARE if cls is None and panel in (OPERATING, ARCHIVING) else None
    help_ = "\n\n".join(paragraphs(inspect.getdoc(command) or ""))
    alone.command(lazy.name, cls=cls, help=help_, epilog=epilog)(function)
    return typer.main.get_command(alone)


def _refusal(refusal: NotConfigured) -> Callable[[], None]:
    """Returns the function of a command whose extra is missing."""

    def refuse() -> None:
        raise refusal

    return refuse

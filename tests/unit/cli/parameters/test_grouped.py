"""Groups of options as one parameter of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer
from typer.testing import CliRunner

from podium.cli.parameters.grouped import Without, grouped


@dataclass(frozen=True)
class Sizes:
    """A group with a panel, and a member that is not an option."""

    panel: ClassVar[str] = "How large"

    width: Annotated[int, typer.Option(help="From left to right.")] = 3
    names: Annotated[list[str] | None, typer.Option("--name", help="May be repeated.")] = None
    depth: int = 7


def _draw(title: str, *, sizes: Sizes, loud: bool = False) -> None:
    typer.echo(f"{title} {sizes} {loud}")


def _draw_narrow(sizes: Annotated[Sizes, Without({"width"})]) -> None:
    typer.echo(str(sizes))


def _called(command: object, *arguments: str) -> str:
    app = typer.Typer(add_completion=False)
    app.command()(grouped(command))  # type: ignore[arg-type]
    outcome = CliRunner().invoke(app, arguments, env={"COLUMNS": "100"})
    return outcome.output


def test_a_body_gets_the_options_of_a_group_as_one_value() -> None:
    shown = _called(_draw, "box", "--width", "9", "--name", "a", "--name", "b", "--loud")

    assert shown == "box Sizes(width=9, names=['a', 'b'], depth=7) True\n"


def test_options_that_are_not_given_are_as_the_group_has_them() -> None:
    assert _called(_draw, "box") == "box Sizes(width=3, names=None, depth=7) False\n"


def test_help_shows_the_options_of_a_group_in_its_panel() -> None:
    shown = _called(_draw, "--help")

    panel = shown.partition("How large")[2]
    assert "--width" in panel
    assert "--name" in panel
    assert "--loud" not in panel
    assert "--depth" not in shown


def test_a_command_leaves_out_options_of_a_group() -> None:
    assert _called(_draw_narrow) == "Sizes(width=3, names=None, depth=7)\n"
    assert "No such option" in _called(_draw_narrow, "--width", "9")


@dataclass(frozen=True)
class Parcel:
    """A group that holds another one."""

    sizes: Sizes
    heavy: Annotated[bool, typer.Option("--heavy", help="More than 20 kg.")] = False


def _send(parcel: Parcel) -> None:
    typer.echo(f"{parcel.sizes.width} {parcel.heavy}")


def test_a_group_may_hold_another_one() -> None:
    assert _called(_send, "--heavy", "--width", "5") == "5 True\n"

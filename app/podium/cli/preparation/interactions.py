"""`podium prepare` and `podium stats`: prepare a competition's files from users × items, or
describe these."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import typer

from podium.cli.outcome import complain
from podium.cli.preparation import on_the_server, otto_data
from podium.cli.preparation.interaction_options import (
    File,
    Files,
    HomeOptions,
    PlaceOptions,
    Recipe,
    RuleOptions,
)
from podium.cli.preparation.making import key_given, made_here
from podium.cli.preparation.otto_options import SessionOptions
from podium.cli.preparation.showing import figures_of, show_made
from podium.cli.printing import AsJson, print_facts, print_json
from podium.errors import NotConfigured
from podium.preparation.clickstreams import StreamOptions
from podium.preparation.options import ColumnChoice, CutOptions, require_used
from podium.preparation.preparing import statistics
from podium.preparation.report import histogram

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OF_OTTO = {"files", "to", "objectives", "recipe", "days", "seed", "key_file", "force", "as_json"}
"""Options that `--recipe otto` supports, too."""


def prepare(
    context: typer.Context,
    files: Files,
    *,
    place: PlaceOptions,
    recipe: Recipe = "interactions",
    rules: RuleOptions,
    home: HomeOptions,
    as_json: AsJson = False,
) -> None:
    """Prepare a competition's files from interactions: training set, hidden labels, published ids.

    Participants get train.parquet, items.csv (items and how many users had each) and
    sample_submission.csv. labels.csv is the ground truth, published_ids.csv the list of its users,
    and report.md lists what was kept, dropped and hidden; dataset.json stores your options. Columns
    are recognized by their usual names, or by position if there is no header: user, item, rating,
    timestamp. Random choices, such as the order of equal times, depend on a secret in cut.key: the
    same interactions give the same bytes, in any order of the rows.

    With --upload the server does this for a draft: it gets its ground truth, its published ids, its
    item file and the files for participants, and nothing that is hidden leaves the server.
    """
    if recipe == "interactions":
        require_used(rules.hiding.protocol, _explicit(context))
    if place.upload is not None:
        on_the_server.upload(_only(files), place, recipe, rules, home, as_json=as_json)
        return
    to = place.to
    if to is None:
        raise NotConfigured("Name the folder to write to (--to), or a draft (--upload).")
    if place.launch or place.timeout is not None:
        raise NotConfigured(f"--{'launch' if place.launch else 'timeout'} goes with --upload.")
    if recipe == "otto":
        for name, option in _explicit(context).items():
            if name not in OF_OTTO:
                raise NotConfigured(
                    f"{option} is not an option of --recipe otto: `podium otto prepare --help`"
                    " shows which it has."
                )
        days, scopes = rules.hiding.days, rules.objectives
        otto_data.prepare(
            files,
            to,
            float(CutOptions.days if days is None else days),
            home.seed,
            home.key_file,
            stream=StreamOptions(),
            sessions=SessionOptions(objective=scopes, force=home.force, as_json=as_json),
        )
        return
    options, key = rules.options, key_given(home.seed, home.key_file)
    report, written = made_here([_only(files)], to, options, key, force=home.force)
    columns = ", ".join(f"{role} {name}" for role, name in report["columns"].items())
    complain(f"Columns: {columns}.")
    show_made({"files": written, **figures_of(report)}, as_json=as_json)


def _explicit(context: typer.Context) -> dict[str, str]:
    """Returns the options of a command line, in the order of its help, by their names."""
    found = {}
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name and source is not None and source.name == "COMMANDLINE":
            found[option.name] = option.opts[0]
    return found


def stats(
    file: File,
    *,
    reading: ColumnChoice,
    as_json: AsJson = False,
) -> None:
    """Show figures of interactions: users, items, density, inequality, ratings, times.

    The Gini coefficient of popularity is 0 if all items have equally many interactions, and near 1
    if a few have nearly all. Equal times are those of one user's interactions.
    """
    with TemporaryDirectory() as work:
        found = statistics(file, reading, work=Path(work))
    if as_json:
        print_json(found)
        return
    print_facts(_shown(found))
    for name, title in (("per_user", "a user"), ("per_item", "an item")):
        print(f"\nInteractions of {title}, and how many have so many:")
        for line in histogram(found[name]["histogram"]):
            print(line)


def _only(files: Sequence[Path]) -> Path:
    if len(files) > 1:
        raise NotConfigured("Give one file of interactions.")
    return files[0]


def _shown(found: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "columns": ", ".join(f"{role} {name}" for role, name in found["columns"].items())
    }
    facts |= {name: f"{found[name]:,}" for name in ("interactions", "users", "items")}
    facts |= {"density": f"{found['density']:.4%}", "repeated": f"{found['repeated']:,}"}
    facts["Gini of popularity"] = f"{found['gini_of_popularity']:.3f}"
    for name, title in (("per_user", "per user"), ("per_item", "per item")):
        spread = found[name]
        facts[title] = f"mean {spread['mean']:.1f}, median {spread['quantiles']['0.5']:,}"
    if "ratings" in found:
        counts = found["ratings"].get("counts", {})
        facts["ratings"] = f"mean {found['ratings']['mean']:.2f}"
        facts |= {f"rated {rating}": f"{count:,}" for rating, count in counts.items()}
    if "times" in found:
        times = found["times"]
        facts["times"] = f"{times.get('from', times['first'])} to {times.get('to', times['last'])}"
        facts["equal times"] = f"{found['share_of_equal_times']:.2%}"
    facts |= {name: f"{count:,}" for name, count in found.get("types", {}).items()}
    return facts

"""`podium ab`: assigns users to groups at random, and compares the groups. No server."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from podium.cli.offline.experiment_tables import print_report
from podium.cli.offline.rejections import rejections_of
from podium.cli.parameters.files import file_argument
from podium.cli.printing import AsJson, Columns, print_json, print_rows
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured
from podium.experiments.plan import MAX_GROUPS, HashedAssignment, Plan
from podium.experiments.report import ReportOptions, report_on
from podium.experiments.users import assigned
from podium.scoring.writing import container_of, write_rows


def report(
    file: Annotated[
        Path,
        file_argument(
            "CSV or Parquet with group,user and amounts; or with group,pv,clicks or"
            " group,clicked (one row a page view), and perhaps user."
        ),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="A column of amounts, compared per user, or a ratio such as revenue/sessions; else"
            " all columns of amounts."
        ),
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="The group that the others are compared with; else the first of the file.",
        ),
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP=SHARE",
            help="The planned share of each group, as new=10 and old=90; else equal ones.",
        ),
    ] = None,
    winsorize: Annotated[
        float | None,
        typer.Option(
            metavar="QUANTILE",
            help="Count larger sums of a user as this quantile of all users, as 0.99. Off unless"
            " given.",
        ),
    ] = None,
    cuped: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=COLUMN",
            help="Adjust a mean per user by a column with the same amount before the test.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report an A/B test: each group's click-through rate or amounts per user, the differences with
    95 % intervals and p-values, and whether the groups have the planned sizes.

    All rows of a user are added up. With a column user, users are the unit of randomization, else
    page views. Several p-values are also corrected by Holm's method. Exit code 3, with every
    problem's line, if the file is rejected.
    """
    if winsorize is not None and not 0.5 <= winsorize < 1:
        raise NotConfigured("--winsorize takes a quantile from 0.5 to less than 1, such as 0.99.")
    before = _pairs(cuped or (), "--cuped", "revenue=revenue_before")
    options = ReportOptions(metric or (), control, _weights(share or ()), winsorize, before)
    with rejections_of(file):
        document = report_on(file, options)
    if as_json:
        print_json(document)
    else:
        print_report(document)


def assign(
    file: Annotated[Path, file_argument("CSV or Parquet with a column user.")],
    salt: Annotated[
        str,
        typer.Option(
            help="Any text. A test with a text of its own is independent of all other tests; the"
            " same text repeats the assignment."
        ),
    ],
    share: Annotated[
        list[str],
        typer.Option(
            metavar="GROUP=SHARE",
            help="A group and its share of users, as control=50; shares are relative to their sum.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            dir_okay=False,
            help="The users with their groups; its name's ending .gz, .zst or .parquet says how it"
            " is packed.",
        ),
    ],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Assign users to groups at random, by a salted hash of each user.

    Neither the order of the users nor other users matter: when users are added, all others stay in
    their groups. Exit code 3, with every problem's line, if the file is rejected.
    """
    weights = _weights(share)
    if not 2 <= len(weights) <= MAX_GROUPS:
        raise NotConfigured(f"Name 2 to {MAX_GROUPS} groups, each with --share GROUP=SHARE.")
    if not all(name.isprintable() and not set(name) & set(',"') for name in weights):
        raise NotConfigured("The name of a group is text without commas and quotes.")
    if not salt:
        raise NotConfigured("--salt is empty. Give the test a text of its own.")
    if out.exists() and out.samefile(file):
        raise NotConfigured(f"{out} has the users to assign. Name another file with --out.")
    plan = Plan.of(weights)
    with rejections_of(file), fetched(out, force=force) as fresh:
        users = assigned(file, HashedAssignment.by(plan, salt))
        write_rows([users], fresh, container_of(out))
    counts = dict(users["group"].value_counts().iter_rows())
    rows = [
        {"group": name, "share": float(planned), "users": counts.get(name, 0)}
        for name, planned in zip(plan.groups, plan.shares, strict=True)
    ]
    if as_json:
        print_json({"file": str(out), "groups": rows})
    else:
        print_rows(rows, ASSIGNED, as_json=False)


ASSIGNED: Columns = (
    ("group", lambda row: row["group"]),
    ("planned", lambda row: f"{row['share']:.2%}"),
    ("users", lambda row: row["users"]),
)


def _weights(shares: Sequence[str]) -> dict[str, Fraction]:
    """Returns the groups with their shares."""
    weights: dict[str, Fraction] = {}
    for name, number in _pairs(shares, "--share", "control=50").items():
        try:
            weight = Decimal(number)
        except InvalidOperation:
            weight = Decimal(0)
        if not weight.is_finite() or not 0 < weight <= 1_000_000:
            raise NotConfigured(f"--share {name}={number}: a share is a number above 0, like 50.")
        weights[name] = Fraction(weight)
    return weights


def _pairs(texts: Sequence[str], option: str, example: str) -> dict[str, str]:
    """Returns the values of an option by name."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not (name.strip() and sign and value):
            raise NotConfigured(f"{option} takes {example}, not {text}.")
        if name in pairs:
            raise NotConfigured(f"{option} names {name} twice.")
        pairs[name] = value
    return pairs

"""A competition of a table, scored by a custom metric: ranges of prices."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, NamedTuple

from podium.cli.operator.demo.interval_score import METRIC
from podium.cli.operator.demo.sending import NEWCOMER, Submission, deadline, submit_as
from podium.cli.outcome import complain

if TYPE_CHECKING:
    from podium.client import Organizer, Podium

SLUG = "homes-demo"

HOMES, DISTRICTS = 1_200, 6

SEED = 3

SUMMARY = "Between which prices is a home sold? Narrow ranges win, if they hold the price."

DESCRIPTION = """\
Give each home a **range** of prices, from `low` to `high`, that holds its price eight times out
of ten.

The metric is the organizer's own, a short Python file, which the page **Metric** shows. A home
costs the width of its range, and ten times what its price lies outside: less is better. Beside it
stand the share of homes whose price is *inside*, and the mean *width*. The homes are synthetic.

## The data

`train.csv` holds a sold home a row: `id`, `district`, `area` in square metres, `age` in years, and
`price` in thousands. `test.csv` has the other homes, without prices.

A first answer, made at home from these files, of 3 to 7 thousand a square metre:

    podium competitions download homes-demo --path data
    awk -F, 'NR == 1 {print "id,low,high"} NR > 1 {print $1 "," 3 * $3 "," 7 * $3}' \\
        data/test.csv > ranges.csv
    podium submit homes-demo -f ranges.csv
"""


class Home(NamedTuple):
    """A row of the data."""

    id: int
    district: int
    area: int
    age: int
    price: int


def homes(organizer: Organizer, address: str, ada: Podium, files: Path) -> list[Submission]:
    """Creates the competition with its metric, and submits quantiles."""
    complain(f"Making a competition of {HOMES} homes, with a metric of its own …")
    files.mkdir(parents=True, exist_ok=True)
    sold, asked = write_homes(files)
    (files / "metric.py").write_text(METRIC)
    organizer.create_competition(
        SLUG,
        "Homes: between which prices?",
        task="table",
        table_columns=[
            {"name": "low", "minimum": 0, "sample": "100"},
            {"name": "high", "minimum": 0, "sample": "900"},
        ],
        objectives={"price": 1},
        metric="own_error",
        diagnostics=["own_inside", "own_width"],
        metric_source_is_public=True,
        id_column="id",
        split="usage",
        summary=SUMMARY,
        description=DESCRIPTION,
        decimals=2,
        objective_scores="always",
        daily_limit=50,
        ends_at=deadline(),
    )
    organizer.upload_ground_truth(SLUG, files / "solution.csv")
    organizer.upload_custom_metric(SLUG, files / "metric.py", note="Interval score")
    for name in ("train.csv", "test.csv"):
        organizer.add_file(SLUG, name, files / name)
    organizer.launch(SLUG)
    ada.create_team(SLUG, NEWCOMER)
    return submit_as(organizer, address, SLUG, _submissions(sold, asked, files))


def write_homes(folder: Path) -> tuple[list[Home], list[Home]]:
    """Writes `train.csv`, `test.csv` and `solution.csv`; returns the homes sold, and the homes to
    predict. Prices of some districts vary more than those of others."""
    chance = random.Random(SEED)  # noqa: S311 - the same homes each time
    made = []
    for number in range(1, HOMES + 1):
        district, age = chance.randrange(DISTRICTS), chance.randrange(80)
        area = round(chance.lognormvariate(4.4, 0.35))
        spread = chance.lognormvariate(0, 0.05 + 0.06 * district)
        price = round(area * (3 + 0.6 * district) * (1 - 0.003 * age) * spread)
        made.append(Home(number, district + 1, area, age, price))
    sold, asked = made[: HOMES // 2], made[HOMES // 2 :]
    prices = [(each.id, each.price, "Private" if each.id % 3 else "Public") for each in asked]
    _write(folder / "train.csv", Home._fields, sold)
    _write(folder / "test.csv", Home._fields[:-1], (each[:-1] for each in asked))
    _write(folder / "solution.csv", ("id", "price", "Usage"), prices)
    return sold, asked


def _submissions(sold: list[Home], asked: list[Home], to: Path) -> Mapping[str, tuple[Path, str]]:
    """Writes the predictions of simple models: the middle 80 % of the prices of similar homes."""
    models: Mapping[str, tuple[Callable[[Home], tuple[int, int]], str]] = {
        "One range for all": (lambda _: (0, 1), "quantiles of all prices"),
        "Districts": (lambda home: (home.district, 1), "quantiles of the district"),
        "Square metres": (lambda home: (home.district, home.area), "the same per square metre"),
    }
    made = {}
    for team, (group_and_size, note) in models.items():
        groups = defaultdict(list)
        for home in sold:
            group, size = group_and_size(home)
            groups[group].append(home.price / size)
        tenths = {group: quantiles(prices, n=10) for group, prices in groups.items()}
        rows = []
        for home in asked:
            group, size = group_and_size(home)
            rows.append((home.id, round(size * tenths[group][0]), round(size * tenths[group][-1])))
        file = to / f"{team.lower().replace(' ', '_')}.csv"
        _write(file, ("id", "low", "high"), rows)
        made[team] = (file, note)
    return made


def _write(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    lines = (",".join(map(str, row)) for row in (header, *rows))
    file.write_text("".join(f"{line}\n" for line in lines))

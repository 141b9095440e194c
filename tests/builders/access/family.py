"""Competitions by every kind of metric: two truths each, and files for both."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

PEOPLE = range(200, 240)

RELEASED_DIAGNOSTIC = "mrr@6"
"""A diagnostic that no competition has but the one whose board shows it."""


def _usage(person: int) -> str:
    return "Public" if person % 2 else "Private"


@dataclass(frozen=True)
class Kind:
    """A kind of competition. `row` makes the line of a file for a person and a choice: 0 hits the
    one truth, 1 the other; `truth` makes the ground truth for 0 and 1."""

    settings: Mapping[str, Any]
    truth: Callable[[int], str]
    header: str
    row: Callable[[int, int], str]
    bad: str
    unknown: str
    more: Mapping[str, str] = field(default_factory=dict)

    def file(self, choice: int, people: range = PEOPLE) -> str:
        """A whole file of one choice."""
        return self.header + self.rows(choice, people)

    def rows(self, choice: int, people: range) -> str:
        """The lines of some people."""
        return "".join(f"{self.row(person, choice)}\n" for person in people)

    def files(self) -> dict[str, bytes]:
        """The files that are sent to it."""
        good = self.file(0)
        first = self.row(PEOPLE[0], 0)
        texts = {
            "guess of one": good,
            # Only of some people: the best scores under both truths shall differ as well.
            "guess of the other": self.file(1, PEOPLE[:13]) + self.rows(2, PEOPLE[13:]),
            "neither": self.file(2),
            "a person missing": self.file(0, PEOPLE[1:]),
            "unknown": f"{good}{self.unknown}\n",
            "twice": f"{good}{first}\n",
            "bad": good.replace(first, self.bad, 1),
            "no header": good.removeprefix(self.header),
            "cut": good[:-3],
            **self.more,
        }
        archives = {"gzip": gzip.compress(good.encode(), mtime=0)}
        archives["cut gzip"] = archives["gzip"][:-5]
        return {name: text.encode() for name, text in texts.items()} | archives


def _listed(header: str, prefix: str = "") -> Callable[[int], str]:
    def truth(choice: int) -> str:
        rows = (
            f"{person},{prefix}{1000 * (choice + 1) + person},{_usage(person)}\n"
            for person in PEOPLE
        )
        return f"{header},Usage\n" + "".join(rows)

    return truth


def _graded(choice: int) -> str:
    rows = (
        f"{person},{1000 * (choice + 1) + person + item},{grade},{_usage(person)}\n"
        for person in PEOPLE
        for item, grade in ((0, 3 - choice), (1, 1 + choice))
    )
    return "user,item,relevance,Usage\n" + "".join(rows)


def graded_in_private(choice: int) -> str:
    """A ground truth whose private rows alone differ."""
    own, other = (_graded(each).splitlines() for each in (choice, 0))
    lines = (a if a.endswith("Private") else b for a, b in zip(own, other, strict=True))
    return "".join(f"{line}\n" for line in lines)


def _ratings(choice: int) -> str:
    rows = (
        f"{person},{item},{1 + (person + item + choice) % 5},{_usage(person)}\n"
        for person in PEOPLE
        for item in (7, 8)
    )
    return "user,item,rating,Usage\n" + "".join(rows)


def _qrels(choice: int) -> str:
    rows = (
        f"topic{person} 0 doc{1000 * (choice + 1) + person} {1 + choice}\n" for person in PEOPLE
    )
    return "".join(rows)


ONE_OBJECTIVE = Kind(
    settings={"preset": "otto-clicks", "split": "usage"},
    truth=_listed("session,labels"),
    header="session,labels\n",
    row=lambda person, choice: f"{person},{1000 * (choice + 1) + person}",
    bad="200,x",
    unknown="999,7",
)

GRADED = Kind(
    settings={"preset": "ndcg@10", "split": "usage", "diagnostics": ["mrr@5", "hit_rate@3"]},
    truth=_graded,
    header="user,labels\n",
    row=lambda person, choice: (
        f"{person},{1000 * (choice + 1) + person} {1000 * (choice + 1) + person + 1}"
    ),
    bad="200,1.5",
    unknown="999,7",
)

WITH_COLUMNS: dict[str, Any] = {
    **GRADED.settings,
    "diagnostics": ["mrr@5", "hit_rate@3", RELEASED_DIAGNOSTIC],
    "board_diagnostics": [RELEASED_DIAGNOSTIC],
}

KINDS = {
    "one objective": ONE_OBJECTIVE,
    "ladder": replace(ONE_OBJECTIVE, settings={**ONE_OBJECTIVE.settings, "board": "ladder"}),
    "text ids": Kind(
        settings={"preset": "h-and-m", "split": "usage"},
        truth=_listed("customer_id,prediction", "a"),
        header="customer_id,prediction\n",
        row=lambda person, choice: f"{person},a{1000 * (choice + 1) + person}",
        bad='200,"a,b"',
        unknown="zz,a7",
    ),
    "graded": GRADED,
    "columns of the board": replace(GRADED, settings=WITH_COLUMNS),
    "ratings": Kind(
        settings={"preset": "rmse", "split": "usage"},
        truth=_ratings,
        header="user,item,rating\n",
        row=lambda person, choice: "\n".join(
            f"{person},{item},{1 + (person + item + choice) % 5}" for item in (7, 8)
        ),
        bad="200,7,NaN\n200,8,1",
        unknown="200,9,3",
        more={"infinite": "user,item,rating\n200,7,1e999\n"},
    ),
    "runs": Kind(
        settings={
            "preset": "ndcg@10",
            "id_column": "topic",
            "query_ids": "string",
            "item_ids": "string",
            "split": {"public_fraction": 0.5},
        },
        truth=_qrels,
        header="",
        row=lambda person, choice: (
            f"topic{person} Q0 doc{1000 * (choice + 1) + person} 1 2.5 me\n"
            f"topic{person} Q0 doc7 2 1.5 me"
        ),
        bad="topic200 Q0 doc7 1 high me",
        unknown="topic999 Q0 doc7 1 1.5 me",
    ),
    "what is missing is zero": Kind(
        settings={
            "preset": "otto-clicks",
            "split": "usage",
            "missing_rows": "zero",
            "duplicates": "drop",
        },
        truth=_listed("session,labels"),
        header="session,labels\n",
        row=lambda person, choice: f"{person},{1000 * (choice + 1) + person} 7 7",
        bad="200,x",
        unknown="999,7",
        more={"only one": "session,labels\n200,1200\n"},
    ),
}

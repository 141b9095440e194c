"""Contests of random answers, one for each preset that is named after one: the ground truth in the
layout that the contest has published, and a submission with the scores of slow loops."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean
from typing import Any

SIDES = ("Public", "Private")

Score = Callable[[Sequence[str], Sequence[str]], float]
"""The score of an id by its labels and its answer."""

Numbers = Sequence[tuple[str, tuple[float, ...], tuple[float, ...]]]
"""Rows with their group, what is true, and what is answered."""


@dataclass(frozen=True)
class Contest:
    """A ground truth with the column `Usage`, a submission in a form of every competition, and its
    score by split. `published` is the same submission in the layout of the contest, if that is
    another one, and `forms` are those that it takes beside what the preset names. `listed` has the
    published ids where their order matters."""

    truth: str
    submission: str
    scores: tuple[float, float]
    published: str = ""
    forms: tuple[str, ...] = ()
    listed: str = ""


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def mean_precision(k: int, *, is_capped: bool = True) -> Score:
    def score(labels: Sequence[str], answer: Sequence[str]) -> float:
        found = [rank for rank, item in enumerate(answer[:k], 1) if item in labels]
        gains = sum(number / rank for number, rank in enumerate(found, 1))
        return gains / (min(len(labels), k) if is_capped else len(labels))

    return score


def first_hit(k: int) -> Score:
    def score(labels: Sequence[str], answer: Sequence[str]) -> float:
        return next((1 / rank for rank, item in enumerate(answer[:k], 1) if item in labels), 0.0)

    return score


def is_hit(k: int) -> Score:
    return lambda labels, answer: float(bool(set(labels) & set(answer[:k])))


def basket(labels: Sequence[str], answer: Sequence[str]) -> float:
    hits = len(set(labels) & set(answer))
    return 2 * hits / (len(set(labels)) + len(set(answer)))


@dataclass(frozen=True)
class Lists:
    """Random lists: `truth` and `sent` are headers, `rows` says whether a label has its own row,
    and `twice` whether it may have two; `most` is the number of labels, and `length` of items."""

    truth: str
    sent: str
    score: Score
    id: str = "{0}"
    item: str = "{0}"
    rows: bool = True
    twice: bool = False
    most: int = 4
    length: int = 30
    other: Callable[[Iterable[tuple[str, Sequence[str]]]], str] | None = None

    def played(self, rng: random.Random) -> Contest:
        items = [self.item.format(number) for number in range(10, 60)]
        truth, sent, found = [f"{self.truth},Usage"], [], defaultdict(list)
        for number in range(1, 41):
            key, side = self.id.format(number), SIDES[number % 2]
            labels = rng.sample(items, rng.randint(1, self.most))
            answer = rng.sample(items, rng.randint(0, self.length))
            shown = labels if self.rows else [" ".join(labels)]
            truth += [f"{key},{each},{side}" for each in (*shown, *shown[: self.twice])]
            sent.append((key, answer))
            found[side].append(self.score(labels, answer))
        lists = text(self.sent, *(f"{key},{' '.join(answer)}" for key, answer in sent))
        other = self.other(sent) if self.other else ""
        return Contest(
            text(*truth), lists, (fmean(found["Public"]), fmean(found["Private"])), other
        )


def one_a_row(header: str) -> Callable[[Iterable[tuple[str, Sequence[str]]]], str]:
    """The form of an item with its rank in each row."""

    def form(sent: Iterable[tuple[str, Sequence[str]]]) -> str:
        rows = [
            f"{key},{item},{rank}"
            for key, answer in sent
            for rank, item in enumerate(answer or [""], 1)
        ]
        return text(header, *rows)

    return form


def without_ids(sent: Iterable[tuple[str, Sequence[str]]]) -> str:
    """The form of a list in each line, in the order of the ids."""
    return text(*(" ".join(answer) for _, answer in sent))


def otto(rng: random.Random) -> Contest:
    truth, sent = ["session,type,aid,Usage"], ["session_type,labels"]
    hits: dict[tuple[str, str], int] = defaultdict(int)
    most: dict[tuple[str, str], int] = defaultdict(int)
    for number in range(1, 41):
        side = SIDES[number % 2]
        for name, count in (("clicks", 1), ("carts", 3), ("orders", 24)):
            labels = rng.sample(range(100), rng.randint(1, count))
            answer = rng.sample(range(100), rng.randint(0, 30))
            truth += [f"{number},{name},{label},{side}" for label in labels]
            sent.append(f"{number}_{name},{' '.join(map(str, answer))}")
            hits[side, name] += len(set(labels) & set(answer[:20]))
            most[side, name] += min(20, len(labels))
    weights = {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
    public, private = (
        sum(weight * hits[side, name] / most[side, name] for name, weight in weights.items())
        for side in SIDES
    )
    return Contest(text(*truth), text(*sent), (public, private))


def rmse(rows: Numbers) -> float:
    return sqrt(fmean((right[0] - given[0]) ** 2 for _, right, given in rows))


def log_loss(rows: Numbers) -> float:
    return -fmean(log(given[0] if right[0] else 1 - given[0]) for _, right, given in rows)


def normalized(rows: Numbers) -> float:
    rate = fmean(right[0] for _, right, _ in rows)
    return log_loss(rows) / -(rate * log(rate) + (1 - rate) * log(1 - rate))


def area(rows: Numbers) -> float:
    """The share of pairs of a hit and another row that are in order; half for equal numbers."""
    hits = [given[0] for _, right, given in rows if right[0]]
    others = [given[0] for _, right, given in rows if not right[0]]
    return fmean((a > b) + (a == b) / 2 for a in hits for b in others)


def grouped(score: Callable[[Numbers], float]) -> Callable[[Numbers], float]:
    """The mean over groups with hits and others."""

    def mean(rows: Numbers) -> float:
        groups: dict[str, list[tuple[str, tuple[float, ...], tuple[float, ...]]]]
        groups = defaultdict(list)
        for row in rows:
            groups[row[0]].append(row)
        whole = [each for each in groups.values() if 0 < sum(r[0] for _, r, _ in each) < len(each)]
        return fmean(map(score, whole))

    return mean


def each_target(score: Callable[[Numbers], float]) -> Callable[[Numbers], float]:
    """The mean over targets, each scored alone."""

    def mean(rows: Numbers) -> float:
        targets = range(len(rows[0][1]))
        return fmean(score([(g, right[n:][:1], given[n:][:1]) for g, right, given in rows])
                     for n in targets)  # fmt: skip

    return mean


def _curve(rows: Numbers) -> list[tuple[float, float]]:
    """Recall and precision at each number that is answered, the largest first."""
    hits = sum(right[0] for _, right, _ in rows)
    points = []
    for least in sorted({given[0] for _, _, given in rows}, reverse=True):
        taken = [right[0] for _, right, given in rows if given[0] >= least]
        points.append((sum(taken) / hits, fmean(taken)))
    return points


def average_precision(rows: Numbers) -> float:
    total, before = 0.0, 0.0
    for recall, precision in _curve(rows):
        total += (recall - before) * precision
        before = recall
    return total


def trapezoid(rows: Numbers) -> float:
    total, before = 0.0, (0.0, 1.0)
    for point in _curve(rows):
        total += (point[0] - before[0]) * (point[1] + before[1]) / 2
        before = point
    return total


@dataclass(frozen=True)
class Rows:
    """Random numbers by id, or by pair: the columns of the ids in the truth and in a submission, a
    format of each column from the numbers of group and row, and names of the targets. `other`
    makes the published layout, for which the competition takes `forms`; where `is_listed`, the
    contest publishes the order of its ids."""

    ids: str
    targets: str
    score: Callable[[Numbers], float]
    format: Mapping[str, str]
    stars: bool = False
    group: str = ""
    other: Callable[[Sequence[tuple[tuple[str, ...], tuple[float, ...]]]], str] | None = None
    forms: tuple[str, ...] = ()
    is_listed: bool = False

    def played(self, rng: random.Random) -> Contest:
        names, targets = self.ids.split(","), self.targets.split(",")
        head = [self.ids, self.targets, *filter(None, [self.group]), "Usage"]
        truth, sent, found = [",".join(head)], [], defaultdict(list)
        for unit in range(1, 41):
            side, share = SIDES[unit % 2], str(unit // 2 % 2 + 1)
            # No two alike in a group, since ranks have no ties.
            drawn = iter(rng.sample(range(1, 100), 5 * len(targets)))
            for place in range(5):
                key = tuple(self.format[name].format(unit, place) for name in names)
                right = tuple(float(self._true(rng)) for _ in targets)
                given = tuple(next(drawn) / 100 for _ in targets)
                about = [share] if self.group else []
                truth.append(",".join([*key, *(f"{each:g}" for each in right), *about, side]))
                sent.append((key, given))
                found[side].append((share if self.group else key[0], right, given))
        rows = [",".join([*key, *(f"{each:g}" for each in given)]) for key, given in sent]
        scores = self.score(found["Public"]), self.score(found["Private"])
        other = self.other(sent) if self.other else ""
        listed = text(self.ids, *(",".join(key) for key, _ in sent)) if self.is_listed else ""
        submission = text(f"{self.ids},{self.targets}", *rows)
        return Contest(text(*truth), submission, scores, other, self.forms, listed)

    def _true(self, rng: random.Random) -> int:
        return rng.randint(1, 5) if self.stars else rng.randint(0, 1)


Sent = Sequence[tuple[tuple[str, ...], tuple[float, ...]]]


def no_header(sent: Sent) -> str:
    """Tweet, user and numbers in each line."""
    return text(*(f"{b},{a},{','.join(map(str, given))}" for (a, b), given in sent))


def one_target(sent: Sent) -> str:
    """The first of the four files, one for each target."""
    return text(*(f"{b},{a},{given[0]}" for (a, b), given in sent))


def tabs(sent: Sent) -> str:
    rows = [f"{key[0]}\t0.5\t{given[0]}" for key, given in sent]
    return text("RowId\tis_clicked\tis_installed", *rows)


def blocks(sent: Sent) -> str:
    """Movies, each with the ratings of its customers."""
    movies: dict[str, list[str]] = defaultdict(list)
    for (_, movie), given in sent:
        movies[movie].append(str(given[0]))
    return text(*(line for movie, rated in movies.items() for line in (f"{movie}:", *rated)))


def ranks(sent: Sent) -> str:
    """The rank of each candidate of an impression."""
    slates: dict[str, list[float]] = defaultdict(list)
    for key, given in sent:
        slates[key[0]].append(given[0])
    lines = []
    for slate, numbers in slates.items():
        best = sorted(range(len(numbers)), key=lambda at: -numbers[at])
        of_each = [best.index(at) + 1 for at in range(len(numbers))]
        lines.append(f"{slate} [{','.join(map(str, of_each))}]")
    return text(*lines)


_TWEETS = {"user_id": "U{0:04X}", "tweet_id": "T{0:02X}{1}"}
_RANKS: Mapping[str, Any] = {"other": ranks, "forms": ("candidate-ranks",), "is_listed": True}
_IMPRESSIONS = {"impression_id": "{0}", "news_id": "N{0}{1}", "article_id": "97{0}{1}"}

CONTESTS: Mapping[str, Callable[[random.Random], Contest]] = {
    "otto": otto,
    "otto-clicks": Lists(
        "session,labels", "session,labels", is_hit(20), rows=False, most=1
    ).played,
    "h-and-m": Lists(
        "customer_id,article_id", "customer_id,prediction", mean_precision(12),
        id="00007d2d{0:04x}", item="07060160{0}", twice=True, most=15,
    ).played,
    "expedia-hotels": Lists("id,hotel_cluster", "id,hotel_cluster", mean_precision(5), most=1,
                            rows=False).played,
    "santander-products": Lists("ncodpers,added_products", "ncodpers,added_products",
                                mean_precision(7), item="ind_{0}_ult1", rows=False).played,
    "million-song": Lists("user,song", "user,songs", mean_precision(500), other=without_ids).played,
    "polimi": Lists("user_id,item_id", "user_id,item_list", mean_precision(10), most=14).played,
    "movielens-leave-one-out": Lists("user,item", "user,labels", is_hit(10), most=1).played,
    "movielens-als": Lists(
        "user,item", "user,labels", mean_precision(10, is_capped=False), most=14
    ).played,
    "instacart": Lists("order_id,product_id", "order_id,products", basket).played,
    "recsys-2022": Lists("session_id,item_id", "session_id,item_ids", first_hit(100), most=1,
                         other=one_a_row("session_id,item_id,rank")).played,
    "kdd-cup-2023": Lists("session,next_item", "session,next_item_prediction", first_hit(100),
                          item="B09W9FND{0}", most=1).played,
    "netflix-prize": Rows("customer_id,movie_id", "rating", rmse,
                          {"customer_id": "{0}", "movie_id": "{1}"}, stars=True,
                          other=blocks).played,
    "yelp": Rows("user_id,business_id", "stars", rmse,
                 {"user_id": "u{0}", "business_id": "b{1}"}, stars=True).played,
    "recsys-2020": Rows("user_id,tweet_id", "reply,retweet,retweet-with-comment,like",
                        each_target(trapezoid), _TWEETS, other=one_target).played,
    "recsys-2021": Rows("user_id,tweet_id", "reply,retweet,quote,like",
                        each_target(grouped(average_precision)), _TWEETS, group="popularity",
                        other=no_header).played,
    "recsys-2023": Rows("RowId", "is_installed", normalized, {"RowId": "{0}{1}"},
                        other=tabs).played,
    "mind": Rows("impression_id,news_id", "score", grouped(area), _IMPRESSIONS, **_RANKS).played,
    "recsys-2024": Rows("impression_id,article_id", "score", grouped(area), _IMPRESSIONS,
                        **_RANKS).played,
    "kkbox-churn": Rows("msno", "is_churn", log_loss, {"msno": "ugx0CjOMz+/{0}{1}="}).played,
    "kkbox-music": Rows("id", "target", area, {"id": "{0}{1}"}).played,
    "criteo": Rows("Id", "Predicted", log_loss, {"Id": "6{0}{1}"}).played,
    "avazu": Rows("id", "click", log_loss, {"id": "100001740588092{0:04}{1}"}).played,
}  # fmt: skip
"""The contests by their presets."""

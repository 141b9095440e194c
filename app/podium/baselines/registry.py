"""The baselines by name, as values. The libraries that they learn with are extras, and are loaded
when one learns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any, Protocol, TypeVar

from podium.errors import NotConfigured
from podium.otto.shape import LIST_LENGTH
from podium.preparation.described import About

Model = TypeVar("Model", covariant=True)


@dataclass(frozen=True)
class Hyperparameters:
    """Settings of all baselines; each has its own. `memory` is the available memory in bytes; None
    if unknown. Raises `NotConfigured` for infinite numbers."""

    length: int = LIST_LENGTH
    memory: int | None = None
    binary: Annotated[bool, About("Count every pair of user and item as 1")] = False
    newest: Annotated[float, About("The share of newest interactions", least=0, most=1)] = 0.1
    neighbors: Annotated[int, About("How many of the nearest", least=1)] = 50
    popular_items: Annotated[int, About("How many of the most popular items", least=1)] = 10_000
    factors: Annotated[int, About("How many factors", least=1, most=1024)] = 20
    alpha: Annotated[float, About("An interaction of value r has confidence 1 + α·r", least=0)] = 15
    regularization: Annotated[float, About("λ", least=0)] = 0.01
    iterations: Annotated[int, About("Rounds", least=1)] = 15
    learning_rate: Annotated[float, About("The size of a step", least=0)] = 0.01
    seed: Annotated[int, About("Another seed, other lists", least=0, most=2**32 - 1)] = 42

    def __post_init__(self) -> None:
        for name in ("newest", "alpha", "regularization", "learning_rate"):
            if not math.isfinite(getattr(self, name)):
                raise NotConfigured(f"--{name.replace('_', '-')} is a finite number.")


class Learnable(Protocol[Model]):
    """Data that a baseline learns from, with the queries to answer."""

    def learned(self, learn: Any, settings: Hyperparameters) -> Model:  # noqa: ANN401 - their own
        """Learns by a function for this kind of data."""


@dataclass(frozen=True)
class Baseline:
    """A recommender: its learning function, as `module:function` below this package; the extra with
    its libraries; its hyperparameters, and its own defaults of them."""

    name: str
    place: str
    extra: str
    own: tuple[str, ...] = ()
    defaults: Mapping[str, float] = field(default_factory=dict)

    def learned(
        self,
        data: Learnable[Model],
        given: Mapping[str, Any] = MappingProxyType({}),
        *,
        length: int = LIST_LENGTH,
        memory: int | None = None,
    ) -> Model:
        """Learns with the hyperparameters `given`; returns a model whose `rows` are a submission,
        with lists of this length. Raises `NotConfigured` for hyperparameters of others."""
        for key in given:
            if key not in self.own:
                meant = [each.name for each in USERS_ITEMS.values() if key in each.own]
                option = f"--{key.replace('_', '-')}"
                raise NotConfigured(
                    f"{option} goes with {' or '.join(meant)}, and not with {self.name}."
                )
        module, _, function = self.place.partition(":")
        learn = getattr(import_module(f"{__package__}.{module}"), function)
        settings = Hyperparameters(length, memory, **{**self.defaults, **given})
        return data.learned(learn, settings)

    def default_of(self, name: str) -> float:
        """Returns the default of a hyperparameter."""
        return self.defaults.get(name, getattr(Hyperparameters, name))


_OF_ALS = ("factors", "alpha", "regularization", "iterations", "seed", "binary")
_OF_BPR = ("factors", "learning_rate", "regularization", "iterations", "seed")
_OF_NEIGHBORS = ("neighbors", "binary")

SESSIONS: Mapping[str, Baseline] = {
    each.name: each
    for each in (
        Baseline("popular", "sessions.simple:popular", "score"),
        Baseline("recent", "sessions.simple:recent", "score"),
        Baseline("random", "sessions.simple:random", "score"),
        Baseline("covisitation", "sessions.covisitation:covisitation", "score"),
        Baseline("als", "sessions.factors:als", "als"),
    )
}
"""Those that learn from `SessionFiles`."""

USERS_ITEMS: Mapping[str, Baseline] = {
    each.name: each
    for each in (
        Baseline("popular", "matrix.popularity:popular", "baselines"),
        Baseline("recent", "matrix.popularity:recent", "baselines", ("newest",)),
        Baseline("random", "matrix.popularity:random", "baselines", ("seed",)),
        Baseline("item-knn", "matrix.neighbors:item_knn", "baselines", _OF_NEIGHBORS),
        Baseline("user-knn", "matrix.neighbors:user_knn", "baselines", _OF_NEIGHBORS),
        Baseline("als", "matrix.factors:als", "als", _OF_ALS),
        Baseline("bpr", "matrix.factors:bpr", "als", _OF_BPR, {"iterations": 50}),
        Baseline(
            "ease",
            "matrix.ease:ease",
            "baselines",
            own=("popular_items", "regularization", "binary"),
            defaults={"regularization": 250},
        ),
    )
}
"""Those that learn from `UsersItems`."""

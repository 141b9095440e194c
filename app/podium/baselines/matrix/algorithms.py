"""Lists the algorithms by name, and the hyperparameters that each uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from podium.baselines.matrix.ease import ease
from podium.baselines.matrix.factors import als, bpr
from podium.baselines.matrix.model import Hyperparameters, Learn
from podium.baselines.matrix.neighbors import item_knn, user_knn
from podium.baselines.matrix.popularity import popular, random, recent
from podium.errors import NotConfigured

AlgorithmName = Literal["popular", "recent", "random", "item-knn", "user-knn", "als", "bpr", "ease"]


@dataclass(frozen=True)
class Algorithm:
    """A learning function, and the hyperparameters that it uses with their default values."""

    learn: Learn
    own: Mapping[str, float] = field(default_factory=dict)


ALGORITHMS: Mapping[AlgorithmName, Algorithm] = {
    "popular": Algorithm(popular),
    "recent": Algorithm(recent, {"newest": 0.1}),
    "random": Algorithm(random, {"seed": 42}),
    "item-knn": Algorithm(item_knn, {"neighbors": 50, "binary": False}),
    "user-knn": Algorithm(user_knn, {"neighbors": 50, "binary": False}),
    "als": Algorithm(
        als,
        {
            "factors": 20,
            "alpha": 15,
            "regularization": 0.01,
            "iterations": 15,
            "seed": 42,
            "binary": False,
        },
    ),
    "bpr": Algorithm(
        bpr,
        {
            "factors": 20,
            "learning_rate": 0.01,
            "regularization": 0.01,
            "iterations": 50,
            "seed": 42,
        },
    ),
    "ease": Algorithm(ease, {"popular_items": 10_000, "regularization": 250, "binary": False}),
}


def hyperparameters_for(
    name: AlgorithmName, given: Mapping[str, Any], *, length: int, memory: int | None
) -> Hyperparameters:
    """Merges the given hyperparameters of an algorithm with its defaults. Raises `NotConfigured`
    for one that it does not use. `memory` is the available memory in bytes; None if unknown."""
    own = ALGORITHMS[name].own
    chosen = {key: value for key, value in given.items() if value is not None}
    for key in chosen.keys() - own.keys():
        meant = [other for other, each in ALGORITHMS.items() if key in each.own]
        option = f"--{key.replace('_', '-')}"
        raise NotConfigured(f"{option} goes with {' or '.join(meant)}, and not with {name}.")
    return Hyperparameters(length=length, memory=memory, **{**own, **chosen})

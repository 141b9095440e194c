"""Corrected probabilities of many comparisons, as statsmodels corrects them."""

from __future__ import annotations

import random

import pytest
from statsmodels.stats.multitest import multipletests

from podium.scoring.uncertainty import holm


@pytest.mark.parametrize("seed", range(8))
def test_holm_is_that_of_statsmodels(seed: int) -> None:
    rng = random.Random(seed)
    p_values = [rng.random() ** rng.choice((1, 4)) for _ in range(rng.randint(1, 12))]
    expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected), rel=1e-12)

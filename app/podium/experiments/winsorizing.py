"""Winsorizes columns: amounts above a quantile of all users are replaced by that quantile."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from podium.experiments.amounts import Amounts
from podium.scoring.problems import Code, FileRejected, quoted


@dataclass(frozen=True, slots=True)
class Cap:
    """The cap of a column, and how many users had more."""

    column: str
    value: float
    users: int


def winsorized(amounts: Amounts, quantile: float) -> tuple[Amounts, tuple[Cap, ...]]:
    """Caps the amounts of each column. The quantile is that of all groups together, interpolated
    linearly, so that all groups have the same cap. Raises FileRejected where nothing would be left.
    """
    columns, caps = {}, []
    for name, groups in amounts.columns.items():
        together = np.concatenate(groups)
        cap = float(np.quantile(together, quantile))
        if cap == together.min() < together.max():
            detail = f"so many users have the least amount of {quoted(name)} that its quantile"
            detail += f" {quantile:g} is {cap:g}, too: all others would count as that"
            hint = "Winsorize at a larger quantile, or not at all."
            raise FileRejected.because(Code.BAD_NUMBER, detail, column=name, hint=hint)
        columns[name] = tuple(np.minimum(group, cap) for group in groups)
        caps.append(Cap(name, cap, int((together > cap).sum())))
    return replace(amounts, columns=columns), tuple(caps)

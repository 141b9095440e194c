"""Escapes cells of CSV files, which people open with programs that run formulas."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet would compute, or run."""


def harmless(cell: str) -> str:
    """Prefixes a cell that a spreadsheet would take for a formula.

    >>> harmless("=1+1"), harmless("Team 7")
    ("'=1+1", 'Team 7')
    """
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell

"""Formats scores with the digits that a competition displays."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_of_errors
from podium.standings.rules import shown_number, shown_units


def shown_score(score: Fraction, settings: CompetitionSettings) -> Decimal:
    """Rounds the score to the competition's digits; errors, which are stored negative, become
    positive."""
    units = shown_units(score, settings.decimals)
    return shown_number(units, settings.decimals, of_errors=is_of_errors(settings))

"""The lines of the launch checklist about competitions of tables that built-in metrics score."""

from __future__ import annotations

from podium.materials.rules.checks import Check
from podium.sandbox.definitions.launches import Probed


def table_checks(probed: Probed) -> list[Check]:
    """The checks of perfect and constant answers, and of true answers in other rows."""
    return [
        Check(
            "perfect-file",
            "A file of the true answers is at least as good as any other that was tried.",
            "A file of the true answers is not the best. Look whether the columns take all values"
            " of the solution, and whether the metric suits them.",
            probed.perfect_is_optimal,
        ),
        Check(
            "empty-file",
            "The sample file, with the same values in every row, scores worse.",
            "The sample file, with the same values in every row, is as good as the true answers:"
            " there is nothing to tell apart.",
            probed.empty_is_worst,
        ),
        Check(
            "defined-metrics",
            "Every metric is defined on both splits.",
            f"No file could be judged: {probed.undefined}. Leave that metric out of the"
            " diagnostics, or upload another ground truth.",
            not probed.undefined,
        ),
    ]

"""Explanations of errors: the metric files of organizers."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.BAD_METRIC_FILE: Explanation(
        "Metric file rejected",
        "The file was loaded in the sandbox, its function looked at and its doctests run; “errors”"
        " names what is wrong, with its line.",
        "Correct the file and upload it again.",
    ),
    ErrorCode.METRIC_ARGUMENTS: Explanation(
        "Arguments do not fit the metric",
        "The settings give the metric's function an argument that it does not take, that has"
        " another type, or lack one that it needs.",
        "Compare “own_metric.arguments” with the arguments of the metric file's version.",
    ),
    ErrorCode.METRIC_CHECKING: Explanation(
        "Another metric file is being checked",
        "A competition's metric files are checked one after the other.",
        "Wait as long as Retry-After says, and upload it again.",
    ),
    ErrorCode.METRIC_TRUST: Explanation(
        "The archive brings code",
        "The competition is scored by a metric file, and importing it would let this server run"
        " that code, in the sandbox.",
        "If you trust who wrote it, import the archive once more with “trust_metric=true”.",
    ),
    ErrorCode.METRICS_OFF: Explanation(
        "Organizers' metrics are off",
        "This installation runs no code of organizers.",
        "Use a built-in metric, or ask the operator to set PODIUM_ORGANIZER_METRICS=on.",
    ),
    ErrorCode.NOT_A_TABLE: Explanation(
        "Only tables have metric files",
        "The competition's task is not “table”, and its metrics are built in.",
        "Choose one of the built-in metrics, or create a competition with the task “table”.",
    ),
    ErrorCode.UNKNOWN_METRIC_VERSION: Explanation(
        "Unknown version of the metric",
        "The competition has no stored metric file of this version.",
        "Look at its versions, or upload the file first.",
    ),
}

"""Scores as `podium score` reports them: as a document, as text, and for the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.cli.offline.results.note_words import noted
from podium.scoring.engine import engine_of
from podium.scoring.metrics import metric_of

if TYPE_CHECKING:
    from podium.scoring.engine import Truth
    from podium.scoring.scores.result import ScoreResult, SplitScore
    from podium.scoring.task import Task


def document_of(scored: ScoreResult, truth: Truth) -> dict[str, Any]:
    """Returns the document of a score whose truth is a single split."""
    whole, task = scored.splits["all"], truth.task
    metrics, counted = _metrics(whole, task), engine_of(task).counted
    return {
        "status": "scored",
        "score": float(whole.shown(task)),
        "standard_error": whole.standard_error,
        "objectives": {
            name: {"score": float(whole.values[name]), **counted(whole, truth, name)}
            for name in task.names
        },
        "metrics": {name: value for name, (value, _) in metrics.items()},
        "standard_errors": {name: error for name, (_, error) in metrics.items()},
        **({"notes": whole.notes} if whole.notes else {}),
        "counts": dict(scored.counts),
        **({"form": scored.form} if scored.form else {}),
        **({"lists": scored.lists.to_dict()} if scored.lists else {}),
    }


def flat(document: dict[str, Any], task: Task) -> dict[str, str]:
    """Returns the score, the objectives, the metrics, the counts and the notes as lines of text."""
    lines = {"score": str(document["score"])}
    lines |= {name: _counted(part) for name, part in document["objectives"].items() if name}
    for name, value in document["metrics"].items():
        error = document["standard_errors"][name]
        lines[name] = str(value) if error is None else f"{value}  (standard error {error:.2g})"
    lines |= {name: str(count) for name, count in document["counts"].items()}
    if "form" in document:
        lines["form"] = document["form"]
    notes = noted(document, task)
    return lines | ({"notes": "; ".join(notes)} if notes else {})


def _counted(part: dict[str, Any]) -> str:
    # Pairs have no counts.
    counted = f"  ({part['hits']} of {part['denominator']})" if part["denominator"] else ""
    return f"{part['score']}{counted}"


def _metrics(whole: SplitScore, task: Task) -> dict[str, tuple[float, float | None]]:
    """Returns each metric's weighted value and standard error: the one that scores, if it is a
    single one, and the diagnostics. By name, or by id if two averages of a metric are requested."""
    figures: dict[str, tuple[float, float | None]] = {}
    scoring = {objective.metric for objective in task.objectives}
    if len(scoring) == 1:
        figures[scoring.pop()] = float(whole.shown(task)), whole.standard_error
    for metric in task.diagnostics:
        error = whole.diagnostic_errors[metric]
        figures.setdefault(metric, (float(whole.diagnostic(metric, task)), error))
    names = [metric_of(metric).name for metric in figures]
    return {
        name if names.count(name) == 1 else metric: figure
        for name, (metric, figure) in zip(names, figures.items(), strict=True)
    }


def kept(document: dict[str, Any], task: Task) -> dict[str, Any]:
    """Returns the objectives and metrics of a score, and the values of further metrics by id, for
    the history."""
    scoring = tuple(dict.fromkeys(each.metric for each in task.objectives))
    # If objectives have several metrics, none of them alone is the score.
    alone = scoring if len(scoring) == 1 else ()
    shown = dict.fromkeys((*alone, *task.diagnostics))
    values = dict(zip(shown, document["metrics"].values(), strict=True))
    further = {metric: value for metric, value in values.items() if metric not in scoring}
    objectives = [
        {"name": each.name, "weight": str(each.weight), "metric": each.metric}
        for each in task.objectives
    ]
    return {"metric": " ".join(scoring), "objectives": objectives, "further": further}

"""The history as a document: one row per submission, or per run without one, with local and public
scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from podium.cli.history.choosing import (
    against,
    chosen_competition,
    chosen_measure,
    elsewhere,
    left_out,
    played,
)
from podium.cli.history.entries import Entry
from podium.cli.history.figures import (
    Measure,
    figures_of,
    labels_of,
    names_of,
    titles_of,
    with_objectives,
)

Row = dict[str, Any]


def document_of(
    found: list[Entry], competition: str | None, server: str | None, truth: str | None
) -> tuple[dict[str, Any], list[Row], list[str]]:
    """Returns the document, with one row per submission, or per run without one, the latest last;
    the rows that have both scores, only the last one of each run, so that no file counts twice; and
    sentences about what is not shown. Shows the scores of one ground truth and of one
    competition."""
    every_score = with_objectives(entry for entry in found if entry["kind"] == "score")
    every_sent = [entry for entry in found if entry["kind"] == "submission"]
    named = every_score if truth is None else against(every_score, truth)
    chosen = chosen_competition(every_sent, competition, server)
    others = [entry for entry in every_sent if played(entry) != chosen]
    # Later lines replace earlier ones of the same submission.
    sent = list({each["id"]: each for each in every_sent if played(each) == chosen}.values())
    there: str | None = next(iter(_values_of(sent, "metric")), None)
    measured = chosen_measure(named, sent, others, metric=there, is_named=truth is not None)
    local = [each for each in named if measured and each["truth_sha256"] == measured.truth_sha256]
    every = [_rows(run) for run in _runs(sorted(local + sent, key=lambda entry: entry["at"]))]
    names = names_of(local)
    titles = titles_of(names)
    for row in chain.from_iterable(every):
        _show_figures(row, measured, titles)
    labels = labels_of(every_score)
    document = {
        "server": chosen[0] if chosen else None,
        "competition": chosen[1] if chosen else None,
        "truth": labels[measured.truth_sha256] if measured else None,
        "truth_sha256": measured.truth_sha256 if measured else None,
        "measure": names[measured] if measured else None,
        "metric": measured.metric if measured else None,
        "title": titles[measured] if measured else None,
        "metrics": [titles[each] for each in titles if each != measured],
        "competition_metric": there,
        "metrics_differ": _differ(measured, local, there),
        "decimals": _decimals(sent),
        "scores_read_at": _read_at(found, sent),
        "runs": sorted(chain.from_iterable(every), key=_age),
    }
    other_scores = left_out(named, measured, labels)
    other_servers = elsewhere(every_sent, *(chosen or (server, competition)))
    hidden = [each for each in (other_scores, other_servers) if each]
    return document, [complete[-1] for complete in map(_complete, every) if complete], hidden


def _show_figures(row: Row, measured: Measure | None, titles: Mapping[Measure, str]) -> None:
    figures = row.pop("figures")
    row["local"] = figures.get(measured)
    row["metrics"] = {titles[measure]: value for measure, value in figures.items()}


def _age(row: Row) -> tuple[str, str]:
    """Returns a sort key: the time, then the submission's id, which grows with time."""
    return row["at"], row["submission_id"] or ""


def _complete(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["local"] is not None and row["public"] is not None]


def _runs(found: list[Entry]) -> list[list[Entry]]:
    """Groups entries with the same bytes or the same note, in the order of each run's last entry.

    The file that is scored at home often has other sessions than the submitted one, so that only
    the note shows that both come from one model.
    """
    noted = {entry["sha256"]: entry["note"] for entry in found if entry["note"]}
    by_name: dict[str, list[Entry]] = {}
    for entry in found:
        name = entry["note"] or noted.get(entry["sha256"]) or entry["sha256"]
        by_name[name] = [*by_name.pop(name, []), entry]
    return list(by_name.values())


def _rows(run: list[Entry]) -> list[Row]:
    """Returns a run's submissions, or its files if nothing was submitted, each with the last
    figures of its file, or else of the run."""
    local = [entry for entry in run if entry["kind"] == "score"]
    sent = [entry for entry in run if entry["kind"] == "submission"]
    note = next((entry["note"] for entry in reversed(run) if entry["note"]), "")
    rows = []
    for entry in sent or {each["sha256"]: each for each in run}.values():
        own = [each for each in local if each["sha256"] == entry["sha256"]]
        rows.append(
            {
                "at": entry["at"],
                "file": entry["file"],
                "note": note,
                "sha256": entry["sha256"],
                "local": None,
                "metrics": {},
                "figures": _figures(local) | _figures(own),
                "public": entry.get("public_score"),
                "private": entry.get("private_score"),
                "status": entry.get("status"),
                "submission_id": entry["id"] if sent else None,
            }
        )
    return rows


def _figures(local: Iterable[Entry]) -> dict[Measure, float]:
    """Returns all figures of some local scores, of each measure the last."""
    found: dict[Measure, float] = {}
    for entry in local:
        found |= figures_of(entry)
    return found


def _values_of(sent: Sequence[Entry], name: str) -> list[Any]:
    """Returns all values of a member of these submissions that the server has sent, the last
    first."""
    return [entry[name] for entry in reversed(sent) if entry.get(name) is not None]


def _differ(measured: Measure | None, local: Iterable[Entry], there: str | None) -> bool:
    """True if the metrics here and on the server are known to differ."""
    if measured is None or there is None or measured.is_of(there):
        return False
    return any(entry.get("metric") for entry in local if measured in figures_of(entry))


def _decimals(sent: Sequence[Entry]) -> int:
    """Returns the decimals of public scores: those of the competition, or the most that any score
    has."""
    for decimals in _values_of(sent, "decimals"):
        return int(decimals)
    scores = _values_of(sent, "public_score") + _values_of(sent, "private_score")
    texts = [f"{score:.12f}".rstrip("0") for score in scores]
    return max((len(text.partition(".")[2]) for text in texts), default=0)


def _read_at(found: Iterable[Entry], sent: Sequence[Entry]) -> str | None:
    """Returns the time since which no submission's scores were read; None without submissions."""
    if not sent:
        return None
    place = played(sent[-1])
    readings = [each["at"] for each in found if each["kind"] == "reading" and played(each) == place]
    last = max(readings, default="")
    times: list[str] = [max(entry.get("read_at") or entry["at"], last) for entry in sent]
    return min(times)

"""Chooses the local scores to show beside a competition's public ones: those against the ground
truth that pairs with its submissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from podium.cli.history.entries import Entry, sha256_of
from podium.cli.history.figures import HASH_SHOWN, Measure, figures_of, labels_of, measure_of
from podium.errors import NotConfigured
from podium.errors.spelling import did_you_mean

UNPAIRED = ("rejected", "cancelled")
"""States of submissions that say nothing about their competition's scores: they may have been meant
for another one."""

MAX_NAMED = 5


def played(entry: Entry) -> tuple[str, str]:
    """Returns the server and the competition of a submission."""
    return entry["url"], entry["competition"]


def chosen_competition(
    sent: Sequence[Entry], slug: str | None, server: str | None
) -> tuple[str, str] | None:
    """Returns the server and the competition of the last matching submission: to the competition of
    this slug, on this server, if these are given."""
    of_slug = [entry for entry in sent if slug in (None, entry["competition"])]
    found = [entry for entry in of_slug if server in (None, entry["url"])]
    return played(found[-1]) if found else None


def elsewhere(sent: Sequence[Entry], server: str | None, slug: str | None) -> str | None:
    """Returns a sentence about submissions to the competition of this slug on other servers; None
    if there are none."""
    found = {entry["id"]: entry["url"] for entry in sent if entry["competition"] == slug}
    counts = Counter(url for url in found.values() if url != server)
    if not counts:
        return None
    named = ", ".join(
        f"{count} submission{'' if count == 1 else 's'} at {url}" for url, count in counts.items()
    )
    first = next(iter(counts))
    return f"Of {slug} not shown: {named}. `PODIUM_URL={first} podium runs {slug}` shows them."


def chosen_measure(
    local: Sequence[Entry],
    sent: Sequence[Entry],
    others: Sequence[Entry],
    *,
    metric: str | None,
    is_named: bool,
) -> Measure | None:
    """Returns the measure of the local scores to show beside the public ones of the submissions
    `sent`, to a competition with this metric.

    Preferred are ground truths against which any of these was scored here, by the same file or the
    same note; among them a measure with the competition's metric, then the one with most of the
    submissions, then the one used last. If there is no such ground truth: the last one if the
    ground truth is named or nothing was submitted at all, else the only one that pairs with no
    submission to `others`; None if several remain.
    """
    last: dict[Measure, tuple[int, bool]] = {}
    for place, entry in enumerate(local):
        scored = measure_of(entry)
        last |= {measure: (place, measure == scored) for measure in figures_of(entry)}
    if not last:
        return None
    beside = {measure: _paired(_scored_by(measure, local), sent) for measure in last}
    paired = {measure.truth_sha256 for measure, (by_any, _) in beside.items() if by_any}

    def rank(measure: Measure) -> tuple[object, ...]:
        is_own = measure.is_of(metric)
        return measure.truth_sha256 in paired, is_own, beside[measure], last[measure]

    best = max(last, key=rank)
    if is_named or not (sent or others) or best.truth_sha256 in paired:
        return best
    free = [each for each in last if not any(_paired(_against(each, local), others))]
    free = [each for each in free if each.is_of(metric)] or free
    is_one_truth = len({each.truth_sha256 for each in free}) == 1
    return max(free, key=rank) if is_one_truth else None


def _scored_by(measure: Measure, local: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in local if measure in figures_of(entry)]


def _against(measure: Measure, local: Iterable[Entry]) -> list[Entry]:
    """Returns the local scores against the ground truth of a measure."""
    return [entry for entry in local if entry["truth_sha256"] == measure.truth_sha256]


def _paired(scored: Sequence[Entry], sent: Sequence[Entry]) -> tuple[int, int]:
    """Counts the submitted files that were scored here: by the same bytes or note, and by the bytes
    alone."""
    taken = [entry for entry in sent if entry["status"] not in UNPAIRED]
    hashes = {entry["sha256"] for entry in scored}
    notes = {entry["note"] for entry in scored} - {""}
    by_file = {entry["sha256"] for entry in taken if entry["sha256"] in hashes}
    by_note = {entry["sha256"] for entry in taken if entry["note"] in notes}
    return len(by_file | by_note), len(by_file)


def against(local: Sequence[Entry], truth: str) -> list[Entry]:
    """Returns the local scores against the named ground truth: a path, a file name, or the first
    digits of the SHA-256. Raises `NotConfigured` if there are none."""
    path = Path(truth)
    if path.is_file():
        sha256 = sha256_of(path)
        if found := [entry for entry in local if entry["truth_sha256"] == sha256]:
            return found
    if found := [entry for entry in local if entry["truth"] == truth]:
        return found
    if len(truth) >= HASH_SHOWN and (
        found := [entry for entry in local if entry["truth_sha256"].startswith(truth.lower())]
    ):
        return found
    what = "it as it is now" if path.is_file() else "a ground truth of that name or hash"
    known = dict.fromkeys(entry["truth"] for entry in local)
    remedy = did_you_mean(path.name, known) or _listed(local)
    raise NotConfigured(f"--truth {truth}: nothing was scored here against {what}. {remedy}")


def _listed(local: Sequence[Entry]) -> str:
    """Returns a sentence with the ground truths used last."""
    labels = list(labels_of(reversed(local)).values())
    if not labels:
        return "`podium score` writes the history."
    more = f" and {len(labels) - MAX_NAMED} others" if len(labels) > MAX_NAMED else ""
    return f"Your history has {', '.join(labels[:MAX_NAMED])}{more}."


def left_out(
    local: Sequence[Entry], measure: Measure | None, labels: Mapping[str, str]
) -> str | None:
    """Returns a sentence about scores against other ground truths, which are not shown; None if all
    are."""
    shown = None if measure is None else measure.truth_sha256
    hidden = [entry for entry in local if entry["truth_sha256"] != shown]
    if not hidden:
        return None
    names = list(dict.fromkeys(labels[entry["truth_sha256"]] for entry in reversed(hidden)))
    more = " and others" if len(names) > MAX_NAMED else ""
    count = f"{len(hidden)} local score{'' if len(hidden) == 1 else 's'}"
    sentence = f"Not shown: {count} against {', '.join(names[:MAX_NAMED])}{more}."
    return f"{sentence} --truth with a name, a path or a hash shows those."

"""The local scores that stand beside a competition's public ones: those against the ground truth
that pairs with its submissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from podium.cli.history.entries import Entry, sha256_of
from podium.errors import NotConfigured
from podium.errors.spelling import did_you_mean

Measure = tuple[str, str, str]
"""A ground truth's file name and hash, and the metrics or the preset: only scores that share all
three can be compared."""

HASH_SHOWN = 8
"""Digits of a hash that are shown, and the fewest that are taken for one."""

MOST_NAMED = 5


def played(entry: Entry) -> tuple[str, str]:
    """The server and the competition of a submission."""
    return entry["url"], entry["competition"]


def chosen_competition(
    sent: Sequence[Entry], slug: str | None, server: str | None
) -> tuple[str, str] | None:
    """The server and the competition of the last submission that fits: to the competition of this
    slug, on this server, where these are named."""
    of_slug = [entry for entry in sent if slug in (None, entry["competition"])]
    found = [entry for entry in of_slug if server in (None, entry["url"])]
    return played(found[-1]) if found else None


def elsewhere(sent: Sequence[Entry], server: str | None, slug: str | None) -> str | None:
    """A sentence about submissions to the competition of this slug on other servers; None if there
    are none."""
    found = {entry["id"]: entry["url"] for entry in sent if entry["competition"] == slug}
    counts = Counter(url for url in found.values() if url != server)
    if not counts:
        return None
    named = ", ".join(
        f"{count} submission{'' if count == 1 else 's'} at {url}" for url, count in counts.items()
    )
    first = next(iter(counts))
    return f"Of {slug} not shown: {named}. `PODIUM_URL={first} podium runs {slug}` shows them."


def measure_of(entry: Entry) -> Measure:
    """The measure of a local score."""
    return entry["truth"], entry["truth_sha256"], entry["measure"]


def chosen_measure(
    local: Sequence[Entry], sent: Sequence[Entry], others: Sequence[Entry], *, is_named: bool
) -> Measure | None:
    """The measure with which most of the submissions `sent` were scored here, by the same file or
    the same note; of equals the one used last.

    Where none of them was: the last one if the ground truth is named or nothing was submitted at
    all, else the only one that pairs with no submission to `others`; None where that is open.
    """
    last = {measure_of(entry): place for place, entry in enumerate(local)}
    if not last:
        return None

    def rank(measure: Measure) -> tuple[int, int, int]:
        by_file, by_any = _paired(measure, local, sent)
        return by_any, by_file, last[measure]

    best = max(last, key=rank)
    if is_named or not (sent or others) or rank(best)[0]:
        return best
    free = [measure for measure in last if not _paired(measure, local, others)[1]]
    is_one_truth = len({sha256 for _, sha256, _ in free}) == 1
    return max(free, key=last.__getitem__) if is_one_truth else None


def _paired(measure: Measure, local: Sequence[Entry], sent: Sequence[Entry]) -> tuple[int, int]:
    """Counts of submitted files that were scored so: by the same bytes, and by them or the note."""
    scored = [entry for entry in local if measure_of(entry) == measure]
    hashes = {entry["sha256"] for entry in scored}
    notes = {entry["note"] for entry in scored} - {""}
    by_file = {entry["sha256"] for entry in sent if entry["sha256"] in hashes}
    by_note = {entry["sha256"] for entry in sent if entry["note"] in notes}
    return len(by_file), len(by_file | by_note)


def against(local: Sequence[Entry], truth: str) -> list[Entry]:
    """The local scores against the ground truth that is named: a path, a file name, or the first
    digits of the SHA-256. Raises `NotConfigured` where there are none."""
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


def labels_of(local: Iterable[Entry]) -> dict[str, str]:
    """The name of each ground truth by its hash; with the hash's beginning where two have one."""
    names = {entry["truth_sha256"]: entry["truth"] for entry in local}
    several = list(names.values())
    return {
        sha256: name if several.count(name) == 1 else f"{name} ({sha256[:HASH_SHOWN]})"
        for sha256, name in names.items()
    }


def _listed(local: Sequence[Entry]) -> str:
    """A sentence with the ground truths used last."""
    labels = list(labels_of(reversed(local)).values())
    if not labels:
        return "`podium score` writes the history."
    more = f" and {len(labels) - MOST_NAMED} others" if len(labels) > MOST_NAMED else ""
    return f"Your history has {', '.join(labels[:MOST_NAMED])}{more}."


def left_out(local: Sequence[Entry], measure: Measure | None) -> str | None:
    """A sentence about scores against other ground truths, which are not shown; None if all are."""
    shown = None if measure is None else measure[1]
    hidden = [entry for entry in local if entry["truth_sha256"] != shown]
    if not hidden:
        return None
    labels = labels_of(local)
    names = list(dict.fromkeys(labels[entry["truth_sha256"]] for entry in reversed(hidden)))
    more = " and others" if len(names) > MOST_NAMED else ""
    count = f"{len(hidden)} local score{'' if len(hidden) == 1 else 's'}"
    told = f"Not shown: {count} against {', '.join(names[:MOST_NAMED])}{more}."
    return f"{told} --truth with a name, a path or a hash shows those."

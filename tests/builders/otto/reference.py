"""The preparation as its rules read, one dictionary after the other: slow, obvious, and independent
of the code. Compared with the real one in the tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

DAY = 86_400_000

Event = dict[str, Any]


@dataclass
class Expected:
    """The expected result: visible sessions and labels by session."""

    train: dict[int, list[Event]] = field(default_factory=dict)
    test: dict[int, list[Event]] = field(default_factory=dict)
    labels: dict[int, dict[str, Any]] = field(default_factory=dict)


def prepared(
    raw: Mapping[int, list[Event]], *, days: int, cut_of: Callable[[int, int], int]
) -> Expected:
    """Raw sessions → what participants see, and what they do not."""
    sessions = {
        number: sorted(events, key=lambda event: event["ts"])
        for number, events in raw.items()
        if events
    }
    split = max(event["ts"] for events in sessions.values() for event in events) - days * DAY
    expected, late = Expected(), {}
    for number in sorted(sessions):
        events = sessions[number]
        if events[0]["ts"] > split:
            late[number] = events
            continue
        early = [event for event in events if event["ts"] < split]
        if len(early) >= 2:
            expected.train[number] = early
    known = {event["aid"] for events in expected.train.values() for event in events}
    for number, events in late.items():
        left = [event for event in events if event["aid"] in known]
        if len(left) >= 2:
            cut = cut_of(number, len(left))
            expected.test[number] = left[:cut]
            expected.labels[number] = labels_of(left[cut:])
    return expected


def labels_of(hidden: list[Event]) -> dict[str, Any]:
    """The next click; the sets of items that were carted and ordered."""
    sets = defaultdict(set)
    labels: dict[str, Any] = {}
    for event in hidden:
        if event["type"] == "clicks":
            labels.setdefault("clicks", event["aid"])
        else:
            sets[event["type"]].add(event["aid"])
    return labels | {name: sorted(aids) for name, aids in sets.items()}

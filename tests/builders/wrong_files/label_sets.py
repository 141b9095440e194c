"""Wrong files of label sets."""

from __future__ import annotations

from functools import partial

from tests.builders.wrong_files.contests import with_first
from tests.builders.wrong_files.shape import Wrong

_first = partial(with_first, "label sets")

LABEL_SETS = (
    Wrong(
        "label sets",
        "a label twice",
        _first("007,drama comedy drama"),
        "bad-label",
        2,
        "name each once",
    ),
    Wrong(
        "label sets",
        "an unknown label",
        _first("007,drama horror"),
        "bad-label",
        2,
        "The labels are “drama”",
    ),
    Wrong("label sets", "capitals", _first("007,Drama"), "bad-label", 2, "exactly so: “drama”"),
    Wrong(
        "label sets",
        "a list of Python",
        _first("007,\"['drama', 'comedy']\""),
        "bad-label",
        2,
        "Did you mean “comedy”?",
    ),
    Wrong(
        "label sets",
        "semicolons",
        _first("007,drama;comedy"),
        "bad-label",
        2,
        "Did you mean “comedy”?",
    ),
    Wrong(
        "label sets",
        "commas",
        _first("007,drama,comedy"),
        "row-shape",
        2,
        "labels separated by spaces",
    ),
    Wrong(
        "label sets",
        "quoted commas",
        _first('007,"drama,comedy"'),
        "bad-label",
        2,
        "Did you mean “comedy”?",
    ),
    Wrong("label sets", "no id", _first(",drama"), "bad-id", 2, "Ids are 1 to 64"),
    Wrong("label sets", "an id twice", _first("43,drama"), "duplicate-id", 4, "Send each id once"),
    Wrong(
        "label sets", "lost zeros", _first("7,drama"), "unknown-id", 2, "“007”", in_browser=False
    ),
    Wrong(
        "label sets",
        "a row less",
        _first(),
        "missing-ids",
        None,
        "one row for each published id",
        in_browser=False,
    ),
    Wrong(
        "label sets",
        "a row for each label",
        "film,genre\n007,drama\n42,comedy\n",
        "header-mismatch",
        1,
        "Rename “genre” to “genres”",
    ),
)

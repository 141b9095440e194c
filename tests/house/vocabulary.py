"""The words of the trade: old words of this code, and what to write instead of each.

Old words are written in lower case with underscores, whatever they look like where they stand: the
word `signs_of_life` is found in `SignsOfLife`, in `_signs_of_life` and in “signs of life”.
"""

from __future__ import annotations

from dataclasses import dataclass

PATHS, NAMES, CLASSES, TEXTS = "paths", "names", "classes", "texts"
"""Places of a word: the name of a folder or file, any name that a file defines, the whole name of a
class, a docstring or comment."""


@dataclass(frozen=True)
class Word:
    """Old forms of a word, what to write instead, and where the old ones are looked for."""

    old: tuple[str, ...]
    instead: str
    where: tuple[str, ...] = (PATHS, NAMES, TEXTS)
    within: str = ""
    """Looked for only in files whose path holds this."""
    is_whole: bool = False
    """Looked for as whole names only: the words within it are good English, as in `beats_all`."""


WORDS = (
    Word(("edge",), "middleware", (PATHS,)),
    Word(("load",), "caching", (PATHS,), within="web"),
    Word(("bodies",), "streaming", (PATHS,), within="web"),
    Word(("entrance",), "sign-in, landing"),
    Word(("frame",), "layout", (PATHS,)),
    Word(("frame",), "layout", (NAMES, TEXTS), within="pages"),
    Word(("desk",), "dashboard"),
    Word(("cage", "caged"), "sandbox"),
    Word(("walls",), "isolation"),
    Word(("order", "orders", "act", "acts"), "task", (PATHS, NAMES), within="sandbox"),
    Word(("ending", "endings"), "result", (PATHS, NAMES), within="sandbox"),
    Word(("death", "deaths"), "failure reason", within="sandbox"),
    Word(("offer", "offers", "offered"), "dispatch"),
    Word(("signs_of_life", "sign_of_life"), "heartbeat"),
    Word(("beat", "beats", "beating"), "heartbeat", (PATHS, NAMES), is_whole=True),
    Word(("question",), "BoardQuery", (CLASSES,)),
    Word(("wanted",), "BoardFilter", (CLASSES,)),
    Word(("asked",), "LeaderboardParams", (CLASSES,)),
    Word(("shown",), "LeaderboardView", (CLASSES,)),
    Word(("sight", "sight_of"), "ScoreVisibility, visibility_of"),
    Word(("measures",), "metrics_exposition", (PATHS, NAMES), is_whole=True),
    Word(("measuring",), "split_scores", (PATHS, NAMES)),
    Word(("tasks",), "scoring configuration", (PATHS,), within="service"),
    Word(("signing",), "receipt_keys", (PATHS,)),
    Word(("signing_in",), "authentication", (PATHS, NAMES), is_whole=True),
    Word(("attempts",), "rate limit", (PATHS,)),
    Word(("somebodies",), "keys"),
    Word(("so_manieth", "manieth"), "1-based position"),
    Word(("kept_answer", "kept_answers"), "response cache"),
    Word(("said",), "flash message, output", (PATHS, NAMES), is_whole=True),
    Word(("hold", "holds"), "lease", (CLASSES, NAMES), is_whole=True),
    Word(("doubt", "doubts", "doubtful"), "not plain, fallback"),
    Word(("somebody", "somebodys"), "a user, a person; or the passive", (NAMES, TEXTS)),
    Word(("whoever",), "a user who, the one that", (NAMES, TEXTS)),
    Word(("nobody", "nobodys"), "no user, none, anonymous", (NAMES, TEXTS)),
    Word(("anybody", "anybodys"), "a user, anonymous", (NAMES,)),
)

OPENINGS = {
    *("What", "Who", "Whose", "Whom", "Which", "How", "Whether", "Where", "When", "Why"),
    *("Whatever", "Of"),
}
"""Words that open no docstring: its first sentence says what the thing is or does."""

OLD_ATTRIBUTES = {"JUDGING": "State.RUNNING"}
"""Members whose name changes while their stored value stays."""

PUBLISHED_IN = ("routes", "schemas")
"""Modules whose classes and routes say in docstrings what the description of the API tells people:
texts of the contract, which are not words of the code."""

PUBLISHED = {
    *("LimitedBy", "LinkKind", "MergeStatus", "MetricChoice", "People", "SplitChoice", "State")
}
"""Classes of other modules that are a part of the contract, too."""

"""The two texts that come with a submission: its note and its file name."""

from __future__ import annotations

import unicodedata

from podium.errors import InvalidInput

MAX_NOTE_CHARACTERS = 500

MAX_FILENAME_CHARACTERS = 255

_LINE_BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})

_INVISIBLE = _LINE_BREAKING | {"Cf", "Cn", "Co"}


def checked_note(text: str | None) -> str:
    """A note: at most 500 characters, no control characters or line ends; trimmed.

    Raises `InvalidInput` (`bad-note`).
    """
    note = (text or "").strip()
    if len(note) > MAX_NOTE_CHARACTERS:
        raise InvalidInput(
            f"A note may have at most {MAX_NOTE_CHARACTERS} characters.", code="bad-note"
        )
    if any(unicodedata.category(character) in _LINE_BREAKING for character in note):
        raise InvalidInput("A note may hold no control characters or line ends.", code="bad-note")
    return note


def base_name(text: str | None) -> str:
    """The last part of a path, without what cannot be seen; a plain default without a name.

    Raises `InvalidInput` (`bad-filename`) above 255 characters. The name is only ever shown: files
    are stored under their hash.
    """
    last = (text or "").replace("\\", "/").rpartition("/")[2]
    shown = "".join(c for c in last if unicodedata.category(c) not in _INVISIBLE).strip()
    if len(shown) > MAX_FILENAME_CHARACTERS:
        raise InvalidInput(
            f"A file name may have at most {MAX_FILENAME_CHARACTERS} characters.",
            code="bad-filename",
        )
    return shown or "submission"

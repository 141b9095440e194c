"""Defines the forms that a submission may have beside `podium`, each as a value.

The form `podium` is that of `docs/formats.md`; every competition takes it. Another one is taken
where the task names it, and has exactly the contents of the file of the form `podium` into which it
is rewritten. Those of bytes, before there is any text, are forms of organizers' files, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """One form, with the words by which organizers choose it. Where it `needs_lists`, only tasks
    with a list of items for each id take it, and where it `needs_candidates`, only those with an
    order of candidates. One that `is_asked_for` is read only where settings name it; others are
    certain enough for commands without settings, though one that `needs_numbers` only where ids are
    numbers. New competitions take each that `is_plain` unless they name others: nothing that they
    may differ in from the sample can change a score. With a `codec`, of Python, text that is not
    UTF-8 is in this encoding; a task takes at most one such form."""

    key: str
    choice: str
    needs_lists: bool = False
    needs_candidates: bool = False
    is_asked_for: bool = False
    needs_numbers: bool = False
    is_plain: bool = False
    codec: str = ""

    def is_recognized(self, query_ids: object) -> bool:
        """True if the start of a file distinguishes the form from that of the sample, by the kind
        of the ids."""
        return not self.codec and (query_ids != "string" or not self.needs_numbers)

    def suits(self, *, has_lists: bool, has_candidates: bool) -> bool:
        """True if tasks of a kind take it, by the properties of the kind."""
        return (has_lists or not self.needs_lists) and (has_candidates or not self.needs_candidates)


SEPARATORS = Form("separators", "Tabs, semicolons or :: between the columns", is_plain=True)
NO_HEADER = Form(
    "no-header",
    "No header: the columns in the order of the sample",
    # Where ids are texts, a wrong header looks like a row.
    needs_numbers=True,
    is_plain=True,
)
ITEM_ROWS = Form(
    "item-rows",
    "One item per row, in the order of the file, or of a column rank or score",
    needs_lists=True,
)
JSON = Form("json", "JSON: an object on each line, one object by id, or an array of objects")

EXTRA_COLUMNS = Form("extra-columns", "Further columns, which are ignored", is_asked_for=True)
CELL_LISTS = Form(
    "cell-lists",
    "Lists with commas or semicolons, or as in JSON or Python, in their column",
    needs_lists=True,
    is_asked_for=True,
)
CANDIDATE_RANKS = Form(
    "candidate-ranks",
    "An id and the ranks of its candidates, in their published order: 42 [3,1,2]",
    needs_candidates=True,
    is_asked_for=True,
)

CONTAINERS = Form(
    "containers",
    "xz, bzip2, or a zip to which macOS or Windows added files",
    is_plain=True,
)
UTF_16 = Form("utf-16", "UTF-16 with a byte order mark: Excel's “Unicode text”", is_plain=True)

_ENCODINGS = tuple(
    Form(key, f"Text in {name} that is not UTF-8", is_asked_for=True, codec=codec)
    for key, name, codec in (
        ("cp949", "CP949 (Korean)", "cp949"),
        ("shift_jis", "Shift-JIS (Japanese, as Windows has it)", "cp932"),
        ("windows-1252", "Windows-1252 (Western European)", "cp1252"),
        ("latin-1", "Latin-1 (ISO 8859-1)", "latin-1"),
    )
)

_ALL = (
    *(SEPARATORS, NO_HEADER, EXTRA_COLUMNS, ITEM_ROWS, JSON, CELL_LISTS, CANDIDATE_RANKS),
    *(CONTAINERS, UTF_16, *_ENCODINGS),
)

FORMS = {form.key: form for form in _ALL}
"""Every form beside `podium`, by its key."""

ENCODINGS = tuple(form.key for form in _ENCODINGS)
"""The forms of text in another encoding, of which a task takes at most one."""


def encoding_of(forms: Iterable[str]) -> Form | None:
    """Returns the one of these forms that has an encoding."""
    return next((FORMS[key] for key in forms if key in ENCODINGS), None)


def plain_forms(query_ids: object) -> list[str]:
    """Lists the keys of the forms of a new competition that names none, by the kind of its ids."""
    return [form.key for form in _ALL if form.is_plain and form.is_recognized(query_ids)]


def are_convertible(keys: Iterable[str]) -> bool:
    """True for forms whose files can be rewritten without the settings that they need. The order
    of candidates that ranks refer to is certain only where a competition takes them."""
    return all(key in FORMS and not FORMS[key].needs_candidates for key in keys)

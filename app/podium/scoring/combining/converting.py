"""Converts a submission of another form into a file of the form `podium` with the same
contents."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from podium.scoring.engine import Published, validate
from podium.scoring.forms import are_convertible
from podium.scoring.kinds import kind_of
from podium.scoring.lists.canonical import write_canonical
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import form_of, spelled_blocks, spelling_in
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class Converted:
    """The form that a file had, in words and as the keys of `FORMS` that it needs, and the counts
    of a valid file. Where lists were `cut`, they have their first items, which are all that
    count."""

    form: str
    forms: tuple[str, ...]
    counts: dict[str, int]
    cut: int | None


def convert(
    file: Path, *, task: Task, published: Published, scratch: Path, to: Path
) -> Converted | None:
    """Writes a submission of any form to `to` in that of the task's sample; None, and no file,
    where it has that form already. Raises FileRejected for a file with problems in each form."""
    known = (form.key for form in kind_of(task.kind).recognized_forms("integer"))
    taken = dict.fromkeys((*known, *task.forms))
    wide = replace(task, forms=tuple(key for key in taken if are_convertible((key,))))
    plain = replace(task, forms=())
    # Texts may be readable in two ways: that of the sample goes first.
    with suppress(FileRejected):
        validate(file, task=plain, published=published, scratch=scratch)
        return None
    counts = validate(file, task=wide, published=published, scratch=scratch)
    found, spelling = form_of(file, wide), spelling_in(file, wide)
    with to.open("wb") as sink:
        blocks = spelled_blocks(file, wide, spelling)
        if spelling.item_column:
            lists = cast(PublishedIds, published)
            write_canonical(blocks, task=wide, published=lists, sink=sink, spelling=spelling)
        else:
            sink.writelines(blocks)
    # Both files are read by the same rules: what differs is a bug of Podium, never a conversion.
    if validate(to, task=plain, published=published, scratch=scratch) != counts:
        raise AssertionError("the converted file differs")  # pragma: no cover - they agree
    cut = task.depth if spelling.item_column else None
    return Converted(found.form, found.forms, dict(counts), cut)

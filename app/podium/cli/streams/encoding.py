"""The encoding of a command's output, which may lack characters of formulas and names."""

from __future__ import annotations

import io
import json
import os
import re
import sys

_STEERING = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal or change the direction of text, and that JSON does not
escape."""


def choose_encoding() -> None:
    """Selects UTF-8 for files and pipes if the system's encoding is another, as on Windows.

    `PYTHONIOENCODING` and a terminal keep their encoding; characters that it lacks are printed as
    “?”.
    """
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper):
        return
    if out.encoding.lower() != "utf-8" and not (out.isatty() or os.getenv("PYTHONIOENCODING")):
        out.reconfigure(encoding="utf-8")
    if out.errors == "strict" or (out.errors, out.encoding.lower()) == ("surrogateescape", "ascii"):
        out.reconfigure(errors="replace")


def json_text(document: object) -> str:
    """Returns a document as JSON that people can read, too; in ASCII if the output's encoding lacks
    one of its characters, or one controls a terminal."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    if _STEERING.search(text) is not None:
        return json.dumps(document, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document, indent=2)
    return text

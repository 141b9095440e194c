"""Pictures among the data files, known by their first bytes: those that every browser shows."""

from __future__ import annotations

ENDS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
"""Ends of names that promise a picture."""

HEAD_BYTES = 12
"""Bytes that tell the kind."""

STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")

KINDS = "Pictures are PNG, JPEG, GIF or WebP; export a photo in HEIC as JPEG first."


def is_promised(name: str) -> bool:
    """True if a file of this name has to be a picture.

    >>> is_promised("Shop.JPG"), is_promised("train.csv")
    (True, False)
    """
    return name.lower().endswith(ENDS)


def is_picture(head: bytes) -> bool:
    r"""True for the first bytes of a picture. Of which kind is left to the browser, which does not
    go by the name either.

    >>> is_picture(b"RIFF\x24\x00\x00\x00WEBPVP8 "), is_picture(b"\x00\x00\x00\x18ftypheic")
    (True, False)
    """
    return head.startswith(STARTS) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")

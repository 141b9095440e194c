"""Files that a participant can send, one or more for each row of the catalogue of bad inputs.

They are for a competition of 60 sessions with OTTO's objectives. What is too large to be sent here
as it is in the catalogue is small, and so are the limits of the competition.
"""

from __future__ import annotations

from collections.abc import Callable

SESSIONS = range(100, 160)
OBJECTIVES = ("clicks", "carts", "orders")
IDS = [f"{session}_{objective}" for session in SESSIONS for objective in OBJECTIVES]
HEADER = b"session_type,labels\n"
LIMITS = {"max_upload_bytes": 8 << 20, "max_expanded_bytes": 4 << 20}
MEBIBYTE = 1 << 20


def file_of(labels: Callable[[str], str] = lambda id_: "7", ids: list[str] = IDS) -> bytes:
    """A file with these labels for each id."""
    rows = [f"{id_},{labels(id_)}" for id_ in ids]
    return HEADER + "\n".join([*rows, ""]).encode()


def guess(base: int, sessions: range = SESSIONS) -> bytes:
    """Hits most of these sessions in the truth that was made with this number, and nothing of the
    other."""

    def labels(id_: str) -> str:
        session = int(id_.split("_")[0])
        known = f"{base + session} {base + 300} {base + 600 + session % 7}"
        return known if session in sessions else "7"

    return file_of(labels)


GOOD = file_of()
LINES = GOOD.splitlines(keepends=True)


def with_row(row: bytes, line: int = 50) -> bytes:
    """The good file with another row on a line; that of an id that only one truth labels."""
    return b"".join([*LINES[: line - 1], row + b"\n", *LINES[line:]])


def labelled(labels: bytes, line: int = 50) -> bytes:
    """The good file with other labels on a line."""
    return with_row(LINES[line - 1].split(b",")[0] + b"," + labels, line)


HEALTHY = {
    "S1": GOOD,
    "guess of one": guess(1000),
    # Only of some sessions: the best scores under both truths shall differ as well.
    "guess of the other": guess(5000, SESSIONS[:20]),
    "S5 byte order mark": b"\xef\xbb\xbf" + GOOD,
    "S8 CR LF": GOOD.replace(b"\n", b"\r\n"),
    "S12 no final line end": GOOD[:-1],
    "S13 blank lines at the end": GOOD + b"\n\n\n",
    "S38 columns swapped": b"".join(
        b",".join(reversed(line.strip().split(b","))) + b"\n" for line in LINES
    ),
    "S49 all quoted": b"".join(
        b'"' + line.strip().replace(b",", b'","') + b'"\n' for line in LINES
    ),
    "S70 turned around": b"".join([LINES[0], *reversed(LINES[1:])]),
    "S74 all empty": file_of(lambda id_: ""),
    "S75 more than twenty": file_of(lambda id_: " ".join(str(n) for n in range(1290, 1330))),
    "S77 the same three times": file_of(lambda id_: "1300 1300 1300"),
    "S78 spaces": file_of(lambda id_: " 1300  5300 "),
    "S83 leading zeros": file_of(lambda id_: "001300"),
    "S87 outside of all": file_of(lambda id_: "2147483647"),
    "S89 zero": file_of(lambda id_: "0"),
}
"""Files that are judged to the end."""

TEXT = {
    "S2 nothing": b"",
    "S3 a line end": b"\n",
    "S3 only the mark": b"\xef\xbb\xbf",
    "S4 header only": HEADER,
    "S6 two marks": b"\xef\xbb\xbf" * 2 + GOOD,
    "S7 UTF-16": GOOD.decode().encode("utf-16"),
    "S9 CR only": GOOD.replace(b"\n", b"\r"),
    "S14 blank line": with_row(b""),
    "S16 cut in an id": GOOD[: GOOD.rindex(b"ders")],
    "S18 NUL": labelled(b"7\x00"),
    "S20 picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "S21 no UTF-8": labelled(b"7\xff"),
    "S22 overlong": labelled(b"\xc0\xaf"),
    "S24 zero-width": labelled(b"7\xe2\x80\x8b"),
    "S25 Ctrl-Z": GOOD + b"\x1a",
    "S27 HTML": b"<!DOCTYPE html><html></html>",
    "S28 NDJSON": b'{"session": 100, "labels": {"clicks": [7]}}\n' * 60,
    "S29 sep": b"sep=,\n" + GOOD,
    "S31 too large": GOOD + b"\n" * (5 * MEBIBYTE),
    "S32 commas": b"," * MEBIBYTE,
    "S33 no line end": b"7" * MEBIBYTE,
    "S34 a long field": labelled(b"7 " * (MEBIBYTE // 2)),
    "S35 too many rows": HEADER + b"a\n" * 100_000,
}
"""Encodings, line ends, and how much there is of everything."""

STRUCTURE = {
    "S37 no header": GOOD.removeprefix(HEADER),
    "S39 fields swapped": HEADER
    + b"".join(b",".join(reversed(line.strip().split(b","))) + b"\n" for line in LINES[1:]),
    "S41 a column twice": b"labels,labels\n" + GOOD.removeprefix(HEADER),
    "S42 a column more": GOOD.replace(b"\n", b",\n"),
    "S43 a column less": GOOD.replace(b",labels", b""),
    "S45 a field missing": with_row(b"116_clicks"),
    "S46 semicolons": GOOD.replace(b",", b";"),
    "S47 commas between labels": labelled(b"7,8"),
    "S48 quoted commas": labelled(b'"7,8"'),
    "S50 open quote in an id": with_row(b'"116_clicks,7'),
    "S51 open quote at the end": GOOD[:-2] + b'"7\n',
    "S52 stray quote": labelled(b'5"9'),
    "S55 line end in quotes": labelled(b'"7\n8"'),
    "S56 doubled quote": labelled(b'"7""8"'),
    "S58 space before a quote": labelled(b' "7"'),
    "S60 many quotes": labelled(b'"' * 100_000),
}
"""Headers, fields and quotes."""

NO_INTEGERS = (b"5.0", b"1e5", b"0x10", b"NaN", b"None", b"null", b"inf")

ROWS = {
    "S61 an id missing": b"".join(LINES[:49] + LINES[50:]),
    "S61 a session missing": file_of(ids=IDS[3:]),
    "S62 an objective missing": file_of(ids=[id_ for id_ in IDS if not id_.endswith("orders")]),
    "S63 unknown sessions": file_of(ids=[*IDS[3:], "99_clicks", "99_carts", "99_orders"]),
    "S64 unknown objective": GOOD.replace(b"116_clicks", b"116_views"),
    "S65 twice": GOOD + LINES[49],
    "S66 twice and different": GOOD + b"116_clicks,8\n117_carts,9\n",
    "S69 a session of 32 bits": with_row(b"%d_clicks,7" % 2**31),
    "S69 a session of 400 digits": with_row(b"9" * 400 + b"_clicks,7"),
    "S72 all wrong": HEADER + b"".join(line.replace(b"7\n", b"x\n") for line in LINES[1:]),
    "S73 other sessions": file_of(ids=[id_.replace("1", "9", 1) for id_ in IDS]),
    "S80 tab": labelled(b"7\t8"),
    "S81 no integers": b"".join(
        line.replace(b",7", b"," + NO_INTEGERS[place % 7]) if 40 <= place < 47 else line
        for place, line in enumerate(LINES)
    ),
    "S83 eleven digits": labelled(b"00000000007"),
    "S84 negative": labelled(b"-5"),
    "S88 formula": labelled(b"=1+1"),
}
"""Ids and labels."""

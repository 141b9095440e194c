"""Files of interactions in forms that are not read as they are, and the 40 interactions of all."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

ROWS = [(n // 4, n % 7, 1 + n % 5, 881250000 + n) for n in range(40)]


def csv_text(
    names: str = "user,item,rating,timestamp", rows: Sequence[tuple[object, ...]] | None = None
) -> str:
    lines = [names] if names else []
    lines += [",".join(map(str, row)) for row in (ROWS if rows is None else rows)]
    return "".join(f"{line}\n" for line in lines)


def with_times(spelled: Callable[[int], object]) -> str:
    """The rows with times as a function spells them."""
    return csv_text(rows=[(u, i, r, spelled(t)) for u, i, r, t in ROWS])


@dataclass(frozen=True)
class WrongForm:
    """A file, a part of what is said of it, and what is typed then: further options, or commands
    of a shell that make another file, whose name is the last word of the hint's command."""

    name: str
    content: bytes
    told: str
    options: tuple[str, ...] = ()


def _zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ml/README.txt", "words")
        archive.writestr("ml/ratings.csv", csv_text())
        archive.writestr("ml/tags.csv", "a,b\n")
    return made.getvalue()


def _tarred() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo("ratings.csv")
        content = csv_text().encode()
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def _objects() -> list[dict[str, int]]:
    return [dict(zip(("user", "item", "rating", "timestamp"), row, strict=True)) for row in ROWS]


def packed() -> Iterator[WrongForm]:
    """Files that a command of a shell makes readable."""
    plain = csv_text().encode()
    yield WrongForm("r.csv.xz", lzma.compress(plain), "is xz")
    yield WrongForm("r.csv.bz2", bz2.compress(plain), "is bzip2")
    yield WrongForm("ml.zip", _zipped(), "a zip archive of “ml/README.txt”, “ml/ratings.csv”")
    yield WrongForm("r.tar", _tarred(), "is tar")
    yield WrongForm("r.tar.gz", gzip.compress(_tarred()), "tar in another container")
    yield WrongForm("r.csv", csv_text().encode("utf-16"), "encoded as UTF-16")
    yield WrongForm("r.csv", plain.replace(b"\n", b"\r"), "CR alone")
    yield WrongForm("r.json", json.dumps(_objects()).encode(), "one JSON array")
    yield WrongForm("r.json", json.dumps(_objects(), indent=2).encode(), "one JSON array")
    dicts = "".join(f"{each!r}\n" for each in _objects())
    yield WrongForm("r.json", dicts.encode(), "dicts of Python")


def asked() -> Iterator[WrongForm]:
    """Files that an option makes readable, which the hint names."""
    shown = [(u, "2014-04-06T18:44:58.314Z", i, 12462, 1) for u, i, _, _ in ROWS]
    yield WrongForm("b.dat", csv_text("", shown).encode(), "5 columns have no names")
    gowalla = [(u, "2010-10-19T23:55:27Z", 30.2, -97.7, i) for u, i, _, _ in ROWS]
    yield WrongForm("g.csv", csv_text("", gowalla).encode(), "5 columns have no names")
    timed = [(u, t, i) for u, i, _, t in ROWS]
    yield WrongForm(
        "t.csv", csv_text("", timed).encode(), "column 2 is not the item: all its values"
    )
    counted = [(u, n, r) for n, (u, _, r, _) in enumerate(ROWS)]
    yield WrongForm("n.csv", csv_text("", counted).encode(), "it differs in every row")
    words = [(f"user_{u}", f"item_{i}", "a") for u, i, _, _ in ROWS]
    told = ("--user", "1", "--item", "2", "--rating", "-", "--time", "-")
    yield WrongForm("w.csv", csv_text("", words).encode(), "may be names of columns or a row", told)
    yield WrongForm("o.csv", csv_text("a,item,rating,timestamp").encode(), "known as the user")
    both = csv_text("user,asin,book_id,timestamp").encode()
    yield WrongForm("2.csv", both, "asin and book_id may both be the item")
    yield WrongForm("u.csv", with_times(lambda t: t * 10**6).encode(), "after the year 5000")
    yield WrongForm("n.csv", with_times(lambda t: t * 10**9).encode(), "after the year 5000")
    seconds = ("--time-unit", "ms")
    yield WrongForm("s.csv", csv_text().encode(), "in January 1970", seconds)


def read() -> Iterator[tuple[str, str]]:
    """Texts of 40 interactions that are read as they are, under a word for each."""
    yield "RecBole", csv_text("user_id:token,item_id:token,rating:float,timestamp:float")
    yield "Amazon 2023", csv_text("user_id,parent_asin,rating,timestamp")
    variants = [(u, f"v{n}", i, t) for n, (u, i, _, t) in enumerate(ROWS)]
    yield "a parent beside its variants", csv_text("user_id,asin,parent_asin,timestamp", variants)
    yield "Yelp", csv_text("user_id,business_id,stars,date")
    yield "Last.fm", csv_text("userID,artistID,rating,timestamp")
    yield "Online Retail", csv_text("CustomerID,StockCode,rating,InvoiceDate")
    yield "H&M", csv_text("customer_id,article_id,price,t_dat")
    yield "REES46", csv_text("user_id,product_id,price,event_time")
    yield "KuaiRec", csv_text("user_id,video_id,watch_ratio,timestamp")
    yield "blank lines at the end", csv_text() + "\n\n"
    yield "fractions", with_times(lambda t: f"{t}.803")
    yield "a fraction in one row", with_times(lambda t: f"{t}.5" if t == ROWS[-1][3] else t)
    yield "exponents", with_times(lambda t: f"{t:.8e}")
    yield "UTC", with_times(lambda t: f"2019-10-01 00:00:{t % 60:02} UTC")
    yield "slashes", with_times(lambda t: f"2010/12/{1 + t % 28:02}")
    yield "months first", with_times(lambda t: f"12/{1 + t % 28}/2010 8:26")
    yield "days first", with_times(lambda t: f"{1 + t % 28}/12/2010 8:26")

"""The catalog behind `/problems`: every code that a response may carry, and its meaning.

The codes of requests bring their explanations along. Those of files belong to the libraries that
read the files, and are explained here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from podium.errors.codes import CODES, Explanation, ForeignCode, OurCode
from podium.preparation.files.findings import RawFileCode as RawCode
from podium.scoring.problems import Code

FILES: Mapping[str, Explanation] = {
    Code.EMPTY_FILE: Explanation(
        "Empty file",
        "The file holds no rows.",
        "Send a file with a header and one row per id.",
    ),
    Code.ENCODING: Explanation(
        "Not UTF-8",
        "The text is not UTF-8, or begins with a byte order mark of another encoding.",
        "Save it as UTF-8.",
    ),
    Code.NOT_CSV: Explanation(
        "Not CSV",
        "The bytes are not text in CSV form.",
        "Send CSV or Parquet, plain or compressed.",
    ),
    Code.LINE_ENDINGS: Explanation(
        "Wrong line ends",
        "Lines end with a lone carriage return.",
        "Write line feeds, with or without a carriage return before them.",
    ),
    Code.HEADER_MISMATCH: Explanation(
        "Wrong header",
        "The first line does not name the columns that the competition asks for.",
        "Use the header of the sample file.",
    ),
    Code.BLANK_LINE: Explanation(
        "Blank line",
        "A line within the file is empty.",
        "Remove it.",
    ),
    Code.ROW_SHAPE: Explanation(
        "Wrong number of columns",
        "A row has more or fewer columns than the header, or is not of one form with the others.",
        "Write exactly the columns of the header.",
    ),
    Code.BAD_QUOTE: Explanation(
        "Misplaced quote",
        "A quotation mark stands where CSV does not allow one, or is never closed.",
        "Quote whole fields only, and double a quotation mark inside.",
    ),
    Code.BAD_CHARACTER: Explanation(
        "Character not allowed",
        "The line holds a control character or another one that is not allowed there.",
        "Remove it.",
    ),
    Code.BAD_ID: Explanation(
        "Malformed id",
        "An id is not written in the form that the competition uses.",
        "Write ids as in the sample file.",
    ),
    Code.UNKNOWN_ID: Explanation(
        "Unknown id",
        "The id is not one of the published ids.",
        "Answer the published ids, and nothing else.",
    ),
    Code.DUPLICATE_ID: Explanation(
        "Id appears twice",
        "Two rows answer the same id.",
        "Keep one of them.",
    ),
    Code.MISSING_IDS: Explanation(
        "Ids missing",
        "Published ids have no row in the file.",
        "Add a row for each of them; an empty list is a row, too.",
    ),
    Code.BAD_LABEL: Explanation(
        "Malformed prediction",
        "A predicted item or value is not written in the form that the competition uses.",
        "Write predictions as in the sample file.",
    ),
    Code.LINE_TOO_LONG: Explanation(
        "Line too long",
        "A line is longer than any that a good file can hold.",
        "Shorten the list of predictions.",
    ),
    Code.TOO_MANY_ROWS: Explanation(
        "Too many rows",
        "The file has more rows than there are ids.",
        "Write one row per published id.",
    ),
    Code.EXPANDED_TOO_LARGE: Explanation(
        "Too large when uncompressed",
        "The uncompressed text is larger than the competition takes.",
        "Send fewer or shorter predictions.",
    ),
    Code.ARCHIVE_TRUNCATED: Explanation(
        "Archive cut short",
        "The compressed file ends too early.",
        "Compress or upload it again.",
    ),
    Code.ARCHIVE_CORRUPT: Explanation(
        "Archive damaged",
        "The compressed file cannot be unpacked, or its checksum is wrong.",
        "Compress or upload it again.",
    ),
    Code.ARCHIVE_TRAILING_DATA: Explanation(
        "Data behind the archive",
        "Bytes follow behind the end of the compressed file.",
        "Compress it again.",
    ),
    Code.ARCHIVE_UNSUPPORTED: Explanation(
        "Archive not supported",
        "The archive is encrypted, nested, or of a kind that is not read here.",
        "Use gzip, zstd, or a plain zip with one file.",
    ),
    Code.ARCHIVE_MEMBERS: Explanation(
        "Wrong number of files in the archive",
        "The archive holds no file, or more than one.",
        "Pack exactly one file.",
    ),
    Code.UNSUPPORTED_MEDIA_TYPE: Explanation(
        "Unsupported kind of file",
        "The file is of a kind that is not read here.",
        "Send CSV or Parquet, plain or compressed.",
    ),
    Code.PARQUET_SCHEMA: Explanation(
        "Wrong Parquet columns",
        "The columns or their types are not those that the competition asks for.",
        "Write the columns of the sample file.",
    ),
    Code.PARQUET_ENCRYPTED: Explanation(
        "Encrypted Parquet",
        "The Parquet file is encrypted.",
        "Write it without encryption.",
    ),
    Code.PARQUET_CODEC: Explanation(
        "Parquet compression not supported",
        "A column is compressed with a codec that is not read here.",
        "Use snappy, zstd, gzip or none.",
    ),
    Code.PARQUET_CORRUPT: Explanation(
        "Damaged Parquet",
        "The Parquet file cannot be read.",
        "Write or upload it again.",
    ),
    Code.RESOURCE_LIMIT: Explanation(
        "Too much memory or time",
        "Reading the file used up the memory or the time that it may use.",
        "Send fewer or shorter predictions.",
    ),
    Code.METRIC_REFUSED: Explanation(
        "Refused by the metric",
        "The custom metric read the file and refused it; the text is the metric's own.",
        "Mend what the text says. It counts against the limit, since it may depend on the truth.",
    ),
    Code.BAD_JSON: Explanation(
        "Malformed JSON in the file",
        "A line, or an entry of the whole, is not JSON of the form that is read here.",
        "Mend the line or the entry that the problem names.",
    ),
    Code.BAD_NUMBER: Explanation(
        "Malformed number",
        "A number is missing, not finite, or outside its range.",
        "Write a plain decimal number.",
    ),
    Code.BAD_USAGE: Explanation(
        "Unknown split",
        "The column “Usage” is missing, contradicts itself, or names a split that there is not.",
        "Write Public, Private or Ignored, once per query.",
    ),
    Code.DUPLICATE_LABEL: Explanation(
        "Label appears twice",
        "A ground truth names the same item twice for one query.",
        "Keep one of them.",
    ),
    Code.ZERO_DENOMINATOR: Explanation(
        "Nothing to score",
        "No query of a split has a relevant item, so its score has no denominator.",
        "Add labels, or move queries to other splits.",
    ),
    Code.UNPUBLISHED_SESSION: Explanation(
        "Id not published",
        "The ground truth has labels for an id that is not among the published ids.",
        "Remove them, or publish the ids anew.",
    ),
    # Of raw sessions only; their other codes mean what those above mean.
    RawCode.BAD_EVENT: Explanation(
        "Malformed event",
        "An event has no item, time or type that can be read.",
        "Mend the line that the problem names.",
    ),
    RawCode.DUPLICATE_SESSION: Explanation(
        "Session appears twice",
        "Two lines, or two files, hold the same session.",
        "Keep one of them.",
    ),
    RawCode.TOO_LARGE: Explanation(
        "Too large",
        "The text of the file is longer than the competition takes.",
        "Send fewer sessions.",
    ),
    RawCode.EMPTY_TEST_SET: Explanation(
        "Empty test set",
        "No session starts within the days that were to be split off.",
        "Split off more days.",
    ),
}


FILE_STATUS = 422
FILE_STATUSES: Mapping[str, int] = {Code.EXPANDED_TOO_LARGE: 413, Code.UNSUPPORTED_MEDIA_TYPE: 415}
"""The statuses of a file's problems that are not those of wrong input."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a code in one place: for a request, or in a file. `statuses` are the HTTP
    statuses of answers that carry it."""

    code: str
    place: Literal["request", "file"]
    statuses: tuple[int, ...]
    title: str
    reason: str
    remedy: str


def title_of(code: OurCode | ForeignCode) -> str | None:
    """Finds the title that `/problems/<code>` shows; None for an unknown code. A plain text is
    looked up among the problems of files first."""
    if code in FILES and not isinstance(code, OurCode):
        return FILES[code].title
    request = CODES.get(code)
    return None if request is None else request.explanation.title


def meanings(code: str | None = None) -> Iterator[Meaning]:
    """Yields all meanings, or those of one code: a code may mean one thing in a request and another
    in a file."""
    for error in sorted(CODES.values()):
        if code in (None, error):
            yield Meaning(str(error), "request", error.statuses, *error.explanation)
    for problem, explanation in sorted(FILES.items()):
        if code in (None, problem):
            statuses = (FILE_STATUSES.get(problem, FILE_STATUS),)
            yield Meaning(str(problem), "file", statuses, *explanation)

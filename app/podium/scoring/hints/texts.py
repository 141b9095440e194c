"""Defines the advice that follows a problem of a submission, each text once.

Every reader takes its texts from here, and the page that checks a file before the upload gets all
of them, so that command line, server and browser show the same. Braces are filled by position.
"""

from __future__ import annotations

from enum import StrEnum

from podium.scoring.task import MAX_ITEM, MAX_SESSION

LONGEST_ITEM_BYTES = 64
"""The most bytes of an item, or of a session, where they are compared as text."""

LONGEST_NUMBER_BYTES = 64
"""The most characters of a number."""

LARGEST_NUMBER = 1e100
"""The largest absolute value of numbers of pairs: squares of errors stay finite."""

_TEXT = f"1 to {LONGEST_ITEM_BYTES} printable ASCII characters"


class Hint(StrEnum):
    """Advice for each problem; `format` fills the braces."""

    # The first line.
    BLANK_FIRST = "The first line is blank. Remove it."
    TWO_MARKS = "The file begins with two byte order marks. Remove one."
    SEP_LINE = "Remove the first line, which only Excel understands."
    JSON = "This looks like JSON. Send a CSV file."
    JSON_LAYOUTS = "JSON is an object on each line, an object by id, or an array of objects."
    RUN_MISPLACED = "TREC runs are read where there is one objective and items are ranked."
    NO_RUN = "Send CSV; or, for one objective, a TREC run of six fields: {}."
    SEPARATED = "The columns are separated by {}. Use commas."
    INDEX_COLUMN = "The first column is an index. With pandas, write with index=False."
    NO_HEADER = "The header is missing: the first line is a row."
    NAME_TWICE = "A column name occurs twice."
    LONG_FORM = "Send one row for each id, with its items on one line, the best first."
    SURPLUS_COLUMNS = "Remove all other columns. With pandas, use index=False."
    EXACT_NAMES = "Write the column names exactly so: same case, no spaces around them."
    COMPOSED_NAMES = "Copy the column names: these have other Unicode forms (NFC, NFD) of letters."
    RENAME = "Rename {} to {}."
    COLUMN_MISSING = "A column is missing: {}."
    COLUMNS_MISSING = "Columns are missing: {}."
    EXACT_COLUMNS = "The first line must hold exactly these {} column names, separated by commas."

    # Text.
    SEND_KNOWN = "Send CSV (plain, gzip, zstd, or one file in a zip) or Parquet{}."
    SEND_TEXT = "Send a CSV file, plain or compressed, or Parquet."
    ERROR_PAGE = "A login or error page may have been saved instead."
    SAVE_AS_UTF_8 = "Save it as UTF-8."
    NO_TEXT = "Send a header and one row for each published {}."
    AS_UTF_8 = "Save the file as UTF-8."
    LOOKS_ENCODED = (
        "It looks like {}. Save the file as UTF-8: in Excel as “CSV UTF-8”, or by `iconv -f {}"
        " -t UTF-8 FILE > NEW`."
    )
    LINE_ENDS = "End lines with LF or CR LF."
    BLANK_LINE = "Blank lines are allowed at the end only."
    SPACES_ALONE = "Remove the line."
    CTRL_Z = "Old DOS programs end a file with it. Remove it."
    OPEN_QUOTE = "A row is one line: line ends inside quotes are not allowed here."
    STRAY_QUOTE = "Quotes must enclose the whole field, or be left out."

    # Rows.
    ROW_OF_LISTS = "A row is an id, one comma, and items separated by spaces."
    ROW_OF_PAIRS = "A row is {} and {}, with commas between them."
    ROW_OF_TABLES = "A row is an id and {}, with commas between them; quote texts with commas."
    AS_THE_HEADER = (
        "A row has as many fields as the header. Separate items by spaces, and quote texts with"
        " commas."
    )
    ONE_HEADER = "Files were joined with their headers. Remove the line."
    PYTHON_LIST = "This looks like a Python list. Write ' '.join(map(str, items))."
    ID_ONCE = "Send each id once."
    PAIR_ONCE = "Send each pair once."
    QUERY_ONCE = "Send one row for each query, with all its candidates: 5 7 9."
    ITEMS_TOGETHER = "Its items stand on one line, the best first, joined by spaces: 5 7 9."
    ITEM_A_ROW = "Send a row for each item, with nothing but the item in its column."
    ITEM_ONCE = "Name each item of a list once."

    # Ids and items.
    AS_INTEGERS = "Write whole numbers: 5 instead of 5.0. Cast the column to integers first."
    EXPONENT = "Write all digits, without an exponent. Read the column as integers or as text."
    THOUSANDS = "Write no commas between thousands: 1234567."
    OBJECTIVE = "The part after the session is one of: {}."
    WHOLE_QUERY = f"An id looks like {{}}: up to {MAX_SESSION}, no sign, spaces or leading zero."
    TEXT_QUERY = f"An id looks like {{}}: {_TEXT}, no spaces, commas or quotes."
    WHOLE_ID = f"An id is a whole number up to {MAX_SESSION}, without sign, spaces or leading zero."
    TEXT_ID = f"Ids are {_TEXT} without spaces, commas or quotes."
    WHOLE_USER = (
        f"A {{}} is a whole number up to {MAX_SESSION}, without sign, spaces or leading zero."
    )
    WHOLE_ITEM = f"An item is a whole number of at most 10 digits, up to {MAX_ITEM}."
    WHOLE_ITEMS = (
        f"Items are whole numbers of at most 10 digits, up to {MAX_ITEM}, separated by spaces."
    )
    TEXT_ITEMS = f"Items are {_TEXT} without quotes."
    SPACES_BETWEEN = "Separate items by spaces, not {}."
    BRACKETS = "Write the items only, without the brackets of a list: 5 7 9."
    NEGATIVE_ITEM = (
        "Items are not negative. Leave the field empty where there is nothing to predict."
    )
    NO_ITEM = "Leave the field empty where there is nothing to predict."
    UNPUBLISHED_ID = "Send the ids of the sample submission and no others."
    UNPUBLISHED_PAIR = "Send the pairs of the sample submission and no others."
    MISSING_LISTS = "Send one row for each published id; its labels may be empty."
    MISSING_PAIRS = "Send a row with a number for each published pair."
    MISSING_ROWS = "Send one row for each published id."

    # Numbers.
    NO_NUMBER = "Predict a finite number for every pair; there is no word for none."
    DECIMAL = "Write a decimal number, as in 3.5, -2 or 1e-3."
    LONG_NUMBER = f"A number has at most {LONGEST_NUMBER_BYTES} characters."
    PADDED_NUMBER = "Remove the spaces around the number."
    BARE_POINT = "Write digits on both sides of the point: 0.5 and 5.0, or 5."
    DECIMAL_COMMA = "Write a point before the decimals and nothing between thousands, as in 1234.5."
    PROBABILITY = "Probabilities lie between {} and {}."
    NUMBER_RANGE = "Numbers lie between {} and {}."

    # Tables.
    FIELD_MISSING = "Send a value for every id; no field may be missing here."
    FIELD_NOTHING = "Send a finite number for every id; there is no word for none."
    FIELD_OPTIONAL = "Leave the field empty where there is no value."
    INTEGER_RANGE = "Whole numbers lie between {} and {}."
    WHOLE_NUMBER = "Write whole numbers, without a point or an exponent."
    TRUTH_NUMBER = "This column holds numbers: write 1 and 0."
    TRUTH_VALUE = "Write true or false, or 1 or 0."
    TRUTH_OPTIONAL = "Write true or false, or 1 or 0, or leave the field empty."
    CATEGORY_SPELLING = "Write it exactly so: {}."
    LABELS = "Separate labels by spaces, and name each once."
    CONTROLS = "Remove control characters."
    TEXT_LENGTH = "At most {} characters are allowed."

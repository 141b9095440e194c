"""Tables whose columns are separated by other signs than commas, as spreadsheets save them."""

from __future__ import annotations

SAVE_WITH_COMMAS = (
    "In Excel, save as “CSV UTF-8 (Comma delimited)”; if that writes semicolons, first set the"
    " decimal separator to a point under Options, Advanced. In LibreOffice, choose a comma as the"
    " field delimiter. In Google Sheets, also on a phone, download or save it as CSV."
)
"""The way to a file with commas. Where numbers have a decimal comma, Excel separates columns by
semicolons, whatever its format is called."""


def separator_of(header: str) -> str | None:
    """The sign that separates the columns in place of commas, in words; None where commas do, or
    nothing.

    >>> separator_of("user;items"), separator_of("user,items"), separator_of("user")
    ('semicolons', None, None)
    """
    if "," in header:
        return None
    names = {";": "semicolons", "\t": "tabs"}
    return next((name for sign, name in names.items() if sign in header), None)

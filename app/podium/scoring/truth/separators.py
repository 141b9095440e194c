"""Detects tables whose columns are separated by other characters than commas, as spreadsheets save
them."""

from __future__ import annotations

SAVE_WITH_COMMAS = (
    "In Excel, save as “CSV UTF-8 (Comma delimited)”; if that writes semicolons, first set the"
    " decimal separator to a point under Options, Advanced. In LibreOffice, choose a comma as the"
    " field delimiter. In Google Sheets, also on a phone, download or save it as CSV."
)
"""Advice on saving a file with commas. Where numbers have a decimal comma, Excel separates columns
by semicolons, in every CSV format."""


def separator_of(header: str) -> str | None:
    """Names the character that separates the columns in place of commas; None where commas do, or
    there is none.

    >>> separator_of("user;items"), separator_of("user,items"), separator_of("user")
    ('semicolons', None, None)
    """
    if "," in header:
        return None
    names = {";": "semicolons", "\t": "tabs"}
    return next((name for sign, name in names.items() if sign in header), None)

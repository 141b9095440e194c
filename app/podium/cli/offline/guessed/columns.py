"""The columns of a submission as an option names them."""

from __future__ import annotations

from podium.errors import NotConfigured


def columns_named(columns: str | None, example: str, *, exactly: bool = True) -> list[str] | None:
    """The columns that an option names, as many as an example has, or else any number from two on;
    None without the option. Raises `NotConfigured`."""
    if columns is None:
        return None
    names, count = [name.strip() for name in columns.split(",")], len(example.split(","))
    is_wrong = len(names) != count if exactly else len(names) < count
    if is_wrong or len(set(names)) != len(names) or not all(names):
        how_many = f"{count} names" if exactly else f"at least {count} names"
        raise NotConfigured(f"--columns {columns}: {how_many}, for example {example}.")
    return names

"""Documents about archives that the API answers with."""

from __future__ import annotations

from pydantic import BaseModel


class ImportedOut(BaseModel):
    """What an import made; `rows` counts what it holds by table."""

    id: str
    slug: str
    rows: dict[str, int]

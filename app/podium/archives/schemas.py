"""Documents about archives that the API answers with."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.http import examples
from podium.http.members import Id
from podium.http.schemas import Document


class ImportedOut(Document):
    """The competition that an import made."""

    id: Annotated[Id, Field(examples=[examples.COMPETITION])]
    slug: str
    """The slug of the new competition."""
    rows: dict[str, int]
    """The number of rows that it holds, by table."""

"""Documents that the API returns about archives."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.http import examples
from podium.http.members import Id
from podium.http.schemas import Document


class ImportedOut(Document):
    """The imported competition."""

    id: Annotated[Id, Field(examples=[examples.COMPETITION])]
    slug: str
    """The slug of the new competition."""
    rows: dict[str, int]
    """The number of imported rows, by table."""

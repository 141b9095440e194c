"""The objects that all examples of the description share: one competition, a team, its member and
its submission, with ids as the server creates them."""

from __future__ import annotations

ADMINISTRATOR = "01a1961f-5d4b-74c1-83b1-612dd272d137"

ADA = "01a19656-4d05-71c1-9149-d439536b3216"

COMPETITION = "01a1968d-3afc-7dae-bb97-5729fae923d5"

GROUND_TRUTH = "01a19691-cfe7-7a4f-b12a-abfe228f219e"

TEAM = "01a19b53-74c3-7cb0-bb53-f16947ccf25e"

EARLIER_SUBMISSION = "01a209ac-0ddb-784d-adbc-74254770f589"

SUBMISSION = "01a20d6d-5a04-74db-a41e-cccc3fc1626e"

UPLOAD = "01a20d6b-85e6-73a1-8043-b026c48bbf33"

OTHER = "01a20cc8-9148-78b5-a7a7-67c76fb008f8"
"""Anything else that has an id: a link, a token, a request, a rejudging, an announcement."""

REQUEST = "01a20d6d-5ac6-7beb-a273-7f6a6f0fb23c"

BEARER = "bMJsMEVLOCSgMk3xQXcyToVnkA8c6L0FwD4PnmY_vpw"

LINK_CODE = "SHIvYglrzS6x8ZvAIQ98-eNOtuwegTNj1yk8F3jbC1k"

INVITE_CODE = "IH9JPjOrAIQT6JVpxEfINg"

FILE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

CANONICAL_HASH = "7a5356659c5b128bf2a1cfa958aca12b66573ecc89e0089dd5a74018541868aa"

TEXT_HASH = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"

FILE_PROBLEM = {
    "code": "unknown-id",
    "line": 3,
    "id": "17_click",
    "column": "session_type",
    "detail": "“17_click” is not one of the published ids.",
    "hint": "Did you mean “17_clicks”?",
}
"""The problem of a file that is at fault."""

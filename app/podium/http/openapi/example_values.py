"""Examples of members that have none at their field: by name where it means the same in several
documents, else whole objects by document and name. Together they describe one competition, and Team
Ada's submission to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.fields import example_of
from podium.core.competition_settings.texts import Texts
from podium.http import examples as of
from podium.scoring.task import OTTO

_METRIC = {
    "id": "recall_capped@20",
    "full_id": "recall_capped@20:micro",
    "name": "recall_capped",
    "k": 20,
    "average": "micro",
    "formula": "hits among the first 20 items / min(20, relevant items)",
    "source": "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)",
    "higher_is_better": True,
}

_WEIGHTS = {each.name: float(each.weight) for each in OTTO.objectives}

_SETTINGS = {"objectives": _WEIGHTS, "metric": {"name": "recall_capped", "k": 20}, "decimals": 5}

_ESTIMATE = {"value": 0.57098, "standard_error": 0.00072, "interval": [0.56957, 0.57239]}

_COUNTS = {"queries": 579_032, "labels": 579_032, "denominator": 579_032}

_SEGMENT = {
    "group": "1",
    "sessions": 551_893,
    "score": None,
    "objectives": {"orders": {"value": None, "queries": None, "labels": 31_206, "found": 20_415}},
}

_ADA = {"id": of.ADA, "name": "ada"}

_TEAM = {"id": of.TEAM, "name": "Team Ada"}

_EARLIER = {
    "submission_id": of.EARLIER_SUBMISSION,
    "team": {"id": of.OTHER, "name": "Team Bob"},
    "submitted_at": "2026-11-23T18:30:00Z",
    "sha256": of.FILE_HASH,
}

_MISSING = {
    "code": "missing-ids",
    "line": None,
    "id": "17_orders",
    "column": None,
    "detail": "1 published id has no row.",
    "hint": "Write one row for each id of the sample submission.",
}

_ENDS = ("closed", "finished", "retired", "revealed", "revoked", "stopped")

PEOPLE: Mapping[str, object] = {
    "account": _ADA,
    "created_by": {"id": of.ADMINISTRATOR, "name": "administrator"},
    "members": [_ADA],
    "organizers": [{"id": of.ADMINISTRATOR, "name": "administrator"}],
    "people": [_ADA],
    "person": _ADA,
    "submitted_by": _ADA,
}
"""Examples of members that hold accounts, by name; all others that refer to a `Person` hold a
team."""

_SETTINGS_BY_NAME = {
    name: example_of(declared)
    for model in (Texts, CompetitionSettings)
    for name, declared in model.model_fields.items()
}

BY_NAME: Mapping[str, object] = {
    **_SETTINGS_BY_NAME,
    **{f"{act}_at": None for act in (*_ENDS, "frozen", "starts", "used")},
    "accepted_at": "2026-11-02T08:15:00Z",
    "address": "203.0.113.7",
    "at": "2026-11-24T12:00:41Z",
    "bytes": 821_000_000,
    "canonical_sha256": of.CANONICAL_HASH,
    "code": of.LINK_CODE,
    "column": "labels",
    "competition": "otto",
    "counting": [of.SUBMISSION],
    "created_at": "2026-11-02T08:15:00Z",
    "decided_at": "2026-11-24T12:30:00Z",
    "definition": "Σ hits / min(m, K): recall whose denominator is capped at K.",
    "done": 120,
    "empty": 12,
    "error_count": 1,
    "expires_at": "2026-12-01T12:00:00Z",
    "filename": "submission.csv",
    "formula": "hits among the first 20 items / min(20, relevant items)",
    "ground_truth_version": 1,
    "higher_is_better": True,
    "hits": {"clicks": {"public": {"hits": 303_412, "denominator": 579_032}}},
    "hint": "Write one row for each id of the sample submission.",
    "interval": [0.56957, 0.57239],
    "invite_code": of.INVITE_CODE,
    "is_new": True,
    "k": 20,
    "label": "laptop",
    "launched_at": "2026-11-01T10:30:00Z",
    "line": 2,
    "made_by": None,
    "mail": "ada@example.org",
    "members": ["ada"],
    "merged_into": None,
    "name": "ada",
    "next_cursor": None,
    "note": "v3",
    "objective_metrics": dict.fromkeys(_WEIGHTS, _METRIC),
    "objectives": _WEIGHTS,
    "oldest_waiting_seconds": 3,
    "organizer": False,
    "private": None,
    "private_rank": 2,
    "public": 0.57123,
    "public_share": 0.33,
    "published_ids": 5_015_409,
    "rank": 1,
    "reason": "two people shared an account",
    "refusal": None,
    "replaces": None,
    "request_id": of.REQUEST,
    "row": None,
    "rows": 5_015_409,
    "score": 0.57123,
    "seats": 30,
    "seats_taken": 12,
    "sessions": 1_671_803,
    "settings": _SETTINGS,
    "sha256": of.FILE_HASH,
    "since": "2026-11-24T12:00:00Z",
    "source": "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)",
    "submission_id": of.SUBMISSION,
    "submission_ids": [of.SUBMISSION],
    "submissions": 3,
    "submitted_at": "2026-11-24T12:00:00Z",
    "tags": [],
    "team_id": of.TEAM,
    "text": "The private board is out: see the page **Finale**.",
    "times": 1,
    "token": of.BEARER,
    "total": 120,
    "updated_at": "2026-11-24T12:00:41Z",
    "upload_id": of.UPLOAD,
    "user_id": of.ADA,
    "version": 1,
    "waiting": 2,
    "warnings": [],
}

IN_DOCUMENT: Mapping[str, dict[str, Any]] = {
    "AlikePair": {"identical": True, "second": _EARLIER},
    "Comparison": {
        "splits": {
            "public": {
                "sessions": 551_695,
                "method": "closed-form",
                "replicates": None,
                "submissions": [
                    {"score": _ESTIMATE, "objectives": {"clicks": _ESTIMATE}, "metrics": {}}
                ],
                "pairs": [],
            }
        }
    },
    "Credentials": {"team": None},
    "Difference": {"interval": [0.00031, 0.00249]},
    "GroundTruthVersion": {
        "counts": {"sessions": 1_671_803, "queries": 2_194_407, "labels": 2_901_552},
        "objectives": {"clicks": {"public": _COUNTS}},
    },
    "Imported": {"rows": {"teams": 2600, "submissions": 14_210}},
    "ListStatistics": {
        "objectives": {
            "clicks": {
                "k": 20,
                "lists": 1_671_803,
                "empty": 12,
                "full": 1_671_791,
                "items": 33_435_820,
            }
        }
    },
    "NewCompetition": {"starts_at": "2026-11-01T12:00:00Z"},
    "Person": _TEAM,
    "Problem": {"detail": "1 published id has no row.", "errors": [_MISSING]},
    "ProblemPart": {"detail": "The id 17_orders has no row.", "id": "17_orders", "line": None},
    "Queue": {"by_state": {"queued": 1, "judging": 1, "scored": 14_203, "rejected": 5}},
    "RejudgedSettings": {"diagnostics": ["mrr@20"]},
    "RosterPerson": {"team": "Engines"},
    "Segment": {"score": None} | {key: _SEGMENT[key] for key in ("objectives", "sessions")},
    "Segments": {
        "splits": {"public": {"popularity": [_SEGMENT]}},
        "differences": {
            "public": {"popularity": {"clicks": {"miss_rate": 0.47, "mred": 0.08, "largest": 0.21}}}
        },
    },
    "TeamObjectives": {"objectives": {"clicks": {"public": 0.52401, "private": None}}},
}
"""Examples that differ from those by name, and objects: at a field the members of an object would
be sorted. Documents that extend others with an example at the field are here, too."""

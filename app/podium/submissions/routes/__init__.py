"""The API of submissions, combined from its modules."""

from podium.http.routing import combined
from podium.submissions.routes import (
    activity,
    disqualification,
    events,
    receipts,
    selection,
    submissions,
    uploads,
)

router = combined(activity, disqualification, events, receipts, selection, submissions, uploads)

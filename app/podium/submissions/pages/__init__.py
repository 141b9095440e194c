"""Pages of submissions, for teams and organizers."""

from podium.http.routing import combined
from podium.submissions.pages import organizing, submission, submissions, submit

router = combined(organizing, submissions, submission, submit)

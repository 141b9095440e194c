"""Pages of an installation: the administrator's, and the explanations of all error codes."""

from podium.http.routing import combined
from podium.operations.pages import administration, problems

router = combined(administration, problems)

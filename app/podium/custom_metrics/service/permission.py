"""The permission to run code of organizers on this installation."""

from __future__ import annotations

from podium.errors import NotAllowed
from podium.errors.codes import ErrorCode
from podium.sandbox import Sandbox


def require_allowed(sandbox: Sandbox) -> None:
    """Raises `NotAllowed` (`metrics-off`) with what the operator can do about it."""
    reason = sandbox.custom_metrics_refusal()
    if reason is not None:
        raise NotAllowed(reason, code=ErrorCode.METRICS_OFF)

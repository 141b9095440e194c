"""Checks that this installation may run code of organizers."""

from __future__ import annotations

from podium.errors import NotAllowed
from podium.errors.codes import ErrorCode
from podium.sandbox import Sandbox


def require_allowed(sandbox: Sandbox) -> None:
    """Raises `NotAllowed` (`metrics-off`), which says what the operator can do, if it may not."""
    reason = sandbox.custom_metrics_refusal()
    if reason is not None:
        raise NotAllowed(reason, code=ErrorCode.METRICS_OFF)

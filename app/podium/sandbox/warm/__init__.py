"""Warm children: forked from a process that has loaded what a task needs and has seen nothing else.

`starting` is the server's side, `process` the warm process's; nothing else knows of either.
"""

from __future__ import annotations

NEVER = "never"
"""The first word of a warm process that will never fork; the reason follows."""

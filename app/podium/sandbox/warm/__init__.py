"""Warm children: forked from a process that has loaded what a task needs and has read no data.

`starting` is the server's side, `process` the warm process's; no other module uses either.
"""

from __future__ import annotations

NEVER = "never"
"""The first word of a reply that no child can ever be forked; the reason follows."""

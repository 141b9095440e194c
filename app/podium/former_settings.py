"""Former names and values of settings, which are still read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

NAMES: Mapping[str, str] = {
    "PODIUM_ORGANIZER_METRICS": "PODIUM_CUSTOM_METRICS",
    "PODIUM_ORGANIZER_METRIC_SECONDS": "PODIUM_CUSTOM_METRIC_SECONDS",
}
"""Names of today, by the former ones."""

VALUES: Mapping[str, Mapping[str, str]] = {
    "PODIUM_CUSTOM_METRICS": {"on-without-walls": "on-unsandboxed"}
}
"""Values of today, by the names of today and the former values."""


def value_in(environment: Mapping[str, str], name: str) -> str:
    """The value of a setting by its name of today, as that is called today; "" if it is not set."""
    value = _given(environment, name)
    return VALUES.get(name, {}).get(value, value)


def advice(environment: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each former name and value in an environment."""
    for former, new in NAMES.items():
        if environment.get(former):
            yield f"{former} is {new} now. Rename it; the old name is read for now."
    for name, values in VALUES.items():
        value = _given(environment, name)
        if value in values:
            yield f"{name}={value} is {values[value]} now. Change it; it is read for now."


def _given(environment: Mapping[str, str], name: str) -> str:
    """The value by the name of today, or else by a former one."""
    names = (name, *(former for former, new in NAMES.items() if new == name))
    return next(filter(None, map(environment.get, names)), "")

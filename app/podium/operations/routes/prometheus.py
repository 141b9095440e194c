"""Metrics of an installation in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from podium import __version__
from podium.core.judging_states import State
from podium.operations.service.progress import BOUNDS, InstallationFigures

KINDS = ("upload", "rejudging")
"""Classes of judgings, as `progress` names them; all are exposed, also at 0."""


class Numbers(Collector):
    """The families of numbers of one scrape."""

    def __init__(
        self,
        seen: InstallationFigures,
        free_bytes: int | None,
        isolation: Mapping[str, bool],
        mails: Mapping[str, int],
    ) -> None:
        self._mails = mails
        self._isolation = isolation
        self._seen = seen
        self._free_bytes = free_bytes

    def collect(self) -> Iterator[Metric]:
        """Yields each family."""
        yield from self._of_the_installation()
        yield from self._of_the_queue()
        yield self._durations()
        yield from self._of_verdicts()
        yield self._of_mail()

    def _of_the_installation(self) -> Iterator[Metric]:
        seen = self._seen
        build = GaugeMetricFamily("podium_build", "1, by the version.", labels=["version"])
        yield _by_label(build, {__version__: 1})
        yield _gauge("podium_workers", "Workers with a recent heartbeat.", seen.progress.workers)
        ages = GaugeMetricFamily(
            "podium_worker_heartbeat_age_seconds",
            "Since the last heartbeat of a host's workers that have not said goodbye.",
            labels=["host"],
        )
        yield _by_label(ages, seen.heartbeat_ages)
        if self._free_bytes is not None:
            yield _gauge("podium_storage_free_bytes", "Room left for files.", self._free_bytes)
        yield _gauge(
            "podium_backup_age_seconds",
            "Since the last good backup; infinite without any.",
            seen.backup_age_seconds,
        )
        isolation = GaugeMetricFamily(
            "podium_sandbox_wall",
            "1 for each restriction of the sandbox that is in place here.",
            labels=["wall"],
        )
        yield _by_label(isolation, self._isolation)
        yield _gauge("podium_uploads", "Uploads under way.", seen.progress.uploads)
        yield _counter("podium_submissions", "Submissions taken in.", seen.submissions)
        yield _counter("podium_submission_bytes", "Bytes of their files.", seen.submission_bytes)

    def _of_the_queue(self) -> Iterator[Metric]:
        seen = self._seen
        yield _gauge(
            "podium_judgings_waiting", "Judgings without a verdict.", seen.progress.waiting
        )
        yield _gauge(
            "podium_judgings_oldest_waiting_seconds",
            "Age of the oldest judging of an upload without a verdict.",
            seen.progress.oldest_waiting_seconds,
        )
        labels = ["kind", "state"]
        depth = GaugeMetricFamily("podium_queue_depth", "Judgings by class.", labels=labels)
        age = GaugeMetricFamily(
            "podium_queue_age_seconds", "Age of the oldest of each class.", labels=labels
        )
        found = {(each.kind, each.state): each for each in seen.queued}
        for kind in KINDS:
            for state in (State.QUEUED, State.RUNNING):
                each = found.get((kind, state))
                depth.add_metric([kind, state], each.judgings if each else 0)
                age.add_metric([kind, state], each.oldest_seconds if each else 0.0)
        yield depth
        yield age

    def _durations(self) -> Metric:
        family = HistogramMetricFamily(
            "podium_judging_seconds",
            "From the last lease to the verdict, of scored and rejected files.",
            labels=["kind"],
        )
        for kind in KINDS:
            found = self._seen.durations.get(kind)
            within = found.within if found else (0,) * len(BOUNDS)
            count, seconds = (found.judgings, found.seconds) if found else (0, 0.0)
            buckets = [(str(bound), n) for bound, n in zip(BOUNDS, within, strict=True)]
            infinite = ("+Inf", count)
            family.add_metric([kind], [*buckets, infinite], seconds if count else 0.0)
        return family

    def _of_verdicts(self) -> Iterator[Metric]:
        verdicts = CounterMetricFamily(
            "podium_verdicts", "Judgings that ended, by their state.", labels=["state"]
        )
        ended = self._seen.progress.judgings
        final = (state for state in State if state.is_final)
        yield _by_label(verdicts, {state.value: ended.get(state, 0) for state in final})
        rejected = CounterMetricFamily(
            "podium_rejected", "Rejected judgings, by the problem's code.", labels=["code"]
        )
        yield _by_label(rejected, dict(sorted(self._seen.rejected.items())))

    def _of_mail(self) -> Metric:
        mails = CounterMetricFamily(
            "podium_mails", "Mails of this process, by their outcome.", labels=["outcome"]
        )
        return _by_label(mails, self._mails)


def _by_label(
    family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float]
) -> Metric:
    """Adds a number for each value of the family's label."""
    for label, value in values.items():
        family.add_metric([label], value)
    return family


def _gauge(name: str, meaning: str, value: float) -> Metric:
    family = GaugeMetricFamily(name, meaning)
    family.add_metric([], value)
    return family


def _counter(name: str, meaning: str, value: float) -> Metric:
    family = CounterMetricFamily(name, meaning)
    family.add_metric([], value)
    return family

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
"""Classes of judgings, as `progress` names them; all are told, also at 0."""


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
        build.add_metric([__version__], 1)
        yield build
        yield _gauge("podium_workers", "Workers with a recent heartbeat.", seen.progress.workers)
        ages = GaugeMetricFamily(
            "podium_worker_heartbeat_age_seconds",
            "Since the last heartbeat of a host's workers that have not said goodbye.",
            labels=["host"],
        )
        for host, age in seen.heartbeat_ages.items():
            ages.add_metric([host], age)
        yield ages
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
        for name, is_in_place in self._isolation.items():
            isolation.add_metric([name], is_in_place)
        yield isolation
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
        for state in (state for state in State if state.is_final):
            verdicts.add_metric([state.value], self._seen.progress.judgings.get(state, 0))
        yield verdicts
        rejected = CounterMetricFamily(
            "podium_rejected", "Rejected judgings, by the problem's code.", labels=["code"]
        )
        for code, count in sorted(self._seen.rejected.items()):
            rejected.add_metric([code], count)
        yield rejected

    def _of_mail(self) -> Metric:
        mails = CounterMetricFamily(
            "podium_mails", "Mails of this process, by their outcome.", labels=["outcome"]
        )
        for outcome, count in self._mails.items():
            mails.add_metric([outcome], count)
        return mails


def _gauge(name: str, meaning: str, value: float) -> Metric:
    family = GaugeMetricFamily(name, meaning)
    family.add_metric([], value)
    return family


def _counter(name: str, meaning: str, value: float) -> Metric:
    family = CounterMetricFamily(name, meaning)
    family.add_metric([], value)
    return family

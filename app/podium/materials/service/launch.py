"""The launch: a checklist of what must hold before anybody competes, and then the first phase.

The probes run in the sandbox between two transactions; they are not submissions. What was checked
is compared once more before the competition opens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import Session

from podium.competitions.service.competitions import FROM_LIST
from podium.core import audit, lookups
from podium.core.access import Actor, competition_for_organizer
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of, task_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, PublishedIdList
from podium.custom_metrics.service import probing
from podium.custom_metrics.service.probing import CustomProbes
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.errors.reasons import sentence
from podium.jobs.means import Means
from podium.materials import queries
from podium.materials.rules.checks import Check
from podium.materials.rules.custom_metric_checks import custom_metric_checks
from podium.materials.rules.pair_checks import order_checks, pair_checks
from podium.materials.rules.public_part import public_part
from podium.materials.rules.table_checks import table_checks
from podium.materials.service import custom_metrics, item_files
from podium.materials.service.ground_truth_reading import PUBLISHED_AREA
from podium.sandbox.answers import good_answer
from podium.sandbox.definitions.launches import Probe, Probed
from podium.scoring.kinds import kind_of
from podium.scoring.scores.extremes import SplitExtremes
from podium.scoring.task import Task
from podium.storage import Area

MAX_BY_CHANCE = 0.2
"""Share of the optimum that guesses among the labelled items may reach without a warning."""

MAX_NAMED = 5
"""Missing pictures that are named."""

_SHOWN_PICTURE = re.compile(
    r"!\[[^\]]*\]\(\s*<?/api/v1/competitions/([a-z0-9-]{1,64})/files/([A-Za-z0-9][A-Za-z0-9._-]*)"
)
"""A picture in a text: its competition's slug, and its name."""

LARGEST_ERROR = 0.01
"""Standard error, as a share of the optimum, that a score may have without a warning."""


@dataclass(frozen=True, slots=True)
class Probes:
    """The inputs of the probes: the task, and the stored files of truth and ids."""

    task: Task
    truth_sha256: str
    published_sha256: str
    own: CustomProbes | None = None
    """The inputs of runs of the custom metric, where it scores."""

    def within(self, seconds: float) -> Probes:
        """The same with no longer runs of a custom metric than this installation allows."""
        return self if self.own is None else replace(self, own=self.own.within(seconds))


@dataclass(frozen=True, slots=True)
class PreparedLaunch:
    """The inputs of a launch, as they were before the probes."""

    competition_id: str
    version: int
    ground_truth: int
    probes: Probes
    checks: Sequence[Check]


def prepare_launch(
    session: ReadSession, *, actor: Actor, slug: str, code_refusal: str | None
) -> PreparedLaunch:
    """Checks what can be checked without the probes. `code_refusal` is the reason why no code of
    organizers is run here; None where it is.

    Raises `NotFound`, and `WrongState` (`already-launched`, `launch-checklist`).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    return _prepared(session, competition, code_refusal)


def probe(probes: Probes, means: Means) -> list[Check]:
    """Has a child score the perfect, the empty and the sample file; or has the custom
    metric score what it is tried on. Raises `NoAnswer`."""
    if probes.own is not None:
        own = probing.probe(probes.own, means)
        return custom_metric_checks(
            own,
            is_of_errors=probes.own.is_of_errors,
            is_reproducible=probes.own.is_reproducible,
        )
    with ExitStack() as files:
        truth = files.enter_context(means.storage.local(Area.GROUND_TRUTH, probes.truth_sha256))
        ids = files.enter_context(means.storage.local(PUBLISHED_AREA, probes.published_sha256))
        wanted = Probe(
            task=probes.task, published=ids, truth=truth, truth_sha256=probes.truth_sha256
        )
        result = means.run(wanted)
    answer = good_answer(result)
    if kind_of(probes.task.kind).has_table:
        return [*table_checks(answer), _sample_check(answer)]
    if kind_of(probes.task.kind).has_numbers:
        return [*pair_checks(answer, probes.task), _sample_check(answer)]
    return _probe_checks(answer)


def checklist(
    session: ReadSession, *, actor: Actor, slug: str, code_refusal: str | None
) -> tuple[PreparedLaunch | None, list[Check]]:
    """The checks of a launch as far as they need no probe; and the inputs of the probes where they
    can be made. Raises `NotFound` and `WrongState` (`already-launched`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    prepared, checks = _looked_at(session, competition, code_refusal)
    return (None if _broken(checks) else prepared), checks


def launch(
    session: WriteSession,
    *,
    actor: Actor,
    slug: str,
    prepared: PreparedLaunch,
    probed: Sequence[Check],
    code_refusal: str | None,
) -> tuple[Competition, list[Check]]:
    """Opens the competition and answers the whole checklist.

    Raises `WrongState`: `launch-checklist` with all musts that do not hold, `already-launched`,
    or `changed-meanwhile`.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    if _prepared(session, competition, code_refusal) != prepared:
        raise WrongState(
            "The competition was changed while it was checked. Launch it again.",
            code=ErrorCode.CHANGED_MEANWHILE,
        )
    checks = [*prepared.checks, *probed]
    _require_musts(checks)
    competition.launched_at = database_now(session)
    competition.version += 1
    session.flush()
    audit.record(
        session,
        actor,
        "competition.launch",
        competition,
        ground_truth=prepared.ground_truth,
        warnings=[check.code for check in checks if not check.passed],
    )
    return competition, checks


def _prepared(
    session: Session, competition: Competition, code_refusal: str | None
) -> PreparedLaunch:
    prepared, checks = _looked_at(session, competition, code_refusal)
    _require_musts(checks)
    assert prepared is not None, "without a ground truth a must does not hold"
    return prepared


def _looked_at(
    session: Session, competition: Competition, code_refusal: str | None
) -> tuple[PreparedLaunch | None, list[Check]]:
    """The checks before the probes, and what is probed; None while there is no ground truth."""
    if competition.launched_at is not None:
        raise WrongState("This competition was launched already.", code=ErrorCode.ALREADY_LAUNCHED)
    truth = lookups.active_version(session, competition.id, competition.active_ground_truth)
    published = session.get(PublishedIdList, competition.id)
    settings = settings_of(competition)
    checks = [
        *_first_checks(session, competition, has_truth=truth is not None),
        *_secrecy_checks(session, competition.id),
        *_picture_checks(session, competition.id, settings.image),
        *_text_picture_checks(session, competition, settings),
        *custom_metrics.checks(session, competition, settings, code_refusal),
    ]
    if truth is None or published is None or truth.version is None or truth.sha256 is None:
        return None, checks
    summary = truth.summary or {}
    checks += _split_checks(summary["objectives"], settings)
    checks += [
        Check("ground-truth-warning", "", sentence(text), passed=False, is_must=False)
        for text in summary["warnings"]
    ]
    checks += _item_file_checks(session, competition, settings)
    checks += order_checks(settings.forms, is_listed=published.source == FROM_LIST)
    prepared = PreparedLaunch(
        competition_id=competition.id,
        version=competition.version,
        ground_truth=truth.version,
        probes=Probes(
            task_of(settings),
            truth.sha256,
            published.sha256,
            custom_metrics.probes(session, competition, settings),
        ),
        checks=checks,
    )
    return prepared, checks


def _item_file_checks(
    session: Session, competition: Competition, settings: CompetitionSettings
) -> list[Check]:
    return [
        Check(
            "item-file",
            need.text,
            f"{need.text} Upload such a file under “Ground truth”: it is missing or lacks this.",
            need.is_met,
        )
        for need in item_files.needs_of(session, competition.id, settings)
    ]


def _first_checks(session: Session, competition: Competition, *, has_truth: bool) -> list[Check]:
    ends_at = competition.ends_at
    return [
        Check(
            "ground-truth",
            "The ground truth is loaded and fits the settings.",
            "No ground truth that fits the settings is loaded. Upload one first.",
            has_truth,
        ),
        Check(
            "ends-at",
            "The closing date lies in the future." if ends_at else "No closing date is set.",
            "The closing date lies in the past. Change it in the settings.",
            ends_at is None or database_now(session) < ends_at,
        ),
    ]


def _secrecy_checks(session: Session, competition_id: str) -> list[Check]:
    hashes = queries.data_file_hashes(session, competition_id)
    if not hashes:
        return []
    return [
        Check(
            "labels-hidden",
            "No data file is the same file as the ground truth. Podium cannot tell whether a file"
            " contains the answers in another form. Please check.",
            "A data file is the ground truth itself, and participants could download it. Delete it"
            " under “Data files”.",
            not queries.is_ground_truth(session, competition_id, hashes),
        )
    ]


def _picture_checks(session: Session, competition_id: str, name: str) -> list[Check]:
    if not name:
        return []
    is_there = queries.file_named(session, competition_id, name) is not None
    bad = f"The picture {name} is missing. Upload it under “Data files”, or clear it in “Settings”."
    return [Check("picture", f"The picture {name} is there.", bad, is_there, is_must=False)]


def _text_picture_checks(
    session: Session, competition: Competition, settings: CompetitionSettings
) -> list[Check]:
    texts = f"{competition.description}\n{settings.rules}"
    shown = dict.fromkeys(
        name for slug, name in _SHOWN_PICTURE.findall(texts) if slug == competition.slug
    )
    missing = [name for name in shown if queries.file_named(session, competition.id, name) is None]
    names = ", ".join(missing[:MAX_NAMED]) + ("…" if len(missing) > MAX_NAMED else "")
    bad = (
        f"The texts show pictures that are missing: {names}. Upload them under “Data files”, or"
        " take them out of the texts."
    )
    good = "The pictures of the texts are there."
    return [Check("text-pictures", good, bad, not missing, is_must=False)] if shown else []


def _split_checks(objectives: Mapping[str, Any], settings: CompetitionSettings) -> list[Check]:
    one, several = ("row", "rows") if kind_of(settings.task).has_table else _RELEVANT
    checks = [
        Check(
            "scorable-split",
            f"{name} has {several} on the {split} split.",
            f"{name} has no {one} on the {split} split, so that no score could be computed."
            " Change the public share, or upload a larger ground truth.",
            splits.get(split, {}).get("denominator", 0) > 0,
        )
        for name, splits in objectives.items()
        for split in ("public", "private")
    ]
    part = public_part(objectives, settings)
    if part is None:
        return checks
    share = Check("public-share", part.words, part.words, not part.is_far, is_must=False)
    return [*checks, share]


_RELEVANT = "relevant item", "relevant items"


def _probe_checks(probed: Probed) -> list[Check]:
    shares = [
        Fraction(scores.random) / Fraction(scores.optimum) for scores in probed.splits.values()
    ]
    share = float(max(shares, default=Fraction(0)))
    errors = [_error_share(scores) for scores in probed.splits.values()]
    error = max(errors, default=0.0)
    return [
        Check(
            "perfect-file",
            "A perfect file reaches the best possible score on both splits.",
            "A perfect file does not reach the best possible score. Report this as a bug.",
            probed.perfect_is_optimal,
        ),
        Check(
            "empty-file",
            "An empty file scores 0 on both splits.",
            "An empty file scores more than 0. Report this as a bug.",
            probed.empty_is_worst,
        ),
        _sample_check(probed),
        *_precision_checks(share, error),
    ]


def _precision_checks(share: float, error: float) -> list[Check]:
    by_chance = f"Random guesses reach about {share:.0%} of the best possible score"
    return [
        Check(
            "random-guesses",
            f"{by_chance}.",
            f"{by_chance}: a board would mostly show luck. More items or fewer places help.",
            share <= MAX_BY_CHANCE,
            is_must=False,
        ),
        Check(
            "standard-error",
            f"Scores are precise: the standard error is about {error:.2%} of the best possible.",
            f"Scores are imprecise: the standard error is about {error:.2%} of the best possible,"
            " so small differences are not meaningful. A larger test set helps.",
            error <= LARGEST_ERROR,
            is_must=False,
        ),
    ]


def _sample_check(probed: Probed) -> Check:
    return Check(
        "sample-file",
        "The sample submission is accepted.",
        f"The sample submission is rejected. {probed.refusal}".strip(),
        probed.sample_is_accepted,
    )


def _error_share(scores: SplitExtremes) -> float:
    """A split of one session has no standard error: nothing is known of it at all."""
    if scores.standard_error is None:
        return 1.0
    return float(scores.standard_error / Fraction(scores.optimum))


def _broken(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.is_must and not check.passed]


def _require_musts(checks: Sequence[Check]) -> None:
    failed = _broken(checks)
    if not failed:
        return
    raise WrongState(
        " ".join(check.detail for check in failed),
        code=ErrorCode.LAUNCH_CHECKLIST,
        problems=[check.to_problem() for check in failed[:10]],
        problem_count=len(failed),
    )

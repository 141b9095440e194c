"""Examines an installation for `podium doctor`: everything that it needs to run."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from podium import __version__, add_ons, zstd_library
from podium.accounts.authentication.oidc import REDIRECT_PATH, Provider
from podium.accounts.rules import require_sound_tokens
from podium.bootstrap import build, memory_complaint
from podium.cli.operator.data_folder import (
    complaint_about,
    complaint_about_room,
    complaint_about_storage,
    lost_files,
    missing_database,
    missing_folder,
    other_database,
)
from podium.cli.operator.environment import read_settings
from podium.cli.operator.failures import of_database, schema_complaint
from podium.cli.operator.private_files import open_paths, what_to_type
from podium.cli.operator.worker_signs import WorkerSigns
from podium.core.database.engine import database_now
from podium.core.lookups import lacking_add_ons
from podium.core.sizes import size_of
from podium.errors import NotConfigured, PodiumError
from podium.logs import configure_logs
from podium.operations.service import progress, status
from podium.operations.service.backup_records import last_backup
from podium.operations.service.kept_files import look_for_files
from podium.sandbox.custom_code import strength_of
from podium.sandbox.isolation.restrictions import STOPS, missing_from
from podium.scoring.kernel.library import MISSING, kernel

if TYPE_CHECKING:
    from podium.application import Application
    from podium.operations.service.backup_records import LastBackup
    from podium.settings import Settings

SKEW_SECONDS = 5.0
"""Leases and deadlines use the database's clock; a machine that is this many seconds off needs
attention."""


def look_at_installation() -> tuple[dict[str, str], list[str]]:
    """Returns the facts of this installation, and its failures."""
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    facts = {
        "version": __version__,
        "data folder": str(settings.data_dir.absolute()),
        "database address": settings.shown_database,
    }
    if other := other_database(settings):
        facts["other database"] = f"{other}, which is not used"
    if complaint := complaint_about(settings):
        return {**facts, "data": "cannot be used"}, [complaint]
    if missing := missing_database(settings):
        return {**facts, "database": "is not there"}, [missing]
    failures: list[str] = []
    _look_at_everything(settings, facts, failures)
    return facts, failures


def _look_at_everything(settings: Settings, facts: dict[str, str], failures: list[str]) -> None:

    application = build(settings)
    facts["add-ons"] = ", ".join(add_ons.versions()) or "none"
    facts["traces"] = "on" if application.telemetry.is_on else "off"
    may_judge = _look_at_database(application, facts, failures)
    if missing := missing_folder(settings):
        failures.append(missing)
    else:
        _look_at_storage(application, facts, failures)
    _look_at_disk(application, facts, failures)
    _look_at_files(application, facts, failures)
    _look_at_sandbox(application, facts, failures)
    _look_at_mail(application, facts, failures)
    _look_at_identity_provider(settings, facts, failures)
    _look_at_tokens(settings, failures)
    facts["proxies"] = _proxies(settings)
    facts["judgings at a time"] = str(application.settings.judging_slots)
    facts["zstd"] = "read" if zstd_library.IS_THERE else f"refused: {zstd_library.MISSING}"
    facts["compiled reader"] = MISSING if kernel() is None else "built"
    # A replica that only serves may have much less memory than a judging needs.
    if may_judge and (complaint := memory_complaint(settings)):
        failures.append(complaint)


def _proxies(settings: Settings) -> str:
    """Describes the trusted proxies. The service speaks no HTTPS itself, so an address that begins
    with https implies a proxy."""
    if settings.trusted_proxies:
        return settings.trusted_proxies
    if settings.base_url.startswith("https://"):
        return (
            "none is named, though PODIUM_BASE_URL is https://. Set PODIUM_TRUSTED_PROXIES to the"
            " address of the proxy"
        )
    return "none"


def _look_at_sandbox(application: Application, facts: dict[str, str], failures: list[str]) -> None:

    isolation = application.sandbox.describe()
    facts |= {
        f"isolation {name}": f"{state} (against {STOPS[name]})" if name in STOPS else state
        for name, state in isolation.items()
    }
    _look_at_metrics(application, isolation, facts, failures)
    if (refusal := application.sandbox.refusal()) is not None:
        failures.append(refusal)
    elif (trouble := application.sandbox.trouble()) is not None:
        failures.append(f"The process that judges files does not run: {trouble}")
    elif missing_from(isolation):
        facts["isolation"] = "weak, as PODIUM_WEAK_SANDBOX allows"
    facts["start of children"] = application.sandbox.describe_start()


def _look_at_metrics(
    application: Application, isolation: dict[str, str], facts: dict[str, str], failures: list[str]
) -> None:
    """Reports whether custom metrics run here, and how strongly they are isolated."""
    allowed = application.settings.custom_metrics
    refusal = application.sandbox.custom_metrics_refusal()
    if allowed == "off":
        facts["custom metrics"] = "off (PODIUM_CUSTOM_METRICS)"
        return
    runs = "run" if refusal is None else "do not run"
    facts["custom metrics"] = f"{runs}; isolation {strength_of(isolation)}"
    if refusal is not None:
        failures.append(refusal)


def _look_at_mail(application: Application, facts: dict[str, str], failures: list[str]) -> None:
    """Signs in to the mail server, and sends nothing."""
    if application.mailer is None:
        facts["mail"] = "off"
    elif (trouble := application.mailer.trouble()) is not None:
        facts["mail"] = "cannot be sent"
        failures.append(
            f"The mail server does not let us send: {trouble}. Correct PODIUM_MAIL_URL, or see that"
            " the server is there."
        )
    else:
        facts["mail"] = "the server answers"


def _look_at_identity_provider(
    settings: Settings, facts: dict[str, str], failures: list[str]
) -> None:
    """Reads the provider's published configuration, and signs no one in."""
    try:
        provider = Provider.of(settings)
        trouble = provider.trouble() if provider is not None else None
    except NotConfigured as half:
        provider, trouble = None, half.detail
    if trouble is not None:
        facts["identity provider"] = "no sign-in there"
        failures.append(trouble)
    else:
        facts["identity provider"] = "off" if provider is None else "it answers"
    if settings.oidc_issuer:
        # Without a configured address, an installation uses that of the request.
        facts["redirect URI"] = f"{settings.base_url or 'https://HOST'}{REDIRECT_PATH}"


def _look_at_tokens(settings: Settings, failures: list[str]) -> None:
    """Finds tokens in the settings that would make the next start fail."""
    try:
        require_sound_tokens(
            administrator=settings.given_admin_token, metrics=settings.given_metrics_token
        )
    except NotConfigured as weak:
        failures.append(weak.detail)


def _look_at_database(application: Application, facts: dict[str, str], failures: list[str]) -> bool:
    """Examines the database; returns whether this machine has to be able to judge: false if workers
    run elsewhere."""
    from sqlalchemy.exc import DBAPIError

    try:
        return _look_at_rows(application, facts, failures)
    except DBAPIError as failure:
        facts["database"] = "does not answer"
        failures.append(of_database(failure, application.settings))
        return True
    finally:
        application.close()


def _look_at_rows(application: Application, facts: dict[str, str], failures: list[str]) -> bool:

    database = application.database
    complaint = schema_complaint(application.settings)
    facts["database"] = "SQLite" if database.is_sqlite else "PostgreSQL"
    facts["schema"] = "of another version" if complaint else "up to date"
    if complaint:
        failures.append(complaint)
        return True
    with database.read() as session:
        skew = (datetime.now(UTC) - database_now(session)).total_seconds()
        seen = progress.look(session)
        others = status.other_versions(session)
        is_elsewhere = status.is_judged_elsewhere(session)
        backup = last_backup(session)
        signs = WorkerSigns.of(application.settings, status.silences(session))
        lacking = lacking_add_ons(session).values()
    facts["workers"] = signs.described()
    facts["waiting"] = f"{seen.waiting} judgings, the oldest {seen.oldest_waiting_seconds:.0f} s"
    if not signs.alive:
        failures.append(
            "No worker is running: nothing is judged, and organizers' files are not read."
            " Run `podium serve` or `podium worker`."
        )
    if others:
        failures.append(f"There are workers of other versions: {', '.join(others)}. Restart them.")
    failures += [
        f"Competitions need the add-on {name}, and their judgings wait. Install it, and name it in"
        f" {add_ons.VARIABLE}."
        for name in sorted({name for names in lacking for name in names})
    ]
    facts["clock"] = f"{abs(skew):.1f} s from the database's"
    if abs(skew) > SKEW_SECONDS:
        failures.append("This machine's clock differs from the database's. Set it by NTP.")
    facts["last backup"] = _last_backup(backup)
    _look_at_kept_files(application, facts, failures)
    return not is_elsewhere


def _last_backup(backup: LastBackup | None) -> str:
    if backup is None:
        return "never backed up"
    minutes = int(backup.age_seconds // 60)
    return f"{_age(minutes)} ago to {backup.place}"


def _age(minutes: int) -> str:
    if minutes >= 2 * 1440:
        return f"{minutes // 1440} days"
    return f"{minutes // 60} hours" if minutes >= 120 else f"{minutes} min"


def _look_at_storage(application: Application, facts: dict[str, str], failures: list[str]) -> None:
    """Stores a file for a moment, and looks for folders of the storage that belong to others."""
    settings = application.settings
    facts["storage"] = "a bucket" if settings.storage_url else "a folder"
    try:
        if not application.storage.keeps(f"podium doctor {uuid.uuid4()}".encode()):
            failures.append("The storage gives back other bytes than it was given.")
        complaint = complaint_about_storage(settings)
    except (PodiumError, OSError) as failure:
        complaint = complaint_about_storage(settings) or _why_not_kept(failure, settings)
    if complaint is not None:
        facts["storage"] += ", which fails"
        failures.append(f"The storage does not keep files: {complaint}")


def _why_not_kept(failure: Exception, settings: Settings) -> str:
    """Returns the reason, with the path if there is one; participants see less of it."""
    if settings.storage_url:
        return str(failure)
    cause, folder = failure.__cause__, settings.data_dir.absolute() / "storage"
    if isinstance(cause, OSError):
        return f"{cause.filename or folder}: {cause.strerror}."
    return f"{folder}: {failure}"


def _look_at_kept_files(
    application: Application, facts: dict[str, str], failures: list[str]
) -> None:
    """Looks for some of the files that the database names, unless the storage does not answer."""
    try:
        kept = look_for_files(application.database, application.storage)
    except (PodiumError, OSError):
        return
    facts["kept files"] = f"{kept.looked_for - len(kept.lost)} of {kept.looked_for} are there"
    if kept.lost:
        failures.append(lost_files(kept, application.settings))


def _look_at_disk(application: Application, facts: dict[str, str], failures: list[str]) -> None:
    free = application.storage.free_bytes()
    if free is None:
        facts["disk"] = "unknown"
        return
    facts["disk"] = f"{size_of(free)} free"
    if complaint := complaint_about_room(application):
        failures.append(complaint)


def _look_at_files(application: Application, facts: dict[str, str], failures: list[str]) -> None:
    found = open_paths(application.settings)
    facts["files"] = "open to others" if found else "for this user alone"
    failures += [
        f"Other users of this machine can access {path}. Type: {what_to_type(path)}"
        for path in found
    ]

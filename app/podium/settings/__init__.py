"""The settings of an installation, each an environment variable with the prefix `PODIUM_`.

Only entry points read settings; services and rules get plain values.
"""

from __future__ import annotations

import os
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from sqlalchemy.engine import make_url

from podium import former_settings
from podium.mail.addresses import sender_named, server_at
from podium.settings.values import (
    A_MAIL_ADDRESS,
    Bytes,
    Count,
    LeaseSeconds,
    Seconds,
    checked_database,
    checked_origin,
    networks,
)


class Settings(BaseSettings):
    """Every field with its unit and its reason."""

    model_config = SettingsConfigDict(
        env_prefix="PODIUM_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
    )

    data_dir: Path = Path("podium-data")
    """Folder of the database and of all files; must be on a local disk."""
    database_url: str = ""
    """Address of the database: postgresql://… or sqlite:///…; empty means SQLite in the data
    folder. A password with special characters is percent-encoded, or stands in PGPASSWORD as it
    is."""
    storage_url: str = ""
    """Bucket for all files: s3://bucket/prefix?endpoint=https://…, gs:// or az://; empty means the
    data folder."""
    secret_storage_url: str = ""
    """A bucket of its own for ground truth and hits; empty means that of all files."""
    cache_bytes: Bytes = Field(default=20 << 30, ge=0)
    """Disk for local copies of a bucket's files, beside those that are in use."""
    keep_submission_days: Annotated[int, Field(ge=0)] = 0
    """Days after the reveal for which files are kept that are on no board and not selected; their
    rows and scores stay. 0 keeps all."""
    log_format: Literal["auto", "json", "text"] = "auto"
    """Form of the log on standard error: json, text, or text on a terminal only."""
    admin_token: SecretStr | None = None
    """Bearer token of the administrator, 20 characters or more; setting another one ends the one
    before. Without it one is made and printed once."""
    metrics_token: SecretStr | None = None
    """Bearer token for Prometheus, which opens /metrics and nothing else; 20 characters or more."""
    base_url: str = ""
    """Public address of the installation, as `https://podium.example`: links and feeds name it, and
    requests for other names with a dot get 421."""
    trusted_proxies: str = ""
    """Addresses or networks (CIDR), separated by commas, whose X-Forwarded-For, -Proto and -Host
    are believed; empty means none."""
    lease_seconds: LeaseSeconds = 20.0
    """A judging or job whose worker is silent for this long is redispatched."""
    upload_lease_seconds: LeaseSeconds = 20.0
    """A quota slot whose upload is silent for this long is given back."""
    answer_seconds: Annotated[float, Field(ge=0)] = 30.0
    """Seconds that a request waits for work that a worker does; then it gets 202, or 503 with
    Retry-After."""
    reconcile_seconds: Seconds = 3.0
    """Seconds between two searches for work whose worker is gone."""
    judging_slots: Annotated[int, Field(ge=0)] = 1
    """Judgings at a time in one worker, which share its cores; 0 means one for each core that there
    is memory for. Never more than a container's memory holds."""
    private_slots: Annotated[int, Field(ge=0)] = 0
    """Private runs of custom metrics at a time in one worker, beside the judgings, which never wait
    for them; 0 means as many as judgings, as far as memory goes."""
    judging_memory_bytes: Bytes = Field(default=3 << 30, ge=2 << 30)
    """Memory of a child: of each judging and private run, and of the job of an organizer that runs
    beside them. Polars can hang below 2 GiB of address space."""
    judging_retry_memory_bytes: Bytes = Field(default=6 << 30, ge=2 << 30)
    """Memory of the one retry of a judging, or of an organizer's job, that ran out of it."""
    weak_sandbox: bool = False
    """1 judges also where Landlock or seccomp is missing; hostile files can then read the ground
    truth and change the database."""
    warm_children: bool = True
    """0 starts each child anew; 1 forks it from a process that has loaded libraries and seen
    nothing else."""
    custom_metrics: Literal["off", "on", "on-unsandboxed"] = "off"
    """Do custom metrics run? *on*: where Landlock and seccomp isolate them, whatever
    PODIUM_WEAK_SANDBOX says. *on-unsandboxed*: everywhere; they then reach all."""
    add_ons: str = ""
    """Installed packages whose metrics, kinds of task and presets are used, by name and separated
    by commas; empty means none. The same for the server and all workers."""
    custom_metric_seconds: Seconds = 600.0
    """Longest run of a custom metric on one split, whatever the `own_metric` of a competition says;
    counted as PODIUM_JUDGING_SECONDS, which does not bound it."""
    judging_seconds: Seconds = 300.0
    """Wall time of a judging child, without that in which others had the processors; CPU time is
    twice that."""
    upload_seconds: Seconds = 3600.0
    """Seconds that a client is waited for in one upload at most."""
    upload_min_bytes_per_second: Bytes = Field(default=64 << 10, ge=0)
    """Average rate below which an upload is cut after 30 s (slow-loris)."""
    uploads_per_user: Count = 16
    """Uploads of one account at a time; more get 429."""
    unfinished_uploads: Count = 3
    """Unfinished resumable uploads of one account. One more takes the place of an empty one; where
    all have bytes, it gets 429."""
    upload_keep_seconds: Seconds = 86400.0
    """Seconds after which an unfinished upload is removed if nothing was added."""
    rejected_per_hour: Count = 20
    """Rejected files of one team in an hour; more get 429."""
    unread_answer_seconds: Seconds = 60.0
    """A connection whose client takes less than 64 KiB of a waiting answer in this time is
    closed."""
    downloads: Count = 256
    """Files that one process sends at a time, about 0.6 MiB of memory each; more get 503."""
    downloads_per_account: Count = 8
    """Files that one account gets at a time from one process; more get 429."""
    downloads_per_address: Count = 128
    """Files that people of one address who have not signed in get at a time from one process; more
    get 429."""
    connections_per_address: Count = 512
    """Open connections of one address, except trusted proxies; more are closed."""
    min_free_bytes: Bytes = Field(default=1 << 30, ge=0)
    """Below this much free disk, uploads get 503 and nothing is taken in."""

    oidc_issuer: str = ""
    """Identity provider (OpenID Connect) at which people may sign in, as its tokens name it; empty
    means none."""
    oidc_client_id: str = ""
    """Client id of this installation there."""
    oidc_client_secret: SecretStr = SecretStr("")
    """Client secret; signs a cookie of ten minutes, too."""
    oidc_sign_up: bool = False
    """1 gives everyone an account who signs in there; 0 lets in only those who have connected their
    account."""

    contact: str = ""
    """Mail address or web address at which people ask for an account or for help, linked on the
    sign-in page and at the foot of every page."""

    signup: Literal["off", "code", "approval", "open"] = "off"
    """People who may make an account without an organizer: off, those who know PODIUM_SIGNUP_CODE
    (code), those whom an organizer approves (approval), or everyone who proves a mail address
    (open), which needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM."""
    signup_code: SecretStr = SecretStr("")
    """With PODIUM_SIGNUP=code: the account code that lets people register, of 8 characters or
    more."""

    mail_url: SecretStr = SecretStr("")
    """Server that sends mail: smtps://user:password@host:465, or
    smtp://user:password@host:587?starttls; special characters percent-encoded. Its certificate is
    checked. Empty means no mail."""
    mail_from: str = ""
    """Address that mail comes from: podium@example.org, or `Podium <podium@example.org>`."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *others: PydanticBaseSettingsSource,
        **named: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Pydantic's sources, and before the environment those variables of it that have, or had,
        a former name or value, as they are called today."""
        names = {*former_settings.NAMES.values(), *former_settings.VALUES}
        found = {name: former_settings.value_in(os.environ, name) for name in names}
        prefix = str(cls.model_config["env_prefix"])
        given = {name.removeprefix(prefix).lower(): value for name, value in found.items() if value}
        former = InitSettingsSource(settings_cls, given)
        return (init_settings, former, *others, *named.values())

    @field_validator("mail_url")
    @classmethod
    def _is_a_mail_server(cls, given: SecretStr) -> SecretStr:
        if given.get_secret_value():
            server_at(given.get_secret_value())
        return given

    @field_validator("mail_from")
    @classmethod
    def _is_a_sender(cls, given: str) -> str:
        if given:
            sender_named(given)
        return given

    @field_validator("database_url")
    @classmethod
    def _is_a_database(cls, given: str) -> str:
        return checked_database(given)

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_address(cls, given: str) -> str:
        parts = urlsplit(given)
        if given and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError("an address like https://id.example")
        return given

    @field_validator("contact")
    @classmethod
    def _can_be_linked(cls, given: str) -> str:
        parts = urlsplit(given)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        if given and not is_web and not A_MAIL_ADDRESS.fullmatch(given):
            raise ValueError("an address like help@podium.example or https://podium.example/help")
        return given

    @property
    def given_admin_token(self) -> str | None:
        """The administrator's token, if the operator has set one."""
        return self.admin_token.get_secret_value() if self.admin_token else None

    @property
    def given_metrics_token(self) -> str | None:
        """The token that grants access to the metrics alone, if there is one."""
        return self.metrics_token.get_secret_value() if self.metrics_token else None

    @property
    def contact_address(self) -> str:
        """The target of links to the operator; empty without a contact."""
        is_mail = bool(A_MAIL_ADDRESS.fullmatch(self.contact))
        return f"mailto:{self.contact}" if is_mail else self.contact

    @field_validator("base_url")
    @classmethod
    def _is_an_origin(cls, given: str) -> str:
        return checked_origin(given)

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, given: str) -> str:
        try:
            networks(given)
        except ValueError:
            raise ValueError(
                "addresses or networks like 10.0.0.5 or 10.0.0.0/24, separated by commas"
            ) from None
        return given

    @property
    def log_as_json(self) -> bool | None:
        """True for events as JSON; None lets the kind of output decide."""
        return None if self.log_format == "auto" else self.log_format == "json"

    @property
    def proxy_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The parsed networks of `trusted_proxies`."""
        return networks(self.trusted_proxies)

    @property
    def database(self) -> str:
        """The URL of the database: the given one, or SQLite in the data folder."""
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'podium.sqlite3'}"

    @property
    def database_file(self) -> Path | None:
        """The path of SQLite's file; None for another database."""
        url = make_url(self.database)
        if url.get_backend_name() != "sqlite" or not url.database:
            return None
        return Path(url.database.removeprefix("file:").partition("?")[0]).absolute()

    @property
    def shown_database(self) -> str:
        """The URL of the database without its password."""
        url = make_url(self.database)
        if "password" in url.query:
            url = url.update_query_dict({"password": "hidden"})
        return url.render_as_string(hide_password=True)

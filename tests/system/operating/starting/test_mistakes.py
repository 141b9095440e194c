"""Mistakes at start-up: each ends with one line that names the variable, what it holds, and what to
do; nothing is made."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from podium.settings import Settings
from tests.builders.processes.commands import Person, Ran

SERVE = ("serve", "--port", "0", "--no-worker")

COMMANDS = (
    SERVE,
    ("worker",),
    ("migrate",),
    ("backup", "--to", "copies"),
    ("restore", "--from", "copies"),
)

AWAY = "postgresql://podium:geheim@127.0.0.1:1/podium"


@pytest.fixture
def operator(tmp_path: Path) -> Person:
    return Person(tmp_path)


def line_of(ran: Ran) -> str:
    """The only line that was said. A traceback has many."""
    assert ran.out == ""
    [line] = ran.err.splitlines()
    return line


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LEASE_SECONDS", "abc", "PODIUM_LEASE_SECONDS is 'abc': set it to a number above 0 and"),
        ("LEASE_SECONDS", "-1", "is '-1': set it to a number above 0 and at most 1800."),
        ("JUDGING_SLOTS", "1.5", "is '1.5': set it to a whole number of at least 0."),
        ("JUDGING_MEMORY_BYTES", "1 GiB", "is '1 GiB': set it to a size such as 3 GiB or 500 MB"),
        ("MIN_FREE_BYTES", "much", "is 'much': set it to a size such as 3 GiB or 500 MB."),
        ("LOG_FORMAT", "xml", "is 'xml': set it to auto, json or text."),
        ("WEAK_SANDBOX", "maybe", "is 'maybe': set it to 1 or 0."),
        ("BASE_URL", "podium.example", "set it to an address like https://podium.example"),
        ("BASE_URL", "https://podium.example:99999", "set it to an address like https://podium."),
        ("TRUSTED_PROXIES", "10.0.0.300", "set it to addresses or networks like 10.0.0.5"),
        ("OIDC_ISSUER", "id.example", "set it to an address like https://id.example."),
        ("DATABASE_URL", "nonsense", "is 'nonsense': set it to an address like postgresql://"),
        ("DATABASE_URL", "sqlite://", "is 'sqlite://': set it to an address like"),
        ("DATABASE_URL", "mysql://root:geheim@db/x", "is 'mysql://…@db/x': set it to an"),
        ("DATABASE_URL", "postgres://podium:geheim@db/x", "postgresql:// instead of postgres://"),
        ("DATABASE_URL", "postgresql://podium:ge@he:im@db:port/x", "'postgresql://…@db:port/x'"),
        ("DATABASE_URL", "postgresql://podium:x@geheim@db/x", "with a single @, before the host."),
        ("DATABASE_URL", "postgresql://podium:x@y/geheim@db/x", "Percent-encode each one in the"),
        ("DATABASE_URL", "postgresql+psycopg://a:@geheim@127.0.0.1:1/x", "or give the password in"),
        (
            "STORAGE_URL",
            "bucket",
            "PODIUM_STORAGE_URL is 'bucket': set it to an address like s3://",
        ),
        ("STORAGE_URL", "s3://key:geheim@bucket", "PODIUM_STORAGE_URL is 's3://…@bucket': set it"),
        ("DATA_DIR", "/etc/passwd", "/etc/passwd is not a folder. Name another one as PODIUM_"),
        ("DATA_DIR", "/proc/podium", "/proc/podium: No such file or directory. Name another"),
        ("MAIL_URL", "smtp://podium:geheim@mail", "PODIUM_MAIL_URL: set it to smtps:// or an"),
        ("MAIL_URL", "geheim@mail", "PODIUM_MAIL_URL: set it to an address like smtps://user:"),
        ("MAIL_URL", "smtps://podium:geheim@mail", "PODIUM_MAIL_URL needs PODIUM_MAIL_FROM"),
        ("MAIL_FROM", "Podium", "PODIUM_MAIL_FROM is 'Podium': set it to an address like podium@"),
        ("SIGNUP", "open", "needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM."),
        ("ADMIN_TOKEN", "geheim", "PODIUM_ADMIN_TOKEN has 6 characters, and needs 20 or more."),
    ],
)
def test_a_wrong_value_is_named_with_its_variable_and_what_to_set(
    operator: Person, name: str, value: str, told: str
) -> None:
    ran = operator.types(*SERVE, **{f"PODIUM_{name}": value})
    line = line_of(ran)
    assert ran.code == 2
    assert told in line
    assert "geheim" not in line
    assert not list(operator.home.iterdir())


@pytest.mark.parametrize("name", ["LEASE_SECONDS", "ADMIN_TOKEN", "BASE_URL", "MAIL_URL"])
def test_a_comment_behind_a_value_is_told_without_the_value(operator: Person, name: str) -> None:
    ran = operator.types(*SERVE, **{f"PODIUM_{name}": "geheim-geheim-geheim    # which is it?"})
    assert ran.code == 2
    assert line_of(ran) == (
        f"PODIUM_{name} contains ' #': a comment after a value is part of it. Write the comment on"
        " a line of its own."
    )
    assert not list(operator.home.iterdir())


def test_all_wrong_variables_are_named_at_once_one_a_line(operator: Person) -> None:
    wrong = {"PODIUM_LEASE_SECONDS": "0", "PODIUM_LOG_FORMAT": "xml", "PODIUM_DATADIR": "/x"}
    ran = operator.types("migrate", **wrong)
    assert ran.code == 2
    assert sorted(line.split()[0] for line in ran.err.splitlines()) == [
        "PODIUM_LEASE_SECONDS",
        "PODIUM_LOG_FORMAT",
        "There",
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("PODIUM_DATADIR", "PODIUM_DATA_DIR"),
        ("PODIUM_DATABSE_URL", "PODIUM_DATABASE_URL"),
        ("PODIUM_ADMIN_TOKN", "PODIUM_ADMIN_TOKEN"),
        ("PODIUM_TRUSTED_PROXY", "PODIUM_TRUSTED_PROXIES"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest_right_one(
    operator: Person, name: str, meant: str
) -> None:
    ran = operator.types(*SERVE, **{name: "x"})
    assert ran.code == 2
    assert line_of(ran) == f"There is no setting {name}. Did you mean {meant}?"


def test_variables_of_the_client_of_compose_and_of_orchestrators_are_none_of_the_settings(
    operator: Person,
) -> None:
    others = dict.fromkeys(
        (
            *("PODIUM_URL", "PODIUM_TOKEN", "PODIUM_COMPETITION", "PODIUM_PROFILE"),
            *("PODIUM_PORT", "PODIUM_SITE", "PODIUM_IMAGE", "PODIUM_DATABASE_PASSWORD"),
            *("PODIUM_STORAGE_KEY", "PODIUM_STORAGE_KEY_ID", "PODIUM_SUBNET"),
            *("PODIUM_SERVICE_HOST", "PODIUM_SERVICE_PORT_HTTP", "PODIUM_PORT_8000_TCP_ADDR"),
            *("PODIUM_API_SERVICE_PORT", "PODIUM_HISTORY", "PODIUM_TRUTH_CACHE_MIB"),
        ),
        "1",
    )
    ran = operator.types("migrate", **others)
    assert (ran.code, ran.out) == (0, "The database is up to date.\n")
    assert "setting.unknown" not in ran.err


def test_a_name_that_is_like_no_setting_is_told_in_the_log(operator: Person) -> None:
    ran = operator.types("migrate", PODIUM_OF_MY_OWN="1")
    assert ran.code == 0
    assert "setting.unknown" in ran.err
    assert "PODIUM_OF_MY_OWN" in ran.err


def test_an_empty_variable_is_one_that_is_not_set(operator: Person) -> None:
    empty = {"PODIUM_LEASE_SECONDS": "", "PODIUM_DATA_DIR": "", "PODIUM_WEAK_SANDBOX": ""}
    assert operator.types("migrate", **empty).code == 0
    assert (operator.home / "podium-data" / "podium.sqlite3").exists()


@pytest.mark.parametrize("command", [SERVE, ("worker",), ("migrate",)], ids=lambda it: it[0])
def test_a_database_that_does_not_answer_is_named_without_its_password(
    operator: Person, command: tuple[str, ...]
) -> None:
    ran = operator.types(*command, PODIUM_DATABASE_URL=AWAY)
    assert ran.code == 4
    line = line_of(ran)
    assert line.startswith("The database postgresql://podium:***@127.0.0.1:1/podium cannot be used")
    assert "Connection refused" in line
    assert line.endswith("See that it is there, or correct PODIUM_DATABASE_URL.")


def test_a_password_among_the_options_of_an_address_is_not_shown(operator: Person) -> None:
    address = "postgresql://podium@127.0.0.1:1/podium?password=geheim"
    ran = operator.types("migrate", PODIUM_DATABASE_URL=address)
    assert ran.code == 4
    line = line_of(ran)
    assert "?password=hidden cannot be used" in line
    assert "geheim" not in line


def test_a_file_that_is_no_database_is_named(operator: Person) -> None:
    (operator.home / "podium-data").mkdir()
    (operator.home / "podium-data" / "podium.sqlite3").write_text("a text")
    ran = operator.types(*SERVE)
    assert ran.code == 4
    line = line_of(ran)
    assert "podium-data/podium.sqlite3 cannot be used: file is not a database." in line
    assert "PODIUM_DATA_DIR" in line


@pytest.mark.parametrize("command", [*COMMANDS, ("doctor",)], ids=lambda it: it[0])
@pytest.mark.parametrize(
    ("variable", "value"),
    [("PODIUM_DATABASE_URL", "sqlite:///{}/podium.sqlite3"), ("PODIUM_DATA_DIR", "{}/data")],
)
def test_a_path_whose_folder_is_not_there_is_named_and_nothing_is_made(
    operator: Person, command: tuple[str, ...], variable: str, value: str
) -> None:
    missing = operator.home / "not" / "mounted"
    ran = operator.types(*command, **{variable: value.format(missing)})
    assert ran.code == (4 if command == ("doctor",) else 2)
    [line] = ran.err.splitlines()
    assert line.startswith(f"There is no folder {missing}, and {variable} names {missing}/")
    assert line.endswith(f"Make the folder, mount its disk, or correct {variable}.")
    assert not list(operator.home.iterdir())


def test_a_database_in_a_data_folder_that_is_still_to_be_made_is_made_with_it(
    operator: Person,
) -> None:
    data = operator.home / "data"
    url = f"sqlite:///{data}/podium.sqlite3"
    ran = operator.types("migrate", PODIUM_DATA_DIR=str(data), PODIUM_DATABASE_URL=url)
    assert ran.code == 0, ran.err
    assert (data / "podium.sqlite3").exists()


def test_a_database_that_is_missing_is_told_with_the_variable_that_names_it(
    operator: Person,
) -> None:
    ran = operator.types("worker", PODIUM_DATABASE_URL=f"sqlite:///{operator.home}/rows.sqlite3")
    assert line_of(ran) == (
        f"There is no database in {operator.home}: rows.sqlite3 is missing."
        " Correct PODIUM_DATABASE_URL. A new installation is made by `podium serve`."
    )


def test_the_port_of_the_compose_file_is_told_to_be_none_of_the_server(operator: Person) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = operator.types("serve", "--port", port, PODIUM_PORT="9000")
    assert ran.err.splitlines()[0] == (
        f"PODIUM_PORT is for the compose file alone: this server listens on port {port}."
        " --port 9000 chooses another one."
    )


def test_a_damaged_database_is_told_with_the_way_back(operator: Person) -> None:
    assert operator.types("migrate").code == 0
    database = operator.home / "podium-data" / "podium.sqlite3"
    content = bytearray(database.read_bytes())
    content[4096 : len(content) // 2] = b"x" * (len(content) // 2 - 4096)
    database.write_bytes(content)
    ran = operator.types(*SERVE)
    assert ran.code == 4
    line = line_of(ran)
    assert "podium-data/podium.sqlite3 is damaged: database disk image is malformed." in line
    assert "Restore a backup into another place with `podium restore`." in line


@pytest.mark.parametrize(
    ("started_by", "choice"),
    [({}, "--port"), ({"MAKELEVEL": "1"}, "PORT, as in `make demo PORT=8001`")],
)
def test_a_port_in_use_is_told_before_anything_is_made(
    operator: Person, started_by: dict[str, str], choice: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = operator.types("serve", "--port", port, **started_by)
    assert ran.code == 2
    assert line_of(ran) == (
        f"Cannot listen on 127.0.0.1:{port}: another process uses this port."
        f" Stop it, or choose another port with {choice}."
    )
    # The administrator's token, which is shown once, is still to be made.
    assert not list(operator.home.iterdir())


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("192.0.2.1", "no network interface of this machine has this address"),
        ("nowhere.invalid", "there is no such name. Give --host an address of this machine"),
    ],
)
def test_an_address_that_this_machine_does_not_have_is_told(
    operator: Person, host: str, told: str
) -> None:
    ran = operator.types("serve", "--host", host, "--port", "0")
    assert ran.code == 2
    assert told in line_of(ran)


@pytest.mark.parametrize(
    "command", ["worker", "migrate", "doctor", "backup", "restore", "export", "import", "archive"]
)
def test_the_help_of_other_commands_leads_to_the_list(operator: Person, command: str) -> None:
    told = " ".join(operator.types(command, "--help").out.split())
    assert "are environment variables" in told
    assert "`podium serve --help` lists all." in told


def test_the_help_lists_every_setting_with_its_default(operator: Person) -> None:
    ran = operator.types("serve", "--help")
    for name in Settings.model_fields:
        assert f"PODIUM_{name.upper()} " in ran.out
    assert "default: 20 GiB" in ran.out

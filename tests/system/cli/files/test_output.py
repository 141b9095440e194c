"""Output that goes nowhere (into a pipe whose reader has left, to a disk without room, or closed),
and that cannot hold what is printed; and pipes that files are read from."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import socket
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from tests.builders.processes.commands import Person
from tests.places import ROOT

FULL = Path("/dev/full")
"""A device that takes nothing, as a disk without room does."""

COMMANDS = [("--version",), ("--help",), ("metrics",), ("metrics", "--json")]


def ran(
    person: Person, command: tuple[str, ...], out: int | IO[bytes], **environment: str
) -> tuple[int, str]:
    """The exit code of a command that prints to `out`, and what it complained about."""
    run = subprocess.run(
        [sys.executable, "-m", "podium.cli", *command],
        cwd=person.home,
        env=person.environment(PYTHONPATH=str(ROOT), **environment),
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    return run.returncode, run.stderr


def ran_without_reader(person: Person, *command: str, **environment: str) -> tuple[int, str]:
    """The same for output into a pipe that no process reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return ran(person, command, writing, **environment)
    finally:
        os.close(writing)


def test_a_table_fits_into_the_terminal_and_is_whole_in_a_pipe(person: Person) -> None:
    reading, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    run = subprocess.Popen(
        [sys.executable, "-m", "podium.cli", "metrics"],
        cwd=person.home,
        env=person.environment(PYTHONPATH=str(ROOT), COLUMNS=""),
        stdout=terminal,
    )
    os.close(terminal)
    lines = _read_to_the_end(reading).decode().splitlines()
    assert run.wait(timeout=120) == 0
    assert max(map(len, lines)) <= 80
    place = lines.index("recall_capped@K recall_capped@K:micro  rank        yes")
    assert lines[place + 1].startswith("  hits among the first K items / min(K, relevant items) · ")
    piped = person.types("metrics").out.splitlines()
    (row,) = [line for line in piped if line.startswith("recall_capped@K")]
    assert "  OTTO, KAGGLE.md (micro); BEIR R_cap (macro)  " in row
    assert row.endswith("  otto")


def _read_to_the_end(terminal: int) -> bytes:
    """All that was written to a terminal, whose end is an error of reading."""
    found = b""
    with os.fdopen(terminal, "rb", buffering=0) as source, suppress(OSError):
        while piece := source.read(1 << 16):
            found += piece
    return found


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_a_sentence(person: Person, command: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        code, told = ran(person, command, full)
    assert (code, told) == (4, "No space left on device. What the command writes is not whole.\n")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["at the end", "at once"])
def test_a_reader_that_has_left_ends_a_command_quietly(
    person: Person, command: tuple[str, ...], unbuffered: str
) -> None:
    # Unbuffered as output is that is longer than the buffer.
    code, told = ran_without_reader(person, *command, PYTHONUNBUFFERED=unbuffered)
    assert (code, told) == (0, "")


@pytest.mark.parametrize("command", ["metrics", "metrics --json", "metrics --csv", "--help"])
def test_nothing_to_print_on_is_no_error(person: Person, command: str) -> None:
    run = person.in_shell(f"podium {command} >&-")
    assert (run.returncode, run.stderr) == (0, b"")
    assert person.in_shell(f"podium {command} <&- >&- 2>&-").returncode == 0


def test_what_is_complained_about_never_stands_among_the_results(person: Person) -> None:
    shut = person.in_shell("podium runs --truth none --json 2>&-")
    assert (shut.returncode, json.loads(shut.stdout)["exit_code"]) == (2, 2)


def test_no_file_stands_in_the_place_of_a_closed_output(person: Person) -> None:
    (person.home / "labels.csv").write_text("session,labels\n1,1\n")
    options = "--truth labels.csv --metric ndcg@10"
    run = person.in_shell(f"podium score labels.csv {options} >&-")
    assert (run.returncode, run.stderr) == (0, b"")
    assert person.types("runs", "--json").document["runs"][0]["local"] == 1
    assert person.in_shell(f"podium compare none.csv labels.csv {options} >&-").returncode == 2


def test_an_encoding_without_a_character_replaces_it_and_escapes_json(person: Person) -> None:
    (person.home / "日本.csv").write_text("session,labels\n1,1\n")
    given = ("日本.csv", "--truth", "日本.csv", "--metric", "ndcg@10")
    assert person.types("score", *given).code == 0
    poor = {"PYTHONIOENCODING": "cp1252"}
    table, as_csv = (person.in_shell(f"podium runs {form}", **poor) for form in ("", "--csv"))
    assert [(each.returncode, each.stderr) for each in (table, as_csv)] == [(0, b"")] * 2
    assert b"  ??.csv  " in table.stdout
    assert b",??.csv," in as_csv.stdout
    as_json = person.in_shell("podium runs --json", **poor)
    assert (as_json.returncode, as_json.stdout.isascii()) == (0, True)
    assert json.loads(as_json.stdout)["runs"][0]["file"] == "日本.csv"
    refused = person.in_shell("podium runs --truth 日本 --json", **poor)
    assert (refused.returncode, "日本" in json.loads(refused.stdout)["detail"]) == (2, True)


@pytest.mark.parametrize("forms", [("--json", "--csv"), ("-v", "--json")])
def test_two_forms_of_output_are_refused(person: Person, forms: tuple[str, ...]) -> None:
    refused = person.types("metrics", *forms)
    assert (refused.code, refused.err) == (2, "Give either --json or --csv.\n")
    assert refused.document["exit_code"] == 2


def test_a_download_that_is_stopped_says_how_it_goes_on(person: Person) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        run = subprocess.Popen(
            [sys.executable, "-m", "podium.cli", "competitions", "download", "shop"],
            cwd=person.home,
            env=person.environment(PYTHONPATH=str(ROOT), PODIUM_URL=url, PODIUM_TOKEN="any"),
            stderr=subprocess.PIPE,
        )
        asking, _ = silent.accept()
        with asking:
            assert asking.recv(1)
            run.send_signal(signal.SIGINT)
            _, told = run.communicate(timeout=120)
    assert run.returncode == 130
    assert told == b"Stopped. Run the same command again: the download resumes from here.\n"


def test_the_exit_code_of_an_error_survives_a_reader_that_has_left(person: Person) -> None:
    code, told = ran_without_reader(person, "doctor", "--json")
    assert code == 4
    assert told.startswith("There is no database in ")


def test_a_device_is_not_replaced_by_a_file(person: Person) -> None:
    link = person.home / "device.csv"
    link.symlink_to(FULL)
    train = person.home / "train.jsonl"
    train.write_text('{"session": 1, "events": [{"aid": 1, "ts": 1, "type": "clicks"}]}\n')
    options = ("--train", str(train), "--test", str(train), "--out", str(link))
    code, told = ran(person, ("baseline", "popular", *options), subprocess.DEVNULL)
    assert (code, told) == (2, f"{link} is not a file. Name one to write to.\n")
    assert link.is_char_device()


INTERACTIONS = "user,item\n" + "".join(
    f"{user},{user % 7 + n}\n" for user in range(30) for n in (0, 9)
)
PIPED = {
    "lists.csv": "user,labels\n1,7 9\n2,8\n",
    "table.csv": "id,y\n1,2\n2,3\n",
    "metric.py": "def score(solution, submission, row_id_column_name):\n    return 1.0\n",
    "settings.json": '{"id_column": "user", "objectives": {"items": 1}, "metric": "recall@2"}',
    "interactions.csv": INTERACTIONS,
}


@pytest.mark.parametrize(
    "command",
    [
        "score lists.csv --truth lists.csv --metric recall@2",
        "score lists.csv --truth lists.csv --preset settings.json",
        "validate lists.csv --truth lists.csv --metric recall@2",
        "compare lists.csv lists.csv --truth lists.csv --metric recall@2",
        "score table.csv --truth table.csv --metric-file metric.py",
        "stats interactions.csv",
        "prepare interactions.csv --to made --pick random",
    ],
)
def test_a_pipe_is_read_wherever_a_file_is(person: Person, command: str) -> None:
    pipes: list[tuple[Path, str]] = []
    words: list[str] = []
    for word in command.split():
        if word in PIPED:
            pipes.append((person.home / f"{len(pipes)}-{word}", PIPED[word]))
            os.mkfifo(pipes[-1][0])
            word = str(pipes[-1][0])
        words.append(word)
    with ThreadPoolExecutor(len(pipes)) as writers:
        # Each waits until its pipe is opened for reading.
        for pipe, text in pipes:
            writers.submit(pipe.write_text, text)
        run = person.types(*words)
        for pipe, _ in pipes:
            # A writer whose pipe was not read does not wait forever.
            os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    assert run.code == 0, run.err
    assert run.out


def test_standard_input_and_descriptors_are_read_as_files(person: Person) -> None:
    (person.home / "lists.csv").write_text(PIPED["lists.csv"])
    score = "podium score /dev/fd/3 --truth /dev/stdin --metric recall@2 --json"
    line = f"cat lists.csv | {{ cat lists.csv | {score}; }} 3<&0"
    run = person.in_shell(line)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["score"] == 1.0


def test_a_pipe_that_a_command_writes_to_is_not_read(person: Person) -> None:
    (person.home / "lists.csv").write_text(PIPED["lists.csv"])
    os.mkfifo(person.home / "out")
    run = person.types("blend", "lists.csv", "lists.csv", "--out", "out")
    assert (run.code, "out is not a file. Name one to write to." in run.err) == (2, True), run.err

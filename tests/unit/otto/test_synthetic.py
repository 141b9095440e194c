"""Statistics of a synthetic competition, compared with what is published about the real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from podium.otto.synthetic import SyntheticFiles, synthesize

SESSIONS = 20_000


def lines(path: Path | None) -> list[dict[str, Any]]:
    assert path is not None
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> SyntheticFiles:
    return synthesize(tmp_path_factory.mktemp("otto"), sessions=SESSIONS, train=2_000)


def folder_hash(folder: Path) -> str:
    content = [(path.name, sha256(path.read_bytes()).hexdigest()) for path in folder.iterdir()]
    return repr(sorted(content))


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from podium.otto.synthetic import synthesize;"
        "from podium.otto.submissions import write_submission; out = Path(sys.argv[1]);"
        "synthesize(out, sessions=300, seed=7);"
        "write_submission(out / 's.csv', sessions=300, seed=7, order='shuffled')"
    )
    hashes = set()
    for threads in ("1", "5"):
        out = tmp_path / threads
        environment = os.environ | {"POLARS_MAX_THREADS": threads}
        subprocess.run([sys.executable, "-c", program, str(out)], env=environment, check=True)
        hashes.add(folder_hash(out))
    assert len(hashes) == 1


def test_another_seed_gives_other_labels(tmp_path: Path) -> None:
    one = synthesize(tmp_path / "1", sessions=100, seed=1, labels_only=True)
    two = synthesize(tmp_path / "2", sessions=100, seed=2, labels_only=True)
    assert one.test_labels.read_bytes() != two.test_labels.read_bytes()


def test_a_session_does_not_depend_on_how_many_others_are_made(tmp_path: Path) -> None:
    few = synthesize(tmp_path / "few", sessions=50, items=5000, labels_only=True)
    many = synthesize(tmp_path / "many", sessions=90, items=5000, labels_only=True)
    assert lines(many.test_labels)[:50] == lines(few.test_labels)


def test_labels_alone_are_the_same_as_with_the_sessions(
    files: SyntheticFiles, tmp_path: Path
) -> None:
    alone = synthesize(tmp_path, sessions=SESSIONS, labels_only=True)
    assert alone.test_sessions is None
    assert alone.test_labels.read_bytes() == files.test_labels.read_bytes()


def test_every_session_has_a_line_of_events_and_a_line_of_labels(files: SyntheticFiles) -> None:
    published = list(range(12_899_779, 12_899_779 + SESSIONS))
    assert [line["session"] for line in lines(files.test_sessions)] == published
    assert [line["session"] for line in lines(files.test_labels)] == published
    assert [line["session"] for line in lines(files.train_sessions)] == list(range(2_000))


def test_sessions_are_in_the_raw_form(files: SyntheticFiles) -> None:
    for line in lines(files.test_sessions)[:500]:
        assert list(line) == ["session", "events"]
        assert line["events"]
        for event in line["events"]:
            assert list(event) == ["aid", "ts", "type"]
            assert event["type"] in {"clicks", "carts", "orders"}
            assert 0 <= event["aid"] < 22_198  # 1,855,603 · 20,000 / 1,671,803
        times = [event["ts"] for event in line["events"]]
        assert times == sorted(times)
        assert times[0] >= 1_661_724_000_000  # Monday, 29 August 2022


def test_test_sessions_end_at_a_cut_drawn_from_all_their_events(files: SyntheticFiles) -> None:
    lengths = [len(line["events"]) for line in lines(files.test_sessions)]
    # Of n events 1 … n-1 are seen, each number as likely: the sum of share(n) / (n - 1) see one.
    assert lengths.count(1) / SESSIONS == pytest.approx(0.46, abs=0.02)


def test_labels_are_one_click_and_sets_of_carts_and_orders(files: SyntheticFiles) -> None:
    for line in lines(files.test_labels):
        assert list(line) == ["session", "labels"]
        labels = line["labels"]
        assert labels
        assert isinstance(labels.get("clicks", 0), int)
        for name in labels.keys() - {"clicks"}:
            assert name in {"carts", "orders"}
            assert labels[name]
            assert labels[name] == sorted(set(labels[name]))


def test_labels_cover_as_many_sessions_as_in_the_real_data(files: SyntheticFiles) -> None:
    sizes: dict[str, list[int]] = defaultdict(list)
    for line in lines(files.test_labels):
        for name, labels in line["labels"].items():
            sizes[name].append(1 if isinstance(labels, int) else len(labels))
    coverage = {name: len(found) / SESSIONS for name, found in sizes.items()}
    mean = {name: sum(found) / len(found) for name, found in sizes.items()}
    assert coverage["clicks"] == pytest.approx(0.975, abs=0.01)
    assert coverage["carts"] == pytest.approx(0.17, abs=0.015)
    assert coverage["orders"] == pytest.approx(0.08, abs=0.01)
    assert mean["carts"] == pytest.approx(1.9, abs=0.2)
    assert mean["orders"] == pytest.approx(2.07, abs=0.2)
    assert 1 <= sum(size > 20 for size in sizes["carts"] + sizes["orders"]) <= 40


def test_sessions_are_as_long_as_in_the_real_data(files: SyntheticFiles) -> None:
    lengths = [len(line["events"]) for line in lines(files.train_sessions)]
    assert min(lengths) == 2
    assert lengths.count(2) / 2_000 == pytest.approx(0.2144 * 0.88, abs=0.03)
    assert sum(lengths) / 2_000 == pytest.approx(16.8, abs=2)


def test_a_few_items_get_many_events_and_most_get_few(files: SyntheticFiles) -> None:
    events: dict[int, int] = defaultdict(int)
    for line in lines(files.train_sessions):
        for event in line["events"]:
            events[event["aid"]] += 1
    ranked = sorted(events.values(), reverse=True)
    top_tenth = sum(ranked[: len(ranked) // 10]) / sum(ranked)
    assert 0.3 < top_tenth < 0.8

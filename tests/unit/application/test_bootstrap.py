"""The choice of an installation's adapters."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from podium import bootstrap
from podium.bootstrap import (
    build,
    cores,
    memory_complaint,
    private_slots_of,
    retry_memory_of,
    slots_of,
    threads_of_a_judging,
)
from podium.errors import NotConfigured
from podium.sandbox.isolation.control_groups import ControlGroups
from podium.settings import Settings
from podium.storage import Area
from podium.storage.bucket import BucketStorage


@pytest.fixture(autouse=True)
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a container's limits, of which there are none until a test writes some."""
    folder = tmp_path / "sys/fs/cgroup"
    folder.mkdir(parents=True)
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/\n")
    mount = "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
    (tmp_path / "proc/self/mountinfo").write_text(mount)
    monkeypatch.setattr(bootstrap, "GROUPS", ControlGroups(tmp_path))
    return folder


@pytest.mark.parametrize(
    ("quota", "found"), [("100000 100000", 1), ("50000 100000", 1), ("max 100000", None)]
)
def test_a_containers_share_of_the_processors_counts(
    limits: Path, quota: str, found: int | None
) -> None:
    (limits / "cpu.max").write_text(f"{quota}\n")
    assert cores() == (found or len(os.sched_getaffinity(0)))


def test_a_set_of_processors_counts() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(allowed)])
    try:
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_a_containers_memory_bounds_the_judgings_at_a_time(limits: Path) -> None:
    (limits / "memory.max").write_text(f"{3 << 30}\n")
    assert slots_of(Settings(judging_slots=0, judging_memory_bytes=2 << 30)) == 1
    (limits / "memory.max").write_text("max\n")
    assert slots_of(Settings(judging_slots=0, judging_memory_bytes=2 << 30)) >= 1


@pytest.mark.parametrize(("gigabytes", "slots"), [(64, 4), (10, 2), (9, 1), (2, 1)])
def test_no_more_judgings_at_a_time_than_a_container_holds_beside_a_job(
    limits: Path, gigabytes: int, slots: int
) -> None:
    (limits / "memory.max").write_text(f"{gigabytes << 30}\n")
    assert slots_of(Settings(judging_slots=4, judging_memory_bytes=3 << 30)) == slots


@pytest.mark.parametrize(
    ("gigabytes", "wanted", "found"),
    [
        (64, 0, (4, 4)),
        (64, 1, (4, 1)),
        (22, 0, (4, 2)),
        (13, 0, (2, 1)),
        (10, 0, (1, 1)),
        (2, 9, (1, 1)),
    ],
)
def test_where_organizers_have_metrics_a_container_holds_private_runs_too(
    limits: Path, gigabytes: int, wanted: int, found: tuple[int, int]
) -> None:
    (limits / "memory.max").write_text(f"{gigabytes << 30}\n")
    settings = Settings(
        judging_slots=4,
        private_slots=wanted,
        judging_memory_bytes=3 << 30,
        custom_metrics="on",
    )
    slots = slots_of(settings)
    assert (slots, private_slots_of(settings, slots)) == found


def test_a_container_in_which_no_judging_fits_is_complained_about(limits: Path) -> None:
    settings = Settings(judging_memory_bytes=2 << 30)
    (limits / "memory.max").write_text(f"{2 << 30}\n")
    assert memory_complaint(settings) is None
    (limits / "memory.max").write_text(f"{1 << 30}\n")
    assert "Only 1.0 GiB of memory is available" in str(memory_complaint(settings))


def test_a_retry_gets_no_more_memory_than_there_is(limits: Path) -> None:
    settings = Settings(judging_memory_bytes=2 << 30, judging_retry_memory_bytes=3 << 30)
    (limits / "memory.max").write_text(f"{3 << 30}\n")
    assert retry_memory_of(settings) == (3 << 30) - (512 << 20)
    (limits / "memory.max").write_text(f"{1 << 30}\n")
    assert retry_memory_of(settings) == 2 << 30


def test_judgings_side_by_side_share_the_processors() -> None:
    all_cores = len(os.sched_getaffinity(0))
    assert threads_of_a_judging(1) == all_cores
    assert threads_of_a_judging(all_cores) == 1
    assert threads_of_a_judging(10 * all_cores) == 1


def test_without_a_number_there_is_a_judging_for_each_core_that_has_memory() -> None:
    all_cores = len(os.sched_getaffinity(0))
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    assert slots_of(Settings(judging_slots=0)) <= all_cores
    assert slots_of(Settings(judging_slots=0, judging_memory_bytes=gigabytes << 30)) == 1
    assert slots_of(Settings(judging_slots=0, judging_memory_bytes=2 * gigabytes << 30)) == 1
    assert slots_of(Settings(judging_slots=7)) == 7


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("ftp://bucket", "s3://bucket"),
        ("bucket", "s3://bucket"),
        ("s3://", "s3://bucket"),
        ("s3://key:secret@bucket", "Credentials are given in variables of their own"),
        (
            "s3://bucket?endpont=https://s3.example",
            "PODIUM_STORAGE_URL: endpont is not an option of s3; options are addressing, endpoint,"
            " region. Did you mean endpoint?",
        ),
        ("gs://bucket?region=eu-1", "region is not an option of gs; it takes none."),
        ("s3://bucket?endpoint=s3.example:9000", "begins with https://"),
        ("s3://bucket?secret_access_key=x", "secret_access_key"),
    ],
)
def test_an_address_that_is_not_understood_is_refused_at_the_start(
    tmp_path: Path, address: str, told: str
) -> None:
    with pytest.raises(NotConfigured, match="PODIUM_STORAGE_URL") as refused:
        build(Settings(data_dir=tmp_path, storage_url=address))
    assert told in refused.value.detail


def test_a_bucket_for_secrets_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="PODIUM_STORAGE_URL as well"):
        build(Settings(data_dir=tmp_path, secret_storage_url="s3://bucket"))


def test_an_address_chooses_the_bucket_and_the_secret_areas_their_own(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path,
        storage_url="s3://files/season?endpoint=http://127.0.0.1:1&region=eu-1",
        secret_storage_url="gs://secrets",
    )
    storage = build(settings).storage
    assert isinstance(storage, BucketStorage)
    assert [repr(storage.store(area)) for area in (Area.SUBMISSIONS, Area.FILES)] == [
        'S3Store(bucket="files", prefix="season")'
    ] * 2
    assert [repr(storage.store(area)) for area in (Area.GROUND_TRUTH, Area.HITS)] == [
        'GCSStore(bucket="secrets")'
    ] * 2

"""Jobs of a whole worker: real queue, real child, real files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from podium.application import Application
from podium.core.models import AuditEntry, DataFile, GroundTruthVersion, Job
from podium.jobs import leases, starting
from podium.jobs.starting import Origin
from podium.materials.jobs import GROUND_TRUTH, UploadToRead
from podium.materials.service import ground_truth
from podium.materials.service.interactions import InteractionRecipe
from podium.materials.service.preparations import Recipe
from podium.preparation.options import Options
from podium.sandbox.children import ChildSandbox
from podium.storage import Area
from podium.worker.service import start
from tests.builders.installation import TRUTH
from tests.builders.jobs.requester import JobRequester
from tests.builders.judging.scene import Scene
from tests.places import ROOT

ODD = "tests.builders.jobs.odd_tasks"
"""Children that do what the first word of a ground truth says."""

SLEEPY = "tests.builders.jobs.sleepy_tasks"
"""Children that never end reading one."""


class Reader(JobRequester):
    """Uploads ground truths, and looks what became of them."""

    def upload(self, content: bytes, recipe: Recipe | None = None) -> str:
        """An accepted ground truth, and its job, as the route makes them."""
        writer = self.application.storage.writer(Area.GROUND_TRUTH)
        writer.write(content)
        stored = writer.finish()
        with self.application.database.write() as session:
            row, _ = ground_truth.accept_upload(
                session, actor=self.actor, slug=self.slug, stored=stored, recipe=recipe
            )
            starting.start(
                session,
                queue=self.application.queue,
                kind=GROUND_TRUTH,
                competition_id=self.competition_id,
                arguments=UploadToRead(row.id),
                origin=Origin(self.actor.user_id, address="192.0.2.7"),
            )
            return row.id

    def version(self, upload_id: str) -> GroundTruthVersion:
        """The upload as it is now."""
        with self.application.database.read() as session:
            return session.get_one(GroundTruthVersion, upload_id)

    def read(self, upload_id: str) -> GroundTruthVersion:
        """The upload once its reading has ended."""
        until(lambda: self.version(upload_id).status != "checking")
        return self.version(upload_id)

    def files(self) -> dict[str, str]:
        """The data files: their hashes by name."""
        with self.application.database.read() as session:
            return {file.name: file.sha256 for file in session.query(DataFile)}

    def job(self) -> Job:
        """The only job."""
        with self.application.database.read() as session:
            return session.query(Job).one()


@pytest.fixture
def reader(application: Application) -> Reader:
    """A user with a draft; a worker is alive in the books."""
    reader = Reader(application)
    reader.register_worker()
    return reader


@contextmanager
def working(
    application: Application, tasks: str | None = None, **settings: object
) -> Iterator[None]:
    """A worker of this process."""
    changed = application.settings.model_copy(update=settings)
    sandbox = ChildSandbox(tasks_module=tasks) if tasks else application.sandbox
    service = start(replace(application, settings=changed, sandbox=sandbox))
    try:
        yield
    finally:
        service.stop()


def test_a_ground_truth_is_read_and_the_audit_log_says_for_whom(reader: Reader) -> None:
    upload = reader.upload(TRUTH)
    with working(reader.application):
        version = reader.read(upload)
    assert (version.status, version.version) == ("stored", 1)
    assert (reader.job().state, reader.job().progress) == ("done", 1.0)
    with reader.application.database.read() as session:
        (entry,) = session.query(AuditEntry).filter_by(action="ground-truth.store")
    assert (entry.actor_id, entry.address) == (reader.actor.user_id, "192.0.2.7")


def test_a_worker_that_is_killed_while_it_reads_leaves_the_file_to_another(reader: Reader) -> None:
    application = reader.application
    upload = reader.upload(TRUTH)
    with _other_worker(application) as killed:
        until(lambda: reader.job().progress == 0.5)
        killed.kill()
    assert (reader.version(upload).status, reader.job().state) == ("checking", "running")
    with working(application):
        version = reader.read(upload)
    assert (version.status, version.version, version.problem) == ("stored", 1, None)
    job = reader.job()
    assert (job.worker_deaths, job.own_failures, job.fence) == (1, 0, 2)
    scratch = application.settings.data_dir / "scratch" / "judgings"
    assert list(scratch.iterdir()) == []


def test_a_preparation_that_is_killed_halfway_gives_the_same_files_afterwards(
    reader: Reader,
) -> None:
    application = reader.application
    recipe = InteractionRecipe(Options(pick="random"))
    rows = (b"%d,%d" % (user, user + item) for user in range(200) for item in range(9))
    content = b"user,item\n" + b"\n".join(rows)
    upload = reader.upload(content, recipe)
    with _other_worker(application) as killed:
        until(lambda: reader.job().progress == 0.5)
        killed.kill()
    assert reader.files() == {}
    with working(application):
        assert reader.read(upload).status == "stored"
        first = reader.files()
        assert reader.read(reader.upload(content + b"\n", recipe)).status == "stored"
    assert sorted(first) == ["dataset.json", "items.csv", "report.md", "train.parquet"]
    assert reader.files() == first


@pytest.mark.parametrize("first_word", [b"abort", b"grow"])
def test_a_file_that_ends_its_child_is_refused_and_the_worker_goes_on(
    reader: Reader, first_word: bytes
) -> None:
    hostile = reader.upload(first_word)
    memory = {"judging_memory_bytes": 400 << 20, "judging_retry_memory_bytes": 700 << 20}
    with working(reader.application, ODD, **memory):
        refused = reader.read(hostile)
        assert refused.status == "rejected"
        assert refused.problem is not None
        assert refused.problem["code"] == "resource-limit"
        assert (reader.job().state, reader.job().worker_deaths) == ("refused", 0)
    good = reader.upload(TRUTH)
    with working(reader.application):
        assert reader.read(good).status == "stored"


def test_a_file_that_takes_more_memory_is_read_by_a_second_child(reader: Reader) -> None:
    upload = reader.upload(b"half-a-gigabyte\n" + TRUTH)
    memory = {"judging_memory_bytes": 400 << 20, "judging_retry_memory_bytes": 2 << 30}
    with working(reader.application, ODD, **memory):
        version = reader.read(upload)
    assert (version.status, version.problem) == ("stored", None)
    assert (reader.job().state, reader.job().own_failures) == ("done", 0)


def test_a_worker_that_leaves_hands_its_job_back(reader: Reader) -> None:
    upload = reader.upload(TRUTH)
    with working(reader.application, SLEEPY):
        until(lambda: reader.job().state == "running")
    job = reader.job()
    assert (job.state, job.worker_deaths, job.own_failures) == ("queued", 0, 0)
    with working(reader.application):
        assert reader.read(upload).status == "stored"


def test_a_cancelled_job_ends_its_child_and_says_why(reader: Reader) -> None:
    upload = reader.upload(TRUTH)
    with working(reader.application, SLEEPY):
        until(lambda: reader.job().state == "running")
        with reader.application.database.write() as session:
            leases.cancel(session, competition_id=reader.competition_id, kind=GROUND_TRUTH)
        version = reader.read(upload)
    assert version.problem is not None
    assert (version.status, version.problem["code"]) == ("rejected", "settings-changed")
    assert reader.job().state == "cancelled"


def test_a_job_waits_for_no_judging_and_takes_no_slot_of_theirs(
    application: Application, tmp_path: Path
) -> None:
    scene = Scene(application, tmp_path)
    reader = Reader(application, slug="draft")
    rows = [scene.submit(b"sleep", number=number) for number in range(3)]
    for row in rows:
        scene.dispatch(row)
    with working(application, "tests.builders.judging.odd_tasks"):
        # The only slot of judgings is taken for good, and two more wait for it.
        until(lambda: "judging" in {scene.row(row).state for row in rows})
        upload = reader.upload(TRUTH)
        assert reader.read(upload).status == "stored"
        assert sorted(scene.row(row).state for row in rows) == ["judging", "queued", "queued"]


@contextmanager
def _other_worker(application: Application) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own, whose children never end."""
    code = (
        "import threading; from dataclasses import replace;"
        "from podium.bootstrap import build; from podium.sandbox.children import ChildSandbox;"
        "from podium.settings import Settings; from podium.worker.service import start;"
        f"sandbox = ChildSandbox(tasks_module={SLEEPY!r});"
        "start(replace(build(Settings()), sandbox=sandbox)); threading.Event().wait(120)"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PODIUM_DATA_DIR": str(application.settings.data_dir),
        "PODIUM_DATABASE_URL": application.settings.database_url,
        "PODIUM_LEASE_SECONDS": "2",
        "PODIUM_MIN_FREE_BYTES": "0",
    }
    worker = subprocess.Popen([sys.executable, "-c", code], env=environment)
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"this did not happen within {seconds} s"
        time.sleep(0.05)

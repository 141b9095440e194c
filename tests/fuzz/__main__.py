"""Fuzzes the compiled reader under sanitizers: `make fuzz`, or with `BLOCKS=100000` for a quick
look.

The library is built anew with checks of every address and every operation. Python itself has none,
so the checking library is loaded before it.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from podium.scoring.kernel.library import declared
from tests.fuzz import blocks, cells, counts, labels, rows
from tests.places import ROOT

CHECKS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-coverage=trace-pc"


def built(folder: Path, flags: str) -> Path:
    """The library with sanitizers."""
    sources = sorted((ROOT / "app" / "podium" / "scoring" / "kernel" / "c").glob("*.c"))
    made = folder / "kernel.so"
    strict = "-std=c11 -O1 -Wall -Wextra -Wconversion -Werror -fPIC -shared"
    command = ["gcc", *strict.split(), *CHECKS.split(), *flags.split(), *map(str, sources)]
    subprocess.run([*command, str(Path(__file__).with_name("edges.c")), "-o", made], check=True)
    return made


def child(library: Path, *, blocks: int, seed: int) -> subprocess.Popen[bytes]:
    """A process that tries blocks."""
    command = ["gcc", "-print-file-name=libasan.so"]
    checker = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": checker,
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "POLARS_MAX_THREADS": "1",
    }
    arguments = ["--library", str(library), "--blocks", str(blocks), "--seed", str(seed)]
    return subprocess.Popen([sys.executable, "-m", "tests.fuzz", *arguments], env=environment)


def main() -> int:
    """Runs as many processes as there are processors, at least one for each way; returns 0 if none
    found anything."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--blocks", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.library is not None:
        functions = declared(ctypes.CDLL(str(given.library)))
        runs = (
            ("lists", blocks.run),
            ("rows", rows.run),
            ("cells", cells.run),
            ("labels", labels.run),
            ("counts", counts.run),
        )
        share = given.blocks // len(runs)
        for what, run in runs:
            accepted, kept = run(functions, blocks=share, seed=given.seed)
            tried = f"{share:,} blocks of {what} from seed {given.seed}"
            print(f"{tried}: {accepted:,} began with a plain row, {kept:,} took new ways")
            sys.stdout.flush()
        return 0
    if shutil.which("gcc") is None:
        print("The sanitizers need gcc, which is not here.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        # The ways for processors without vectors of 32 or 16 bytes are tried as well.
        ways = ("", "-DNARROW", "-DNARROW -U__SSE2__")
        processes = max(given.processes, len(ways))
        share = given.blocks // processes
        children = []
        for number in range(processes):
            place = Path(folder) / str(number)
            place.mkdir()
            library = built(place, ways[number % len(ways)])
            children.append(child(library, blocks=share, seed=given.seed + 1000 * number))
        return max(each.wait() for each in children)


if __name__ == "__main__":
    sys.exit(main())

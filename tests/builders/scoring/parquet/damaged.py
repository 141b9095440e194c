"""Reads damaged Parquet files in a process of its own: `python -m … SEED FOLDER`."""

import random
import sys
from pathlib import Path

import polars as pl

from podium.scoring.problems import Code
from tests.builders.scoring.submissions import GOOD, IDS, Accepted, refused

FILES = 250


def main(seed: int, folder: Path) -> None:
    """Prints how many damaged files were refused for a known reason, or accepted."""
    rng = random.Random(seed)
    file = folder / "upload"
    labels = [line.split(",")[1] for line in GOOD.decode().splitlines()[1:]]
    frame = pl.DataFrame({"session_type": IDS, "labels": labels})
    if seed % 2:
        items = pl.col("labels").str.split(" ").cast(pl.List(pl.Int32))
        frame = frame.with_columns(items)
    frame.write_parquet(file, row_group_size=4, compression="zstd")
    content = file.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    judged = 0
    for _ in range(FILES):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 1, 2, 5))):
            start = footer if rng.random() < 0.7 else 4
            damaged[rng.randrange(start, len(content))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        try:
            judged += refused(file) in set(Code)
        except Accepted:
            judged += 1
    sys.stdout.write(f"{judged}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))

# SPDX-License-Identifier: BSD-3-Clause
"""Make a data set for kmeans: points drawn from normal distributions around random centres, a line for each."""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError


def points(count: int, width: int, clusters: int, seed: int) -> Iterator[str]:
    """Yield the lines: a comment, then numbers of four decimals. The same arguments make the same lines."""
    chance = random.Random(seed)
    centres = [[chance.uniform(-100, 100) for _ in range(width)] for _ in range(clusters)]
    yield f"# {count} points around {clusters} centres, seed {seed}\n"
    for _ in range(count):
        spread = chance.uniform(5, 25)
        yield ",".join(f"{chance.gauss(number, spread):.4f}" for number in chance.choice(centres)) + "\n"


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(description="Write points that form clusters to FILE.")
    parser.add_argument("file", type=Path, metavar="FILE", help="- is standard output")
    parser.add_argument("--points", type=int, default=100_000, help="how many points (default: 100000)")
    parser.add_argument("--width", type=int, default=32, help="how many numbers a point has (default: 32)")
    parser.add_argument("--clusters", type=int, default=64, help="around how many centres they lie (default: 64)")
    parser.add_argument("--seed", type=int, default=1, help="another one makes other points (default: 1)")
    options = parser.parse_args()
    try:
        Output("FILE", options.file).write(
            "".join(points(options.points, options.width, options.clusters, options.seed))
        )
    except OutputError as error:
        sys.exit(f"kmeans_points: {error}")


if __name__ == "__main__":
    main()

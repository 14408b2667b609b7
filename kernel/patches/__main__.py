# SPDX-License-Identifier: GPL-2.0-only
"""Write the series for every version: PYTHONPATH=kernel python3 -m patches [--update] [BUILD]."""

import argparse
import sys
from pathlib import Path

from vm.build import ROOT
from vm.debian import Archive
from vm.kernels import PATCHED

from patches import places
from patches.series import changed_files, kernel_series, man_series, on_files, write


def update(series: str, base: dict[str, str]) -> None:
    """Write the places of a kernel's files, which have to give what the whole files give."""
    print(places.write(series, places.series_places(on_files(series, base, places.AROUND), base)))
    if kernel_series(series) != on_files(series, base):
        raise SystemExit(f"places/{series}.txt does not give the series that the sources give; make AROUND larger")


def main() -> int:
    """Write them all."""
    parser = argparse.ArgumentParser(prog="python3 -m patches", description="Write the series of patches for Linux.")
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build", help="write to its patches/ (build/)")
    parser.add_argument(
        "--update", action="store_true", help="fetch Debian's sources, and write places/ from them first"
    )
    options = parser.parse_args()
    if options.update:
        archive = Archive(options.build / "kernel")
        for release in PATCHED:
            names = changed_files(release.series)
            source = archive.source_files(release, names)
            update(release.series, {name: (source / name).read_text() for name in names})
    for name, files in ({r.series: kernel_series(r.series) for r in PATCHED} | {"man-pages": man_series()}).items():
        for file in write(files, options.build / "patches" / name):
            print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())

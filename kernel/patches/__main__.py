# SPDX-License-Identifier: GPL-2.0-only
"""Write the series for every version: PYTHONPATH=kernel python -m patches."""

import sys
from pathlib import Path

from vm.build import ROOT
from vm.debian import Archive
from vm.kernels import PATCHED

from patches.series import HERE, changed_files, kernel_series, man_series, share, write


def main() -> int:
    """Write them all."""
    archive = Archive(Path(sys.argv[1] if sys.argv[1:] else ROOT / "build") / "kernel")
    series = {r.series: kernel_series(archive.source_files(r, changed_files())) for r in PATCHED}
    for name, files in (series | {"man-pages": man_series()}).items():
        for file in write(files, HERE / name):
            print(file.relative_to(ROOT))
    share([HERE / name for name in series])
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-only
"""Write the series for every version: PYTHONPATH=kernel python -m patches."""

import sys
from pathlib import Path

from patches.series import HERE, changed_files, write
from vm.build import ROOT
from vm.debian import Archive
from vm.kernels import PATCHED


def main() -> int:
    """Write them all."""
    archive = Archive(Path(sys.argv[1] if sys.argv[1:] else ROOT / "build") / "kernel")
    for release in PATCHED:
        for file in write(archive.source_files(release, changed_files()), HERE / release.series):
            print(file.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())

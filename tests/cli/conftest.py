# SPDX-License-Identifier: BSD-3-Clause
"""An installed tree that has not been moved to its prefix."""

from pathlib import Path

import pytest
from installed import make_install


@pytest.fixture(scope="session")
def stage(bin_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make install PREFIX=/usr` puts under DESTDIR."""
    destdir = tmp_path_factory.mktemp("stage")
    done = make_install(bin_dir.parent, "/usr", str(destdir))
    assert done.returncode == 0, done.stdout + done.stderr
    return destdir

# SPDX-License-Identifier: BSD-3-Clause
"""Two installed trees, which the tests of `make install` share."""

import shutil
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


@pytest.fixture(scope="session")
def prefix(bin_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree installed under DESTDIR for a prefix, and then moved to that prefix."""
    folder = tmp_path_factory.mktemp("moved")
    done = make_install(bin_dir.parent, str(folder / "prefix"), str(folder / "stage"))
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "stage" / folder.relative_to("/") / "prefix").rename(folder / "prefix")
    shutil.rmtree(folder / "stage")
    return folder / "prefix"

# SPDX-License-Identifier: BSD-3-Clause
"""The version stands in one place, and everything else that states it agrees."""

import re
import subprocess
import sys

import pytest
from paths import ROOT, VERSION

CHANGELOGS = (
    "CHANGELOG.md",
    "haskell/CHANGELOG.md",
    "haskell/openmp/CHANGELOG.md",
    "haskell/directory/CHANGELOG.md",
    "haskell/ingress/CHANGELOG.md",
)


def test_every_file_states_this_version() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/release/version.py", "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("name", CHANGELOGS)
def test_the_newest_entry_of_a_changelog_is_this_version(name: str) -> None:
    assert re.findall(r"^## (\S+)", (ROOT / name).read_text(), re.M)[0] == VERSION

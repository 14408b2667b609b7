# SPDX-License-Identifier: BSD-3-Clause
"""The folder that packages are fetched into, by several processes at once. A stand-in takes apt's place."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from vm.debian import Archive

#: Writes what it is asked for in two steps, as a download does.
APT = """#!/bin/sh
for package; do :; done
touch started
sleep 0.3
mv started "${package}_1_amd64.deb"
"""


def test_two_packages_are_fetched_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "apt-get").write_text(APT)
    (programs / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    folder = tmp_path / "kernel"
    names = ["dkms", "linux-source-6.12"]
    with ThreadPoolExecutor(len(names)) as pool:
        fetched = list(pool.map(lambda name: Archive(folder).fetch(name), names))
    assert fetched == [folder / "debs" / f"{name}_1_amd64.deb" for name in names]
    assert all(file.exists() for file in fetched)

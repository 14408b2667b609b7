# SPDX-License-Identifier: BSD-3-Clause
"""What can drift in debian/ without a package being built: its version, its symbols, and what it installs."""

import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT, VERSION

DEBIAN = ROOT / "debian"
LIBRARIES = ("libferry", "libferryingress", "libferrynetwork", "libferryomp")


def exported(library: Path) -> set[str]:
    """Return what a library exports, as dpkg-gensymbols writes it: name@version."""
    lines = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names = [line.split()[0].replace("@@", "@") for line in lines]
    # a version is a symbol too, in itself
    return {name if "@" in name else f"{name}@{name}" for name in names}


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    assert re.match(rf"ferry \({re.escape(VERSION)}-\d+\) unstable; ", (DEBIAN / "changelog").read_text())


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_symbols_are_those_of_the_library(name: str) -> None:
    lines = (DEBIAN / f"{name}0.symbols").read_text().splitlines()
    assert lines[0] == f"{name}.so.0 {name}0 #MINVER#"
    assert {line.split()[0] for line in lines[1:]} == exported(BUILD / "lib" / f"{name}.so.{VERSION}")


def test_every_package_has_files() -> None:
    packages = re.findall(r"^Package: (\S+)", (DEBIAN / "control").read_text(), re.M)
    by_rules = {"ferry-dkms", "libghc-ferry-dev", "python3-ferry-ingress"}
    assert set(packages) - by_rules == {path.stem for path in DEBIAN.glob("*.install")}


def test_every_header_is_in_one_package() -> None:
    installed = [
        path
        for listing in DEBIAN.glob("*.install")
        for line in listing.read_text().splitlines()
        if line.startswith("usr/include/ferry/")
        for path in (ROOT / "include").glob(line.removeprefix("usr/include/"))
    ]
    assert sorted(installed) == sorted((ROOT / "include/ferry").iterdir())

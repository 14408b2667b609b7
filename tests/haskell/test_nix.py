# SPDX-License-Identifier: BSD-3-Clause
"""haskell/default.nix says of each package what its .cabal file says."""

import re

import pytest
from paths import ROOT

FOLDERS = {"ferry": "haskell", "ferry-openmp": "haskell/openmp", "ferry-directory": "haskell/directory"}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_package_for_nix_is_that_for_cabal(name: str) -> None:
    cabal = (ROOT / FOLDERS[name] / f"{name}.cabal").read_text()
    nix = (ROOT / "haskell" / "default.nix").read_text()
    package = re.search(rf"    {name} = self\.callPackage \((.*?)\n    \) ", nix, re.S)
    assert package
    arguments = re.search(r"\{ mkDerivation, (.*) \}:", package[1])
    depends = re.search(r"libraryHaskellDepends = \[ (.*) \];", package[1])
    assert arguments
    assert depends
    # a condition may name a package again
    wanted = sorted(set(re.findall(r"^ +, ([a-z-]+)", cabal, re.M)))
    assert wanted
    assert depends[1].split() == wanted
    assert arguments[1].split(", ") == wanted
    assert f'sourceRoot+=/{FOLDERS[name]}"' in package[1]
    for field, pattern in (("synopsis", r'description = "(.*)";'), ("version", r'version = "(.*)";')):
        said = re.search(rf"^{field}: +(.*)$", cabal, re.M)
        found = re.search(pattern, package[1] if field == "synopsis" else nix)
        assert said
        assert found
        assert said[1] == found[1]

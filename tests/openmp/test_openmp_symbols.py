# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP runtime exports what libgomp 12 to 16 export to programs, under the same versions, and little else."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from paths import BUILD, ROOT

LISTED = ROOT / "tests" / "openmp" / "symbols.txt"
#: omp.h declares them; libgomp has never exported them.
OWN = {
    "omp_init_lock_with_hint@@OMP_4.5",
    "omp_init_nest_lock_with_hint@@OMP_4.5",
    # include/ferry/openmp_coscheduler.h
    "ferryomp_batch_begin@@FERRYOMP_0.1",
    "ferryomp_batch_end@@FERRYOMP_0.1",
    "ferryomp_coscheduler_held@@FERRYOMP_0.1",
    "ferryomp_coscheduler_register@@FERRYOMP_0.1",
    "ferryomp_initial_get@@FERRYOMP_0.1",
    "ferryomp_initial_set@@FERRYOMP_0.1",
}
#: OpenACC, and what is for plug-ins that drive devices.
OTHERS = re.compile(r"(?i)^(?:acc_|goacc_)|@(?:OACC|GOACC|GOMP_PLUGIN)_")
#: The KMP ABI, and what clang's, Intel's and gcc's code that was linked with LLVM's runtime asks for; names that MKL
#: asks for, which a linker must not take for libatomic's.
KMP = re.compile(
    r"^(?:__kmpc_|kmp_|kmpc_|ompc_)\w+@@VERSION$|^(?:omp_|GOMP_)\w+@@?VERSION$"
    r"|^__atomic_(?:load|store|compare_exchange)@VERSION$"
)
LIBOMP = Path("/usr/lib/llvm-14/lib/libomp.so.5")
#: What later releases of libomp export and that one does not.
NEWER = ROOT / "tests" / "openmp" / "kmp" / "newer.txt"
MISSING = ROOT / "tests" / "openmp" / "kmp" / "missing.toml"
LIBRARIES = ("lib/gomp/libgomp.so.1", "lib/libferryomp.so")


def listed(release: str = "") -> set[str]:
    """The symbols of the list, or of its part for one release."""
    found: set[str] = set()
    part = ""
    for line in LISTED.read_text().splitlines():
        heading = re.match(r"# (\d+)\.", line)
        part = heading[1] if heading else part
        if line and not line.startswith("#") and release in ("", part):
            found.add(line)
    return found


def exported(library: Path) -> set[str]:
    """The names that a library defines, with their versions; the version nodes are left out."""
    command = ["nm", "-D", "--defined-only", "--with-symbol-versions", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name for name in (line.split()[-1] for line in done.stdout.splitlines()) if "@" in name}


def test_the_list_has_three_releases_without_repetition() -> None:
    parts = [listed(release) for release in ("12", "14", "16")]
    assert sum(map(len, parts)) == len(listed())
    assert [len(part) for part in parts] == [321, 10, 19]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_listed_symbol_is_exported_with_its_version(library: str) -> None:
    assert listed() - exported(BUILD / library) == set()


@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_else_is_exported(library: str) -> None:
    assert {name for name in exported(BUILD / library) - listed() if not KMP.match(name)} == OWN


def test_the_list_is_what_the_installed_libgomp_exports() -> None:
    done = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
    found = {name for name in exported(Path(done.stdout.strip())) if not OTHERS.search(name)}
    assert listed("12") - found == set(), "an entry is in no libgomp"
    assert found - listed() == set(), "the installed libgomp has what the list lacks; add it, and export it"


def test_the_static_library_defines_every_default_symbol() -> None:
    command = ["nm", "-g", "--defined-only", str(BUILD / "lib/libferryomp.a")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    defined = {line.split()[-1] for line in done.stdout.splitlines() if line}
    assert {name.partition("@@")[0] for name in listed() if "@@" in name} - defined == set()


@pytest.mark.skipif(not LIBOMP.exists(), reason="libomp5-14 is not installed: scripts/install/deps.sh test")
def test_what_libomp_exports_is_exported_or_missing_for_a_reason() -> None:
    """Under the same versions; which of a name's versions is the default one differs. newer.txt is there too."""
    theirs, ours = ({name.replace("@@", "@") for name in exported(each)} for each in (LIBOMP, BUILD / LIBRARIES[0]))
    theirs |= {line for line in NEWER.read_text().splitlines() if line and not line.startswith("#")}
    with MISSING.open("rb") as file:
        entries = tomllib.load(file)["missing"]
    listed_missing = [name for entry in entries for name in entry["names"]]
    assert len(set(listed_missing)) == len(listed_missing)
    assert {name.partition("@")[0] for name in theirs - ours} == set(listed_missing)

# SPDX-License-Identifier: BSD-3-Clause
"""The programs that tests run in, besides their own: a Haskell program that loads the test and calls its main.

Such a test is a shared object, NAME.so, and the host is started under the name NAME (host/Main.hs). One program serves
all tests, where linking each with GHC's runtime system would take longer than to run it. Our library is the one that
the Haskell program is linked with, as in any program that uses the package; a libgomp.so.1 that the test asks for is
the same file under another name, which the loader notices, so that what ours lacks is missing and not libgomp's.
"""

from __future__ import annotations

from pathlib import Path

from openmp.conformance.run import Library, LibraryError

#: With what the tests are compiled; a program finds its own functions before those of the libraries, a shared object
#: does only when it is told to.
SHARED = ("-fPIC", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs")
#: GHC as a co-scheduler makes teams of what is free by default. Tests count on the teams they ask for.
ENVIRONMENT = {"OMP_DYNAMIC": "false"}


def built(path: Path) -> Path:
    """Return a path that has to exist."""
    if not path.exists():
        raise LibraryError(f"{path} is not there; run `make haskell-hosts`")
    return path


def in_haskell(build: Path, reference: str, ours: str) -> list[Library]:
    """Return libgomp and our library, each with the Haskell program that uses it."""
    names = build / "conformance" / "names"
    names.mkdir(parents=True, exist_ok=True)
    name = names / "libgomp.so.1"
    name.unlink(missing_ok=True)
    name.symlink_to(built(build / "lib" / "libferryomp.so.0").resolve())
    return [
        Library(reference, None, built(build / "tests" / "openmp-host-plain"), ENVIRONMENT),
        Library(ours, names, built(build / "tests" / "openmp-host-ferry"), ENVIRONMENT),
    ]

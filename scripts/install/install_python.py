# SPDX-License-Identifier: BSD-3-Clause
"""Copy the ferry package and what it needs at run time into one folder: install_python.py TOOL TARGET.

TOOL is the folder with requirements.txt and src/. The distributions are copied from the environment this runs in, so
that the installed versions are the tested ones and no network is needed. Scripts, bytecode and installation records are
left out, because they name paths of the machine that built them, and so are the packages' own tests.
"""

import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

LEFT_OUT = {"RECORD", "REQUESTED", "direct_url.json"}


def required(text: str) -> str | None:
    """Return the distribution a requirement names, or None if it does not apply here."""
    requirement = Requirement(text)
    if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
        return None
    return str(requirement.name)


def closure(names: list[str]) -> list[Distribution]:
    """Return the named distributions and all they require."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        try:
            one = distribution(name)
        except PackageNotFoundError:
            sys.exit(f"make install: the Python package '{name}' is not in the build's environment; run `make build`")
        if one.metadata["Name"] not in found:
            found[one.metadata["Name"]] = one
            waiting += [need for need in map(required, one.requires or []) if need is not None]
    return list(found.values())


def files(one: Distribution) -> Iterator[PackagePath]:
    """Yield the files of a distribution that are installed."""
    for path in one.files or []:
        bytecode = "__pycache__" in path.parts
        record = path.parts[0].endswith(".dist-info") and path.name in LEFT_OUT
        test = "tests" in path.parts
        if ".." not in path.parts and not bytecode and not record and not test:
            yield path


def main() -> None:
    """Fill TARGET anew."""
    tool, target = map(Path, sys.argv[1:])
    lines = (tool / "requirements.txt").read_text().splitlines()
    names = [name for line in lines if line and not line.startswith("#") if (name := required(line)) is not None]
    shutil.rmtree(target, ignore_errors=True)
    for one in closure(names):
        for path in files(one):
            to = target / path
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(str(one.locate_file(path)), to)
    shutil.copytree(tool / "src" / "ferry", target / "ferry", ignore=shutil.ignore_patterns("__pycache__"))


main()

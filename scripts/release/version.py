# SPDX-License-Identifier: BSD-3-Clause
"""Write the version into every file that states it: version.py [--check].

FERRY_VERSION in include/ferry/batch.h is the one place where people write it; `make generate` runs this. The example
libraries (examples/echo, examples/notes) have versions of their own.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"\d+\.\d+\.\d+"
#: Where the version stands: files, and what is before and after it there.
PLACES = (
    ("man/*.[0-9]", r"^\.TH .*Ferry ", '"'),
    ("man/*.[0-9]", r"^\.Os Ferry ", "$"),
    ("man/ferry_version.3", r"\\\(dq ?", r" ?\\\(dq"),
    ("haskell/**/*.cabal", r"^version: +", "$"),
    ("haskell/**/*.cabal", r"\bferry[a-z-]* +==", "$"),
    ("examples/haskell/*.cabal", r"^version: +", "$"),
    ("examples/haskell/*.cabal", r"\bferry[a-z-]* +==", "$"),
    ("examples/echo/haskell/*.cabal", r"\bferry[a-z-]* +\^>=", "$"),
    ("haskell/default.nix", r'version = "', '"'),
    ("haskell/bench/Harness.hs", r"\(Ferry\) ", '"'),
    ("examples/haskell/*/*/Command.hs", r"\(Ferry\) ", '"'),
    ("tools/ferry/pyproject.toml", r'^version = "', '"'),
    ("tools/ferry/src/ferry/__init__.py", r'^__version__ = "', '"'),
    ("hosts/python/pyproject.toml", r'^version = "', '"'),
    ("hosts/rust/ferry-ingress*/Cargo.toml", r'^version = "', '"'),
    ("hosts/rust/ferry-ingress-provider/Cargo.toml", r'^ferry-ingress(?:-macros)? = { version = "', '"'),
    ("examples/**/Cargo.toml", r'^ferry-ingress[a-z-]* = { version = "', '"'),
    ("examples/notes/python/binding/pyproject.toml", '"ferry-ingress~=', '"'),
    ("*/rust/Cargo.lock", r'^name = "ferry-ingress(?:-macros|-provider|-tokio)?"\nversion = "', '"'),
    ("nim/ferry.nimble", r'^version = "', '"'),
    ("python/pyproject.toml", r'^version = "', '"'),
    ("python/src/ferry_openmp/__init__.py", r'^__version__ = "', '"'),
    ("kernel/dkms.conf", r"\bferry-batch/", "$"),
    ("kernel/dkms.conf", r'^PACKAGE_VERSION="', '"'),
    ("README.md", r"/ferry\*-", r"\.tar\.gz"),
    ("docs/*.md", r"/ferry[a-z-]*-", r"\.tar\.gz"),
    ("docs/kernel.md", r"\bferry-batch/", "`"),
)


def current() -> str:
    """Return the version that include/ferry/batch.h defines."""
    found = re.search(rf'^#define FERRY_VERSION "({NUMBER})"$', (ROOT / "include/ferry/batch.h").read_text(), re.M)
    if found is None:
        sys.exit("version.py: include/ferry/batch.h defines no FERRY_VERSION of three numbers")
    return found[1]


def updated(path: Path, before: str, after: str, version: str) -> tuple[str, int]:
    """Return the text of a file with the version in one of its places, and how many there are."""
    return re.subn(f"({before}){NUMBER}(?={after})", rf"\g<1>{version}", path.read_text(), flags=re.M)


def main() -> int:
    """Write the version, or say which files have another."""
    parser = argparse.ArgumentParser(description="Write the version into every file that states it.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file has another version")
    check = parser.parse_args().check
    version = current()
    wrong = []
    for pattern, before, after in PLACES:
        count = 0
        for path in sorted(ROOT.glob(pattern)):
            text, places = updated(path, before, after, version)
            count += places
            if text == path.read_text():
                continue
            if check:
                wrong.append(f"{path.relative_to(ROOT)}: another version than {version}; run `make generate`")
            else:
                path.write_text(text)
        if count == 0:
            wrong.append(f"{pattern}: no version stands behind {before!r}; correct PLACES in version.py")
    print("".join(f"{line}\n" for line in wrong), end="")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

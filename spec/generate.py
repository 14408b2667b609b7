#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write every generated table from spec/batch.toml: OUTPUTS says which file is written by which generator.

Usage: spec/generate.py [--check]

Without options the files are written in place. With --check nothing is written: each file that differs from what would
be written is named on stderr and the exit status is 1. Needs only Python 3.11's standard library.
"""

import argparse
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from generators import compiler, haskell, kernel, library, python, typed
from generators.common import Spec

ROOT = Path(__file__).resolve().parent.parent

OUTPUTS: dict[str, Callable[[Spec], str]] = {
    "include/ferry/uapi.h": library.uapi_h,
    "include/ferry/typed.h": typed.typed_h,
    "kernel/include/uapi/linux/batch.h": kernel.kernel_uapi_h,
    "kernel/core/batch_calls.h": kernel.kernel_calls_h,
    "src/batch/calls.h": library.calls_h,
    "src/batch/reasons.h": library.reasons_h,
    "tests/batch/conformance/names.h": library.names_h,
    "tools/ferry/src/ferry/spec.py": python.spec_py,
    "compiler/wrappers.h": compiler.wrappers_h,
    "haskell/src/Ferry/Internal/Spec.hs": haskell.haskell_spec,
    "haskell/src/Ferry/Internal/SystemCalls.hs": haskell.haskell_calls,
}


def main() -> int:
    """Write the files, or compare them; the exit status."""
    parser = argparse.ArgumentParser(description="Write every generated table from spec/batch.toml.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file has drifted")
    check = parser.parse_args().check
    spec = tomllib.loads((ROOT / "spec" / "batch.toml").read_text())
    drifted = 0
    for name, write in OUTPUTS.items():
        path, text = ROOT / name, write(spec)
        if path.exists() and path.read_text() == text:
            continue
        if check:
            print(f"{name}: differs from what spec/batch.toml says; run `make generate`", file=sys.stderr)
            drifted += 1
        else:
            path.write_text(text)
            print(f"wrote {name}")
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main())

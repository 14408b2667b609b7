# SPDX-License-Identifier: BSD-3-Clause
"""The command lines: `python -m ferry_openmp`, and `ferry-openmp` with its commands run, doctor and env."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import shlex
import sys
from collections.abc import Sequence

from ferry_openmp.diagnosis import doctor
from ferry_openmp.files import MissingError, serving
from ferry_openmp.launch import run

RUN_USAGE = """usage: python -m ferry_openmp [program.py | -m MODULE | -c CODE] [ARGUMENT…]

Run a Python program, and the processes that it starts, with Ferry's OpenMP runtime in place of the ones that its
libraries bring. What follows is what `python` takes. numpy's and scipy's OpenBLAS runs on the same threads;
FERRY_OPENMP_BLAS=0 lets it keep its own.
"""
#: What doctor imports when no module is named, as far as it is installed.
KNOWN = ("numpy", "scipy.linalg", "sklearn.ensemble", "lightgbm", "xgboost", "faiss", "torch", "numba")
#: Set in the process that doctor starts in order to look at it.
LOOKING = "FERRY_OPENMP_DOCTOR"


def fail(text: str) -> int:
    """Print why a command failed; return its exit status."""
    sys.stderr.write(f"ferry-openmp: {text}\n")
    return 2


def run_main(arguments: Sequence[str]) -> int:
    """`python -m ferry_openmp`; returns only when it cannot run the program."""
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stdout.write(RUN_USAGE)
        return 0 if arguments else 2
    failed = 0
    try:
        run(arguments)
    except (OSError, ValueError) as error:
        failed = fail(str(error))
    return failed


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _look(modules: Sequence[str], as_json: bool) -> int:
    """Import the modules and print what doctor() finds."""
    failed = 0
    for module in modules or [name for name in KNOWN if _is_installed(name)]:
        try:
            importlib.import_module(module)
        except Exception as error:
            failed = fail(f"cannot import {module}: {error}")
    report = doctor()
    print(json.dumps(report.as_dict(), indent=2) if as_json else report)
    return failed


def _doctor(options: argparse.Namespace) -> int:
    if not options.bare and not os.environ.get(LOOKING):
        os.environ[LOOKING] = "1"
        chosen = ["--json"] if options.json else []
        run(["-m", "ferry_openmp.command", "doctor", *chosen, "--", *options.modules])
    return _look(options.modules, options.json)


def _env(_options: argparse.Namespace) -> int:
    for name, value in serving(os.environ).items():
        if os.environ.get(name) != value:
            print(f"export {name}={shlex.quote(value)}")
    return 0


def _run(options: argparse.Namespace) -> int:
    return run_main(options.arguments)


def parser() -> argparse.ArgumentParser:
    """Return the parser of `ferry-openmp`."""
    top = argparse.ArgumentParser("ferry-openmp", description="One pool of threads for a Python program.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("doctor", help="say which pools of threads a program has, and what to change")
    one.add_argument("--bare", action="store_true", help="look at a process without Ferry, as the program is today")
    one.add_argument("--json", action="store_true", help="print JSON")
    one.add_argument("modules", nargs="*", metavar="MODULE", help=f"import it first (default: {', '.join(KNOWN)})")
    one.set_defaults(act=_doctor)
    two = commands.add_parser("env", help="print the environment of a program with Ferry, for a shell to read")
    two.set_defaults(act=_env)
    three = commands.add_parser("run", help="as python -m ferry_openmp", add_help=False)
    three.add_argument("arguments", nargs=argparse.REMAINDER)
    three.set_defaults(act=_run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """`ferry-openmp`."""
    options = parser().parse_args(arguments)
    try:
        return int(options.act(options))
    except (MissingError, ValueError) as error:
        return fail(str(error))


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""`ferry omp`: start a program with Ferry's OpenMP runtime in the place of libgomp, libomp and libiomp5."""

from __future__ import annotations

import os
import signal

import click

from ferry.boundaries import OURS
from ferry.folders import MeasureError, folder_from
from ferry.replaced import Replacing, say, start_watcher
from ferry.runtimes import find

LIBRARY = "libgomp.so.1"


def in_front(variable: str, entry: str) -> dict[str, str]:
    """Return a list of paths with one more at its front."""
    value = os.environ.get(variable)
    return {variable: f"{entry}:{value}" if value else entry}


@click.command(
    "omp",
    short_help="Run a program with Ferry's OpenMP runtime.",
    context_settings={"allow_interspersed_args": False},
)
@click.option(
    "--preload", is_flag=True, help="For a program that brings an OpenMP runtime of its own, such as a wheel from PyPI."
)
@click.option("--quiet", is_flag=True, help="Do not warn of OpenMP runtimes in COMMAND that are not replaced.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def omp_command(preload: bool, quiet: bool, command: tuple[str, ...]) -> None:
    """Run COMMAND with Ferry's OpenMP runtime instead of GNU's libgomp, LLVM's libomp and Intel's libiomp5.

    An OpenMP runtime that COMMAND has and that this does not replace (one that is linked into it or found by a path of
    its own) is named on standard error with what to do; so is one that COMMAND or its descendants load while they run.
    """
    try:
        folder = find(OURS, LIBRARY, folder_from("FERRY_BENCH", "the OpenMP runtime"), "run `make build` or reinstall")
    except MeasureError as error:
        raise click.ClickException(str(error)) from error
    # the folder with --preload too: a runtime that is asked for by name is then the one that is loaded already
    environment = dict(os.environ) | in_front("LD_LIBRARY_PATH", str(folder))
    if preload:
        environment |= in_front("LD_PRELOAD", f"{folder}/{LIBRARY}")
    if not quiet:
        replacing, said = Replacing(f"{folder}/{LIBRARY}", preload), set[tuple[str, str]]()
        say(replacing.before(command, environment), said)
        start_watcher(replacing, said)
    # Python ignores these, and what is ignored stays so in the program that is run
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(command[0], list(command), environment)
    except OSError as error:
        raise click.ClickException(f"cannot run {command[0]}: {error.strerror}") from error

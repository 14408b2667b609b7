# SPDX-License-Identifier: BSD-3-Clause
"""`ferry cc`: compile with GCC and the plugin that makes batches of system calls."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import click

from ferry.folders import MeasureError, folder_from

#: Where the plugin for a version of GCC is, in the folder of the libraries.
PLUGIN = "ferry/gcc-{version}/libferry_gcc.so"
#: Options that make a program with no shared library, to which no path of one may be given.
STATIC = {"-static", "-static-pie"}
#: Options that join objects into one object, which a later command makes a program of.
JOINED = {"-r", "-Wl,-r", "-Wl,-i", "-Wl,--relocatable"}


def linked(library: Path, arguments: tuple[str, ...]) -> list[str]:
    """Return what makes the linker keep libferry, to which code refers weakly; nothing where nothing is linked."""
    asks_only = all(argument.startswith("-") and argument != "-" for argument in arguments)
    if asks_only or JOINED.intersection(arguments):
        return []
    if STATIC.intersection(arguments):
        return [f"-L{library}", "-Wl,-u,ferry_compiled_run", "-lferry", "-luring"]
    kept = ["-Wl,--push-state,--no-as-needed", "-lferry", "-Wl,--pop-state"]
    return [f"-L{library}", f"-Wl,-rpath,{library}", *kept]


def version_of(compiler: str) -> str:
    """Return the version of GCC by which it names its own folders; another compiler's differs from all of GCC's."""
    try:
        asked = subprocess.run([compiler, "-dumpversion"], stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise click.ClickException(f"cannot run {compiler}: {error.strerror}; set FERRY_CC to GCC's name") from error
    return asked.stdout.strip()


def find_plugin(library: Path, compiler: str) -> Path:
    """Return the plugin that was built for the version of `compiler`."""
    version = version_of(compiler)
    plugin = library / PLUGIN.format(version=version)
    if plugin.is_file():
        return plugin
    others = sorted(path.parent.name.removeprefix("gcc-") for path in library.glob(PLUGIN.format(version="*")))
    there = f"; there are plugins for {', '.join(others)}: set FERRY_CC to such a GCC, or" if others else ":"
    raise click.ClickException(
        f"{plugin} is not there, the plugin for version {version} of {compiler}{there} install GCC's headers for "
        f"plugins (gcc-{version.partition('.')[0]}-plugin-dev) and run `make compiler` in Ferry's source"
    )


@click.command(
    "cc",
    short_help="Compile by GCC, and make batches of system calls.",
    context_settings={
        "allow_interspersed_args": False,
        "ignore_unknown_options": True,
        "help_option_names": ["--help"],
    },
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def cc_command(arguments: tuple[str, ...]) -> None:
    """Compile and link by GCC with ARGUMENTS, and make batches of system calls: `make CC="ferry cc"`.

    It adds the plugin, and libferry, which runs the batches. FERRY_CC in the environment is the compiler (gcc); the
    plugin that was built for its version is used. -fopt-info says which calls became batches,
    -fopt-info-missed why others did not; batches are made from -O1 on.
    """
    try:
        library = folder_from("FERRY_LIB", "the plugin for GCC")
    except MeasureError as error:
        raise click.ClickException(str(error)) from error
    compiler = os.environ.get("FERRY_CC", "gcc")
    plugin = find_plugin(library, compiler)
    command = [compiler, f"-fplugin={plugin}", *arguments, *linked(library, arguments)]
    # Python ignores these, and what is ignored stays so in the program that is run
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.execvp(compiler, command)

# SPDX-License-Identifier: BSD-3-Clause
"""`ferry cc`: compile with GCC and the plugin that makes batches of system calls."""

from __future__ import annotations

import os
import signal

import click

from ferry.native import MeasureError, folder_from

PLUGIN = "ferry/libferry_gcc.so"
#: What makes the linker keep libferry although code refers to it weakly.
LINKED = ("-Wl,--push-state,--no-as-needed", "-lferry", "-Wl,--pop-state")


@click.command(
    "cc",
    context_settings={
        "allow_interspersed_args": False,
        "ignore_unknown_options": True,
        "help_option_names": ["--help"],
    },
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def cc_command(arguments: tuple[str, ...]) -> None:
    """Compile and link by GCC with ARGUMENTS, and make batches of system calls: `make CC="ferry cc"`.

    It adds the plugin, and libferry, which runs the batches. FERRY_CC in the environment is the compiler (gcc), which
    has to be the version that the plugin was built for. -fopt-info says which calls became batches,
    -fopt-info-missed why others did not; batches are made from -O1 on.
    """
    try:
        library = folder_from("FERRY_LIB", "the plugin for GCC")
    except MeasureError as error:
        raise click.ClickException(str(error)) from error
    plugin = library / PLUGIN
    if not plugin.is_file():
        raise click.ClickException(
            f"{plugin} is not there: install gcc's headers for plugins (gcc-12-plugin-dev) and run `make build` again"
        )
    compiler = os.environ.get("FERRY_CC", "gcc")
    command = [compiler, f"-fplugin={plugin}", *arguments, f"-L{library}", f"-Wl,-rpath,{library}", *LINKED]
    # Python ignores these, and what is ignored stays so in the program that is run
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(compiler, command)
    except OSError as error:
        raise click.ClickException(f"cannot run {compiler}: {error.strerror}; set FERRY_CC to GCC's name") from error

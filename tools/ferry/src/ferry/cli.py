# SPDX-License-Identifier: BSD-3-Clause
"""The ferry command line: one group, one module per subcommand."""

from importlib import import_module
from typing import IO, Any

import click

from ferry import __version__

#: Every subcommand has its line here: the module, and its command there.
COMMANDS = {
    "advise": ("ferry.advise.command", "advise"),
    "bindgen": ("ferry.bindgen.command", "bindgen"),
    "cc": ("ferry.cc", "cc_command"),
    "measure": ("ferry.measure", "measure_command"),
    "omp": ("ferry.omp", "omp_command"),
    "report": ("ferry.report", "report_command"),
    "serve": ("ferry.serve", "serve_command"),
}


class FailedError(click.ClickException):
    """A failure of a subcommand, which is named as its warnings are: it may be one of many lines of a makefile."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write it to standard error."""
        click.echo(self.message, file=file, err=file is None)


class Commands(click.Group):
    """Subcommands, each imported when it is asked for: a makefile runs `ferry cc` for each file it compiles."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand, and put its name before what it fails with; a usage error shows the name already."""
        try:
            return super().invoke(ctx)
        except click.UsageError:
            raise
        except click.ClickException as error:
            failed = FailedError(f"ferry {ctx.invoked_subcommand}: {error.message}")
            failed.exit_code = error.exit_code
            raise failed from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand, if there is one of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ferry", message="%(prog)s (Ferry) %(version)s")
def main() -> None:
    """Measure what crossing each boundary of this machine costs, and where batching pays."""

# SPDX-License-Identifier: BSD-3-Clause
"""The ferry command line: one group, one module per subcommand."""

import click

from ferry import __version__
from ferry.advise.command import advise


@click.group()
@click.version_option(__version__, prog_name="ferry")
def main() -> None:
    """Measure what crossing each boundary of this machine costs, and where batching pays."""


main.add_command(advise)

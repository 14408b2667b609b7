# SPDX-License-Identifier: BSD-3-Clause
"""The ferry command line: one group, one module per subcommand."""

import click

from ferry import __version__


@click.group()
@click.version_option(__version__, prog_name="ferry")
def main() -> None:
    """Measure what crossing each boundary of this machine costs, and where batching pays."""

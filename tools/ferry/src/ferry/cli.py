# SPDX-License-Identifier: BSD-3-Clause
"""The ferry command line: one group, one module per subcommand."""

import click

from ferry import __version__
from ferry.advise.command import advise
from ferry.bindgen.command import bindgen
from ferry.cc import cc_command
from ferry.measure import measure_command
from ferry.omp import omp_command
from ferry.report import report_command
from ferry.serve import serve_command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ferry", message="%(prog)s (Ferry) %(version)s")
def main() -> None:
    """Measure what crossing each boundary of this machine costs, and where batching pays."""


# every subcommand has its line here
main.add_command(advise)
main.add_command(bindgen)
main.add_command(cc_command)
main.add_command(measure_command)
main.add_command(omp_command)
main.add_command(report_command)
main.add_command(serve_command)

# SPDX-License-Identifier: BSD-3-Clause
"""Run the ferry command as `python -m ferry`."""

from ferry.cli import main

main(prog_name="ferry")

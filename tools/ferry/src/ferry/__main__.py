# SPDX-License-Identifier: BSD-3-Clause
"""Run the ferry command, as `ferry` or as `python -m ferry`."""

import sys

from ferry.cli import main
from ferry.streams import finish, watch_standard_output


def run() -> None:
    """Run it on this process's arguments and streams, and exit."""
    watch_standard_output()
    try:
        main(prog_name="ferry")
    except SystemExit as ended:
        # click ends so, always with a number
        sys.exit(finish(ended.code if isinstance(ended.code, int) else 1))


if __name__ == "__main__":
    run()

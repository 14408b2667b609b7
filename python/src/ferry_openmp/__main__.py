# SPDX-License-Identifier: BSD-3-Clause
"""`python -m ferry_openmp app.py …`."""

import sys

from ferry_openmp.command import run_main

if __name__ == "__main__":
    sys.exit(run_main(sys.argv[1:]))

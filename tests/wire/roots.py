# SPDX-License-Identifier: BSD-3-Clause
"""Print the messages of a description for C: `ROOT(method, codec, type)` for each method's reply.

Usage: tests/wire/roots.py DESCRIPTION
"""

import sys
from pathlib import Path

from ferry.bindgen.c import Writer
from ferry.bindgen.reader import read


def main() -> None:
    """Print the table."""
    interface = read(Path(sys.argv[1]))
    writer = Writer(interface)
    for method in interface.methods:
        if method.returns is not None:
            print(f"ROOT({method.name}, {writer.name(method.returns)}, {writer.ctype(method.returns)})")


if __name__ == "__main__":
    main()

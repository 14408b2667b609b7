# SPDX-License-Identifier: BSD-3-Clause
"""Print the messages of a description for C: `ROOT(method, codec, type)` for each method's reply.

Usage: tests/wire/roots.py DESCRIPTION [cpp]

For C++ a line is `ROOT(method, type)`.
"""

import sys
from pathlib import Path

from ferry.bindgen.c import Writer
from ferry.bindgen.cpp import Binding
from ferry.bindgen.reader import read


def main() -> None:
    """Print the table."""
    interface = read(Path(sys.argv[1]))
    writer = Writer(interface)
    binding = Binding(interface)
    for method in interface.methods:
        if method.returns is not None and sys.argv[2:] == ["cpp"]:
            print(f"ROOT({method.name}, {binding.type(method.returns)})")
        elif method.returns is not None:
            print(f"ROOT({method.name}, {writer.name(method.returns)}, {writer.ctype(method.returns)})")


if __name__ == "__main__":
    main()

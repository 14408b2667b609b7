# SPDX-License-Identifier: BSD-3-Clause
"""Go modules that tests write: programs on the binding of a library, which is echo unless they say another."""

from pathlib import Path

from paths import ROOT

ECHO = ROOT / "build" / "echo" / "go"


def write_go_mod(folder: Path, name: str, library: str = "echo", binding: Path = ECHO) -> None:
    """Make a folder a module that finds the binding of a library, and the host in this tree."""
    (folder / "go.mod").write_text(
        f"module {name}\n\ngo 1.19\n\nrequire (\n\t{library} v0.0.0\n\tferryingress v0.0.0\n)\n\n"
        f"replace (\n\t{library} => {binding}\n\tferryingress => {ROOT / 'hosts' / 'go'}\n)\n"
    )

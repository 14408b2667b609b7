# SPDX-License-Identifier: BSD-3-Clause
"""Go modules that tests write: programs on the binding of the echo library."""

from pathlib import Path

from paths import ROOT


def write_go_mod(folder: Path, name: str) -> None:
    """Make a folder a module that finds the binding and the host in this tree."""
    (folder / "go.mod").write_text(
        f"module {name}\n\ngo 1.19\n\nrequire (\n\techo v0.0.0\n\tferryingress v0.0.0\n)\n\n"
        f"replace (\n\techo => {ROOT / 'build' / 'echo' / 'go'}\n\tferryingress => {ROOT / 'hosts' / 'go'}\n)\n"
    )

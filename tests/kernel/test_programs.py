# SPDX-License-Identifier: BSD-3-Clause
"""What a build of the module says is a complaint, but for what sparse takes for one in the kernel's own macros."""

from pathlib import Path

import pytest
from vm.programs import complaints

SOURCE = 'int x;\nMODULE_LICENSE("GPL");\nmodule_param(mode, ushort, 0444);\nx = y;\n'


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("  CC [M]  module/device.o", False),
        ("warning: pahole version differs from the one used to build the kernel", False),
        ("warning: the compiler differs from the one used to build the kernel", False),
        ("module/device.c:2:1: error: bad constant expression", False),
        ("module/device.c:3:1: error: bad constant expression", False),
        ("module/device.c:4:1: error: bad constant expression", True),
        ("module/device.c:2:1: error: undefined identifier 'x'", True),
        ("module/device.c:1:5: warning: symbol 'x' was not declared. Should it be static?", True),
        ("module/device.c:4:5: warning: incorrect type in argument 1 (different address spaces)", True),
        ('WARNING: modpost: "x" [module/batch.ko] undefined!', True),
    ],
)
def test_a_line_of_the_log(line: str, counts: bool, tmp_path: Path) -> None:
    (tmp_path / "module").mkdir()
    (tmp_path / "module" / "device.c").write_text(SOURCE)
    assert complaints(f"make: Entering directory\n{line}\n", tmp_path) == ([line] if counts else [])

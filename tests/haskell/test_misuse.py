# SPDX-License-Identifier: BSD-3-Clause
"""What the compiler refuses of Ferry.Foreign and Ferry.OpenMP.Slices: each file of misuse/ names its message."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

PROGRAMS = sorted((ROOT / "tests" / "haskell" / "misuse").glob("*.hs"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_the_compiler_refuses(program: Path) -> None:
    text = program.read_text()
    (expected,) = re.findall(r"^-- expected: (.*)$", text, re.M)
    line = next(number for number, said in enumerate(text.splitlines(), 1) if re.match(r"(wrong|right) .*=", said))
    (database,) = (BUILD / "haskell" / "packagedb").glob("ghc-*")
    command: list[str | Path] = ["ghc", "-v0", "-fno-code", "-package-env", "-", "-package-db", database]
    packages = [word for name in ("ferry", "ferry-openmp", "bytestring", "vector") for word in ("-package", name)]
    done = subprocess.run(
        [*command, *packages, program],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        timeout=600,
    )
    if expected == "nothing":
        assert done.returncode == 0, done.stderr
    else:
        assert done.returncode == 1
        # the first error is the one that the file is there for
        first = done.stderr.strip().split("\n\n")[0]
        assert f"{program.name}:{line}:" in first
        assert expected in first

# SPDX-License-Identifier: BSD-3-Clause
"""`make demo` on a machine whose files the user may not all read, with programs that only say what they were asked."""

import os
import subprocess
from pathlib import Path

import pytest
from paths import ROOT

#: What demo.sh would build first, in a time that is none here.
OPTIONAL = ("ingress-python", "ingress-python-nim", "haskell", "codec-python", "codec-rust")


def demo(build: Path, **statuses: int) -> subprocess.CompletedProcess[str]:
    """Run it with programs that end with 0, or as said here."""
    (build / "bin").mkdir()
    (build / "bench").mkdir()
    for name in OPTIONAL:
        (build / "bench" / name).touch()
    for name in ("mdu", "pathsearch", "total", "readmany", "ferry"):
        program = build / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} ran"\nexit {statuses.get(name, 0)}\n')
        program.chmod(0o755)
    # as find ends where a folder may not be read
    (build / "path").mkdir()
    (build / "path" / "find").write_text("#!/bin/sh\necho find: denied >&2\nexit 1\n")
    (build / "path" / "find").chmod(0o755)
    environment = os.environ | {"FERRY_DEMO_BUILD_SECONDS": "0", "PATH": f"{build}/path:{os.environ['PATH']}"}
    return subprocess.run(
        ["scripts/demo.sh", build], capture_output=True, text=True, env=environment, cwd=ROOT, timeout=600
    )


def test_what_may_not_be_read_does_not_end_the_demo(tmp_path: Path) -> None:
    done = demo(tmp_path, mdu=1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mdu ran" in done.stdout
    assert "ferry ran" in done.stdout
    assert f"The picture: {tmp_path}/report/index.html" in done.stdout


@pytest.mark.parametrize("program", ["mdu", "total", "ferry"])
def test_a_program_that_fails_does(tmp_path: Path, program: str) -> None:
    done = demo(tmp_path, **{program: 3})
    assert done.returncode == 3
    assert "The picture" not in done.stdout

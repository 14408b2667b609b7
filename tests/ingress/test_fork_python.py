# SPDX-License-Identifier: BSD-3-Clause
"""Children of os.fork and multiprocessing use contexts of their own, in Python and with the library in Nim.

The program runs by itself: this one has threads of its own.
"""

import os
import subprocess
import sys

import pytest
from paths import BUILD, ROOT

PROGRAM = ROOT / "tests" / "ingress" / "python" / "forked.py"
SOURCES = (ROOT / "hosts" / "python" / "src", ROOT / "build" / "echo" / "python" / "src")
LIBRARIES = {"nim": BUILD / "nim" / "lib" / "libecho.so", "cpp": BUILD / "lib" / "echo-cpp" / "libecho.so"}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("part", ["blocking", "loops", "pool", "places"])
def test_children_use_contexts_of_their_own(part: str, library: str) -> None:
    environment = os.environ | {
        "ECHO_LIBRARY": str(LIBRARIES[library]),
        "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
        "PYTHONPATH": os.pathsep.join(map(str, SOURCES)),
    }
    # Python 3.12 warns of any fork beside threads, which is what is tested here
    command = [sys.executable, "-W", "error", "-W", "ignore:This process:DeprecationWarning", str(PROGRAM), part]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"ok {part}\n"

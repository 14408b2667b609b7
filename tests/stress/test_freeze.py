# SPDX-License-Identifier: BSD-3-Clause
"""One thread of a host is suspended at any point of the ingress or the OpenMP runtime, and the others go on.

The programs and what they promise are in tests/stress/: freeze.h says how, frozen_*.c what. A failure names the point;
`build/delays/tests/PROGRAM SCENARIO` runs one scenario again. Under `make stress` a thread stays suspended for a second
(FERRY_FREEZE_MS), and at points that it comes to several times.
"""

import os
import re
import subprocess
from collections.abc import Iterator

import pytest
from native import native_environment
from paths import BUILD, ROOT

STRESS = "FERRY_STRESS_SECONDS" in os.environ
#: A scenario takes less than a second on a machine of its own, and no longer than this on any; under stress it is done
#: when each point was tried, a second each.
BUDGET_S = "0" if STRESS else "4"
TIMEOUT_S = 7200 if STRESS else 300


def scenarios() -> Iterator[tuple[str, str]]:
    """Each program with each of its scenarios."""
    for source in sorted((ROOT / "tests").glob("*/stress/frozen_*.c")):
        names = re.findall(r'^\t{ "([a-z-]+)",', source.read_text(), re.M)
        assert names, f"{source} has no line that begins with a scenario's name"
        for name in names:
            yield source.stem, name


@pytest.mark.parametrize(("program", "scenario"), scenarios())
def test_others_go_on_while_one_thread_is_suspended(program: str, scenario: str) -> None:
    path = BUILD / "delays/tests" / program
    assert path.exists(), f"{path} is not built; run `make test`"
    done = subprocess.run(
        [path, scenario],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
        env={"FERRY_FREEZE_BUDGET_S": BUDGET_S} | native_environment(),
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(rf"{scenario}: suspended [1-9]\d* times", done.stdout), done.stdout

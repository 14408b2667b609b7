# SPDX-License-Identifier: BSD-3-Clause
"""When the system gives no more threads: regions run with fewer, one line says so, and the program goes on."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCE = ROOT / "tests" / "openmp" / "containers" / "teams.c"
PIDS = Path("/sys/fs/cgroup/pids")
WANTED = 16
REGIONS = 200
TIMEOUT_S = 300
MIB = 1 << 20
NOBODY = 65534
# What the shell that enters the group needs is not counted: it becomes the program.
PIDS_MOST = 6

Prepare = Callable[[], None]


@pytest.fixture(scope="module")
def teams() -> Iterator[Path]:
    # pytest's own folder, and the build, may be closed to the other user
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "teams"
        subprocess.run(["gcc", "-O1", "-fopenmp", "-o", made, SOURCE], check=True)
        shutil.copy(BUILD / "lib" / "gomp" / "libgomp.so.1", folder)
        Path(folder).chmod(0o755)
        yield made


@pytest.fixture
def pids_group() -> Iterator[Path]:
    if not os.access(PIDS / "cgroup.procs", os.W_OK):
        pytest.skip("needs root, and the pids controller of control groups, version 1")
    group = PIDS / f"ferry-threads-{os.getpid()}"
    group.mkdir()
    try:
        (group / "pids.max").write_text(str(PIDS_MOST))
        yield group
    finally:
        group.rmdir()


def run(teams: Path, prepare: Prepare) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not re.match(r"OMP_|GOMP_|FERRYOMP_|LD_", name)}
    return subprocess.run(
        [teams, str(REGIONS), str(WANTED)],
        env=kept | {"LD_LIBRARY_PATH": str(teams.parent)},
        preexec_fn=prepare,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )


def assert_goes_on_with_fewer(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    first, least = map(int, done.stdout.split())
    assert 1 <= least <= first < WANTED
    assert done.stderr.count("the system gives no more threads") == 1, done.stderr
    assert "pids.max" in done.stderr


def test_a_limit_of_processes_in_the_control_group(teams: Path, pids_group: Path) -> None:
    def enter() -> None:
        (pids_group / "cgroup.procs").write_text(str(os.getpid()))

    assert_goes_on_with_fewer(run(teams, enter))


def test_a_limit_of_address_space(teams: Path) -> None:
    """Each thread needs a stack of 8 MiB."""
    assert_goes_on_with_fewer(run(teams, lambda: resource.setrlimit(resource.RLIMIT_AS, (64 * MIB, 64 * MIB))))


@pytest.mark.skipif(os.geteuid() != 0, reason="the limit counts the processes of a user, so root becomes another one")
def test_a_limit_of_processes_of_a_user(teams: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NPROC, (4, 4))
        os.setgroups([])
        os.setuid(NOBODY)

    assert_goes_on_with_fewer(run(teams, limit))

# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP under a CPU quota, in real control groups of this machine: how large a team is, and what waiting costs."""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "containers"
OURS = BUILD / "lib" / "gomp"
ALLOWED = len(os.sched_getaffinity(0))
PERIOD_US = 100_000
# the runtime looks again when its last look is a second old
LOOKS_AGAIN_S = 1.1
TIMEOUT_S = 120


def group_parent() -> tuple[Path, bool] | None:
    """Where groups with a quota can be made, and whether that is version 2; None without the right to."""
    for point, is_v2 in ((Path("/sys/fs/cgroup/cpu"), False), (Path("/sys/fs/cgroup"), True)):
        limit = "cgroup.subtree_control" if is_v2 else "cpu.cfs_quota_us"
        if not os.access(point / limit, os.W_OK):
            continue
        if not is_v2 or "cpu" in (point / limit).read_text().split():
            return point, is_v2
    return None


class Group:
    """A control group with a CPU quota, in processors."""

    def __init__(self, path: Path, is_v2: bool) -> None:
        self.path, self.is_v2 = path, is_v2
        path.mkdir()

    def limit(self, processors: float | None) -> None:
        quota = -1 if processors is None else round(processors * PERIOD_US)
        if self.is_v2:
            (self.path / "cpu.max").write_text(f"{'max' if quota < 0 else quota} {PERIOD_US}")
        else:
            (self.path / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (self.path / "cpu.cfs_quota_us").write_text(str(quota))

    def inner(self) -> "Group":
        if self.is_v2:
            (self.path / "cgroup.subtree_control").write_text("+cpu")
        return Group(self.path / "inner", self.is_v2)

    def popen(self, *command: str | Path, **variables: str) -> subprocess.Popen[str]:
        kept = {name: value for name, value in os.environ.items() if not re.match(r"OMP_|GOMP_|FERRYOMP_|LD_", name)}
        enter = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(self.path)]
        return subprocess.Popen(
            [*enter, *command],
            env=kept | {"LD_LIBRARY_PATH": str(OURS)} | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


class Program:
    """tests/openmp/containers/sizes.c in a group."""

    def __init__(self, group: Group, path: Path, **variables: str) -> None:
        self.process = group.popen(path, **variables)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=TIMEOUT_S)

    def ask(self, question: str) -> int:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@pytest.fixture
def group() -> Iterator[Group]:
    parent = group_parent()
    if parent is None:
        pytest.skip("needs root, and the cpu controller of control groups")
    made = Group(parent[0] / f"ferry-quota-{os.getpid()}", parent[1])
    try:
        yield made
    finally:
        for path in (made.path / "inner", made.path):
            if path.exists():
                path.rmdir()


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("quota") / "sizes"
    subprocess.run(["gcc", "-O1", "-fopenmp", "-o", made, SOURCES / "sizes.c", "-pthread"], check=True)
    return made


Start = Callable[..., Program]


@pytest.fixture
def start(group: Group, sizes: Path) -> Start:
    return lambda where=None, **variables: Program(where or group, sizes, **variables)


@pytest.mark.parametrize("quota", [0.3, 1, 1.5, None])
def test_the_default_is_the_quota_rounded_up(group: Group, start: Start, quota: float | None) -> None:
    group.limit(quota)
    wanted = ALLOWED if quota is None else min(ALLOWED, -int(-quota // 1))
    with start() as program:
        for question in ("region", "procs", "max", "thread", "child"):
            assert program.ask(question) == wanted, question


@pytest.mark.skipif(ALLOWED < 2, reason="needs two processors")
class TestBelowTheProcessors:
    """A quota of one processor, where there are more."""

    def test_the_least_of_nested_groups_holds(self, group: Group, start: Start) -> None:
        group.limit(1)
        with start(group.inner()) as program:
            assert program.ask("region") == 1

    def test_what_the_program_asks_for_comes_first(self, group: Group, start: Start) -> None:
        group.limit(1)
        with start() as program:
            assert program.ask("clause 2") == 2
            assert program.ask("region") == 1
            assert program.ask("set 3") == 3
        with start(OMP_NUM_THREADS="2") as program:
            assert program.ask("region") == 2
            assert program.ask("max") == 2
            assert program.ask("procs") == 1

    def test_a_change_is_seen_after_a_second(self, group: Group, start: Start) -> None:
        group.limit(1)
        with start() as program:
            assert program.ask("region") == 1
            for quota, wanted in ((None, ALLOWED), (0.5, 1), (2, 2)):
                group.limit(quota)
                time.sleep(LOOKS_AGAIN_S)
                assert program.ask("region") == wanted
                assert program.ask("child") == wanted
                assert program.ask("procs") == wanted

    def test_what_a_thread_was_told_holds_until_it_asks_again(self, group: Group, start: Start) -> None:
        """Programs make room for omp_get_max_threads() threads, and write beyond it if there are more."""
        group.limit(1)
        with start() as program:
            assert program.ask("max") == 1
            group.limit(None)
            time.sleep(LOOKS_AGAIN_S)
            assert program.ask("region") == 1
            assert program.ask("thread") == ALLOWED
            assert program.ask("max") == ALLOWED
            assert program.ask("region") == ALLOWED

    def test_it_can_be_ignored(self, group: Group, start: Start) -> None:
        group.limit(1)
        with start(FERRYOMP_CPU_QUOTA="false") as program:
            assert program.ask("region") == ALLOWED
            time.sleep(LOOKS_AGAIN_S)
            assert program.ask("region") == ALLOWED

    @pytest.mark.parametrize(
        ("variables", "source"),
        [
            ({}, r"CPU quota: 0\.50 of \d+, from /sys/fs/cgroup/.*/ferry-quota-\d+/cpu\.\w+"),
            ({"FERRYOMP_CPU_QUOTA": "false"}, rf"affinity: {ALLOWED}"),
            ({"OMP_NUM_THREADS": "2"}, "OMP_NUM_THREADS"),
        ],
    )
    def test_the_display_says_where_the_number_comes_from(
        self, group: Group, sizes: Path, variables: dict[str, str], source: str
    ) -> None:
        group.limit(0.5)
        _, shown = group.popen(sizes, OMP_DISPLAY_ENV="verbose", **variables).communicate("", timeout=TIMEOUT_S)
        assert re.search(rf"\[host\] FERRYOMP_NUM_THREADS_FROM = '{source}'", shown), shown


def test_a_value_that_is_no_truth_is_named(group: Group, sizes: Path) -> None:
    group.limit(1)
    _, said = group.popen(sizes, FERRYOMP_CPU_QUOTA="half").communicate("", timeout=TIMEOUT_S)
    assert "FERRYOMP_CPU_QUOTA='half'" in said

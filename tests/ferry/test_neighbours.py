# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure --beside`: which loops run when, that none outlives the command, and what becomes of the figures."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes import EXACT_BENCH, fake_bench, ferry, write_program
from ferry.fit import fit_line
from ferry.measurement import load
from ferry.native import SAMPLE_US, SAMPLE_US_BESIDE
from ferry.neighbours import LOOPS_MAX, QUIET, Nursery, World, Worlds, note_limits, parse_world
from paths import ROOT

#: Processes end and stop within this, however busy the machine is.
PATIENCE_S = 60
#: Prints the lines of EXACT_BENCH, ten times as slow where it is to take long samples, and logs how it was started.
BESIDE_BENCH = EXACT_BENCH.replace(
    "for repetition in range(3):",
    """import os, sys
slow = 10 if "FERRY_SAMPLE_US" in os.environ else 1
with open(os.path.dirname(sys.argv[0]) + "/log", "a") as log:
    print(os.environ.get("FERRY_SAMPLE_US"), sys.argv[sys.argv.index("--repetitions") + 1], file=log)
for repetition in range(3):""",
).replace("a + b * n)", "slow * (a + b * n + repetition))")


def loops_of(nursery: Nursery) -> list[int]:
    """The process ids of a nursery's loops."""
    children = Path(f"/proc/{nursery.process.pid}/task/{nursery.process.pid}/children")
    return [int(pid) for pid in children.read_text().split()]


def state(pid: int) -> str:
    """One letter for what a process does; empty when it is gone, or only waits for its parent to notice."""
    try:
        letter = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if letter in "ZX" else letter


def becomes(pid: int, wanted: str) -> bool:
    """Wait until a process is in a state."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        if state(pid) == wanted:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    ("text", "world"), [("1", World(1)), ("8", World(8)), ("2:19", World(2, 19)), ("3:-5", World(3, -5))]
)
def test_good_values(text: str, world: World) -> None:
    assert parse_world(text) == world
    assert world.text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not N or N:nice; give for example 2"),
        ("two", "'two' is not N or N:nice"),
        ("2:", "'2:' is not N or N:nice"),
        ("-1", "'-1' is not N or N:nice"),
        ("2.5", "'2.5' is not N or N:nice"),
        ("²", "'²' is not N or N:nice"),
        ("0", "'0' asks for no loop; give 1 or more"),
        (f"{LOOPS_MAX + 1}", f"give {LOOPS_MAX} at most"),
        ("2:20", "nice value 20; give one from -20 to 19"),
        ("2:-21", "nice value -21"),
    ],
)
def test_bad_values_are_named_before_anything_is_measured(text: str, message: str) -> None:
    done = ferry("measure", "syscall", f"--beside={text}")
    assert done.returncode == 2
    assert "--beside" in done.stderr
    assert message in " ".join(done.stderr.split())
    assert "measuring" not in done.stderr


def test_too_many_worlds() -> None:
    done = ferry("measure", *(f"--beside={loops}" for loops in range(1, 6)), "syscall")
    assert done.returncode == 2
    assert "--beside is given 5 times; give it 4 times at most" in done.stderr


def test_loops_run_in_their_own_turn_only() -> None:
    """More loops than this machine has processors, or as many: each runs, at its nice value, or stands still."""
    asked = (World(2), World(3, 19))
    with Worlds(asked) as worlds:
        loops = {world: loops_of(nursery) for world, nursery in worlds.nurseries.items()}
        assert {world: len(pids) for world, pids in loops.items()} == {world: world.loops for world in asked}
        assert all(becomes(pid, "T") for pids in loops.values() for pid in pids)
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in loops[asked[0]]} == {own}
        assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in loops[asked[1]]} == {19}
        # the same session, which the scheduler may share processors by
        assert {os.getsid(pid) for pids in loops.values() for pid in pids} == {os.getsid(0)}
        for world in worlds.turns(0):
            for other, pids in loops.items():
                wanted = "R" if other == world else "T"
                assert all(becomes(pid, wanted) for pid in pids), (world, other)
        assert all(becomes(pid, "T") for pids in loops.values() for pid in pids)
    assert all(becomes(pid, "") for pids in loops.values() for pid in pids)


def test_every_step_begins_with_another_world() -> None:
    one, two = World(1), World(1, 19)
    with Worlds((one, two, one)) as worlds:
        assert worlds.count == 3
        assert [list(worlds.turns(step)) for step in range(4)] == [
            [QUIET, one, two],
            [one, two, QUIET],
            [two, QUIET, one],
            [QUIET, one, two],
        ]


def test_a_failure_ends_the_loops() -> None:
    pids: list[int] = []

    def fail() -> None:
        with Worlds((World(2),)) as worlds:
            pids.extend(loops_of(worlds.nurseries[World(2)]))
            for _ in worlds.turns(0):
                raise ValueError("as a benchmark would")

    with pytest.raises(ValueError, match="as a benchmark"):
        fail()
    assert len(pids) == 2
    assert all(becomes(pid, "") for pid in pids)


def test_a_loop_that_somebody_ends_is_noticed() -> None:
    from ferry.neighbours import NeighbourError

    def measure() -> None:
        with Worlds((World(2),)) as worlds:
            first = loops_of(worlds.nurseries[World(2)])[0]
            for world in worlds.turns(0):
                if not world.quiet:
                    os.kill(first, signal.SIGKILL)
                    worlds.nurseries[world].process.wait(PATIENCE_S)

    with pytest.raises(NeighbourError, match="--beside 2: the busy loops were ended by somebody else"):
        measure()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_loop_outlives_the_command(tmp_path: Path, number: signal.Signals) -> None:
    """However it ends, in the middle of a world's turn."""
    bench = fake_bench(tmp_path / "bench")
    hang = 'import os, sys, time\nif "FERRY_SAMPLE_US" in os.environ:\n    print("there", file=sys.stderr)\n'
    hang += f"    open({str(tmp_path / 'there')!r}, 'w').close()\n    time.sleep(600)\nfor repetition in range(3):"
    text = EXACT_BENCH.replace("BOUNDARY", "function").replace("for repetition in range(3):", hang)
    write_program(bench, "function", text)
    environment = os.environ | {"FERRY_BENCH": str(bench), "PYTHONPATH": str(ROOT / "tools/ferry/src")}
    # whoever started the tests in the background ignores interrupts
    command = ["env", "--default-signal=INT", sys.executable, "-m", "ferry", "measure", "function", "--beside=2"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            ends = time.monotonic() + PATIENCE_S
            while not (tmp_path / "there").exists():
                assert time.monotonic() < ends
                time.sleep(0.01)
            below = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            nurseries = [pid for pid in below if b"die_with" in Path(f"/proc/{pid}/cmdline").read_bytes()]
            assert len(nurseries) == 1
            loops = Path(f"/proc/{nurseries[0]}/task/{nurseries[0]}/children").read_text().split()
            assert len(loops) == 2
            process.send_signal(number)
            process.wait(PATIENCE_S)
            for pid in below:  # the benchmark, which the kernel has no word about
                if pid not in nurseries and state(int(pid)):
                    os.kill(int(pid), signal.SIGKILL)
        finally:
            process.kill()
    assert all(becomes(int(pid), "") for pid in [*nurseries, *loops])


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two worlds of exact figures: beside loops everything takes ten times as long."""
    folder = tmp_path_factory.mktemp("beside")
    bench = fake_bench(folder / "bench")
    write_program(bench, "syscall", BESIDE_BENCH.replace("BOUNDARY", "syscall"))
    file = folder / "measure.json"
    done = ferry("measure", "syscall", "--all", "--beside=1", "--beside=2:19", "--json", file, FERRY_BENCH=str(bench))
    assert done.returncode == 0, done.stderr
    (folder / "table").write_text(done.stdout)
    return file


def test_the_worlds_are_measured_by_turns(measured: Path) -> None:
    log = (measured.parent / "bench" / "log").read_text().splitlines()
    # before that, the machine card; fewer and longer samples beside loops
    quiet, beside = "None 60", f"{SAMPLE_US_BESIDE} 5"
    passes = [[quiet, beside, beside], [beside, beside, quiet], [beside, quiet, beside]]
    assert log[1:] == [line for step in range(5) for line in passes[step % 3]]
    assert SAMPLE_US == "FERRY_SAMPLE_US"


def test_the_file_has_every_world(measured: Path) -> None:
    document = json.loads(measured.read_text())
    worlds = [None, {"loops": 1, "nice": None}, {"loops": 2, "nice": 19}]
    for entries in (document["results"], document["ratios"]):
        assert [world for world in worlds if world in [entry.get("beside") for entry in entries]] == worlds
        assert all(("beside" in entry) == (entry.get("beside") is not None) for entry in entries)
    measurement = load(measured)
    quiet = measurement.find("syscall", "loop:getppid")
    beside = measurement.find("syscall", "loop:getppid", World(2, 19))
    assert quiet
    assert beside
    assert (quiet.line.fixed, quiet.line.per_call) == pytest.approx((300, 60))
    # the mean of three samples that are 0, 1 and 2 above the least
    assert (beside.line.fixed, beside.line.per_call) == pytest.approx((10 * 301, 600))
    ratios = {(r.numerator, r.denominator, r.n, r.world): r.value for r in measurement.ratios}
    assert ratios["loop:getppid", "libc:getppid", 1000, World(2, 19)] == pytest.approx(60_301 / 106_006)


def test_the_table_has_the_worlds_side_by_side(measured: Path) -> None:
    table = (measured.parent / "table").read_text()
    heading = next(line for line in table.splitlines() if "T(n) =" in line)
    assert heading.index("per call ") < heading.index("per call, beside 1 ") < heading.index("per call, beside 2:19")
    assert heading.count("× quiet") == 2
    loop = next(line for line in table.splitlines() if line.strip().startswith("loop "))
    assert loop.count("600.00 ± ") == 2
    assert loop.count("10.000 ± ") == 2
    pair = next(line for line in table.splitlines() if "loop ÷ libc" in line)
    assert pair.count("0.569 ± ") == 3
    assert "beside 2:19: beside 2 busy loops at nice 19" in table
    assert "beside 1: beside 1 busy loop," in table


def test_the_report_draws_and_tables_every_world(measured: Path, tmp_path: Path) -> None:
    done = ferry("report", measured, "-o", tmp_path / "page.html", "--pictures", tmp_path / "pictures")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    names = [
        f"syscall-getppid{world}-{chart}" for world in ("", "-beside-1", "-beside-2-19") for chart in ("time", "cost")
    ]
    assert all(f'id="{name}"' in page for name in names)
    assert {file.stem for file in (tmp_path / "pictures").iterdir()} == set(names)
    for text in ("beside 2 busy loops at nice 19", "per call, beside 2:19", "× quiet", "10.000 ± "):
        assert text in page
    # each world says by itself where a batch pays: 3,010 + 600 n against 60 + 1,060 n
    assert "Beside 1 busy loop: loop is cheaper than libc from n = 6.4" in page


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        (2, "result 0: 'beside' is 2, not an object"),
        ({"loops": 0}, "result 0, beside: 'loops' is 0"),
        ({"loops": 2, "nice": "x"}, "result 0, beside: 'nice' is 'x'"),
    ],
)
def test_a_malformed_world_is_refused(measured: Path, tmp_path: Path, beside: object, message: str) -> None:
    document = json.loads(measured.read_text())
    document["results"][0]["beside"] = beside
    (tmp_path / "file.json").write_text(json.dumps(document))
    done = ferry("report", tmp_path / "file.json", "-o", tmp_path / "page.html")
    assert done.returncode == 1
    assert message in done.stderr


def test_means_are_fitted_to_means() -> None:
    samples = [(n, 100.0 + 10 * n + more) for n in (1, 10, 100) for more in (0, 0, 30)]
    line = fit_line(samples, to_means=True)
    assert (line.fixed, line.per_call) == pytest.approx((110, 10))
    assert fit_line(samples).fixed == pytest.approx(100)
    assert line.fixed_err > 0


def test_a_quota_is_said(tmp_path: Path) -> None:
    notes: list[str] = []
    for text in ("max 100000\n", "150000 100000\n", "nonsense\n"):
        (tmp_path / "cpu.max").write_text(text)
        note_limits((World(2),), notes.append, tmp_path / "cpu.max")
    note_limits((), notes.append, tmp_path / "cpu.max")
    note_limits((World(2),), notes.append, tmp_path / "none")
    assert len(notes) == 1
    assert "quota of this control group is 1.5 processors" in notes[0]

# SPDX-License-Identifier: BSD-3-Clause
"""The summary that `ferry measure` and `make demo` end with, and that a report begins with."""

from io import StringIO
from pathlib import Path

import pytest
from fakes import fake_bench, ferry
from ferry.boundaries import BOUNDARIES
from ferry.fit import fit_line
from ferry.measurement import Measurement, Result
from ferry.neighbours import QUIET, World
from ferry.summary import LINES_MAX, WIDTH, last_line, print_summary, summary
from rich.console import Console

MACHINE = {"cpu": "Fake processor with a long name", "cores": 2, "kernel": "k", "compiler": "c", "mitigations": "m"}
SIZES = (1, 10, 100, 1000)


def result(boundary: str, variant: str, fixed: float, per_call: float, world: World = QUIET) -> Result:
    samples = tuple((n, fixed + per_call * n) for n in SIZES)
    return Result(boundary, variant, "ns", fit_line(samples), samples, world)


def of_all() -> Measurement:
    """Every comparison of every boundary: 300 + 60 n with Ferry, 5 + 106 n without."""
    results = []
    for boundary in BOUNDARIES:
        for one in boundary.summary:
            results.append(result(boundary.name, one.ferry, 300, 60))
            results += [result(boundary.name, variant, 5 + k, 106 + k) for k, variant in enumerate(one.without)]
    return Measurement(MACHINE, tuple({(r.boundary, r.variant): r for r in results}.values()), ())


def shown(measurement: Measurement, width: int = WIDTH) -> list[str]:
    console = Console(file=StringIO(), width=width)
    print_summary(measurement, console, chosen=False)
    return str(console.file.getvalue()).rstrip().splitlines()  # type: ignore[attr-defined]


def test_twelve_lines_say_it_of_every_boundary() -> None:
    lines = shown(of_all())
    assert len(lines) <= LINES_MAX
    # `function` gives way to a second line of the ingress, unless this machine has no kernel for `kernel`; `network`,
    # which few machines have what it takes for, gives way to both
    named = {line.boundary for line in summary(of_all())}
    worth_a_line = {boundary.name for boundary in BOUNDARIES if boundary.summary}
    assert named == worth_a_line - {"function", "network"}
    usual = Measurement(MACHINE, tuple(r for r in of_all().results if r.boundary != "kernel"), ())
    assert {line.boundary for line in summary(usual)} == worth_a_line - {"kernel", "network"}
    assert "a request from Python to a library in Nim" in [line.text for line in summary(usual)]
    for line in lines:
        assert "†" not in line
        assert "…" not in line
        assert len(line) <= WIDTH


def test_what_was_not_measured_is_named_with_the_command_that_would() -> None:
    # the comparisons of all boundaries have none of `tools`
    one = of_all()
    assert "not measured: tools; `ferry measure tools` measures it or says what that needs" in last_line(one, False)
    two = Measurement(MACHINE, tuple(r for r in one.results if r.boundary != "kernel"), ())
    said = "not measured: kernel, tools; `ferry measure kernel tools` measures them or says what they need"
    assert said in last_line(two, False)


def test_a_boundary_alone_has_a_second_line() -> None:
    whole = of_all()
    two = Measurement(MACHINE, tuple(r for r in whole.results if r.boundary == "openmp"), ())
    assert [line.text for line in summary(two)] == [
        one.text for b in BOUNDARIES if b.name == "openmp" for one in b.summary
    ]


def test_figures_of_a_line() -> None:
    (line,) = summary(
        Measurement(
            MACHINE,
            (
                result("syscall", "loop:getppid", 300, 60),
                result("syscall", "libc:getppid", 5, 106),
                result("syscall", "direct:getppid", 20, 85),
                result("syscall", "loop:getppid", 900, 180, World(2)),
                result("syscall", "libc:getppid", 10, 212, World(2)),
            ),
            (),
        )
    )
    assert line.without == pytest.approx(106.005)
    assert line.ferry == pytest.approx(60.3)
    assert line.floor == pytest.approx(85.02)
    assert line.times == pytest.approx(106_005 / 60_300)
    assert line.beside[World(2)] == pytest.approx(212_010 / 180_900)
    # equal at 295 / 46 = 6.4
    assert line.from_n == 7


def test_the_best_without_ferry_counts_and_what_is_slower_is_said() -> None:
    slower = Measurement(
        MACHINE,
        (
            result("openmp", "ours:fork_join@2", 0, 100),
            result("openmp", "libgomp:fork_join@2", 0, 400),
            result("openmp", "libomp:fork_join@2", 0, 80),
        ),
        (),
    )
    (line,) = summary(slower)
    assert line.times == pytest.approx(0.8)
    assert line.from_n is None
    text = shown(slower)[1]
    assert "libgomp, libomp" in text
    assert "0.8 ×" in text
    assert "not here" in text
    (line,) = summary(Measurement(MACHINE, slower.results[:2], ()))
    assert line.without_text == "libgomp"


def test_measure_ends_with_it_and_keeps_the_table_for_all(tmp_path: Path) -> None:
    environment = {"FERRY_BENCH": str(fake_bench(tmp_path / "bench"))}
    done = ferry("measure", "syscall", **environment)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= LINES_MAX
    assert " ± " not in done.stdout
    row = next(line for line in lines if line.startswith("a system call"))
    for cell in ("106 ns", "libc", "60.3 ns", "1.8 ×", "n = 7"):
        assert cell in row
    # the user chose what is measured
    assert "worth it" in lines[0]
    assert lines[-1] == "--all prints every figure"
    every = ferry("measure", "syscall", "--all", **environment)
    assert " ± " in every.stdout
    assert every.stdout.endswith(done.stdout)


def test_a_report_begins_with_it_as_a_chart(tmp_path: Path) -> None:
    environment = {"FERRY_BENCH": str(fake_bench(tmp_path / "bench"))}
    ferry("measure", "syscall", "function", "--json", tmp_path / "m.json", **environment)
    done = ferry("report", tmp_path / "m.json", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    chart = page.index('id="summary-chart"')
    assert chart < page.index('data-boundary="syscall"') < page.index('data-boundary="function"')
    text = page[chart : page.index("</svg>", chart)]
    assert "106 ns libc" in text
    assert "60.3 ns with Ferry" in text
    assert text.count("summary-floor") == 1
    assert text.count("summary-bar") == 2
    assert "Not measured here:" in page

# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure --check FILE`: what is measured, how it is judged, and what is said of files that are wrong."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import fake_bench, ferry, write_program
from ferry.check.derived import derived
from ferry.check.inputs import make_tree
from ferry.check.targets import load_targets
from paths import ROOT

Check = Callable[..., subprocess.CompletedProcess[str]]

#: Of the exact benchmark: T(1000) / 1000 is 60.3 by `loop`, 85.02 by `direct`, 106.005 by `libc`.
SYSCALL = """
[measurement.calls]
title = "system calls"
passes = 2
[[measurement.calls.run]]
program = "syscall"
sizes = [1, 10, 100, 1000]
"""
#: Prints 100 ns for one of n with the system's libgomp, 40 with another, and as much more as work takes.
LIBRARIES = """#!/usr/bin/env python3
import os, sys
options = dict(argument[2:].split("=") for argument in sys.argv[1:])
own = 40 if os.environ.get("LD_LIBRARY_PATH") else 100
print('{"type":"machine","cpu":"Fake","cores":1,"kernel":"k","compiler":"c","mitigations":"m"}')
for variant in options["variant"].split(","):
    for repetition in range(int(options["repetitions"])):
        work = 1000 * (repetition + 1)
        ns = {"work": work, "loop": work + own, "bare": own, "threads": int(os.environ["OMP_NUM_THREADS"])}[variant]
        print('{"type":"sample","boundary":"b","variant":"%s","unit":"ns","n":10,"repetition":%d,"ns":%d}'
              % (variant, repetition, 10 * ns))
"""


def target(measurement: str, figure: str, bound: str, more: str = "") -> str:
    return f'[[target]]\nmeasurement = "{measurement}"\nfigure = "{figure}"\n{bound}\nwhy = "so it is"\n{more}\n'


@pytest.fixture
def check(tmp_path: Path) -> Check:
    bench = fake_bench(tmp_path / "bench")

    def run(text: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "targets.toml"
        file.write_text(text)
        variables = {"FERRY_BENCH": str(bench), "FERRY_BIN": str(tmp_path / "bin")} | environment
        return ferry("measure", "--check", file, *arguments, **variables)

    return run


def figures(check: Check, tmp_path: Path, text: str, *arguments: str) -> dict[str, list[float]]:
    done = check(text, *arguments, "--json", str(tmp_path / "out.json"))
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    return {one["figure"]: one["values"] for one in document["figures"] if "beside" not in one}


def verdicts(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text())["targets"]
    return found


def test_met_and_missed_stand_in_one_table_with_floors(check: Check, tmp_path: Path) -> None:
    text = (
        SYSCALL
        + target(
            "calls", "loop:getppid/1000", 'at_most = 0.8\nof = "libc:getppid/1000"', 'floor = "direct:getppid/1000"'
        )
        + target("calls", "loop:getppid/1000", "at_most = 50")
        + target("calls", "libc:getppid/1000", "at_least = 100")
    )
    file = tmp_path / "out.json"
    done = check(text, "--json", str(file))
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.endswith(("met", "MISSED")) or " met " in line]
    assert [row[0] for row in rows[:2]] == ["loop:getppid/1000", "libc:getppid/1000"]
    assert "2 of 3 targets met." in done.stdout
    assert "missed: calls: loop:getppid/1000: 60.3 ns, ≤ 50.0 ns wanted; so it is" in done.stdout
    first, second, third = verdicts(file)
    assert first["value"] == pytest.approx(60.3 / 106.005)
    assert first["floor"] == pytest.approx(85.02 / 106.005)
    assert len(first["values"]) == 2
    assert (first["met"], second["met"], third["met"]) == (True, False, True)
    assert check(text, "--strict").returncode == 1
    assert check(SYSCALL + target("calls", "loop:getppid/1", "at_most = 1000"), "--strict").returncode == 0


def test_the_better_of_several_is_what_counts(check: Check, tmp_path: Path) -> None:
    others = 'of = ["libc:getppid/{n}", "direct:getppid/{n}", "nobody:getppid/{n}"]\nat_most = 1'
    text = SYSCALL + target("calls", "loop:getppid/{n}", others, "each = { n = [1, 1000] }")
    check(text, "--json", str(tmp_path / "out.json"))
    few, many = verdicts(tmp_path / "out.json")
    assert (few["figure"], many["figure"]) == ("loop:getppid/1", "loop:getppid/1000")
    assert few["value"] == pytest.approx(360 / 105)
    assert many["value"] == pytest.approx(60.3 / 85.02)


def test_each_library_gets_its_turn_and_work_is_taken_off(check: Check, tmp_path: Path) -> None:
    write_program(tmp_path / "bench", "constructs", LIBRARIES)
    text = """
[measurement.c]
title = "constructs"
passes = 3
[measurement.c.work]
work = ["loop"]
[[measurement.c.run]]
program = "constructs"
variants = ["work", "loop", "bare", "threads"]
repetitions = 3
threads = [1]
also = ["most"]
libraries = { ours = "ours", libgomp = "libgomp" }
"""
    text += target("c", "ours:loop@1", 'of = "libgomp:loop@1"\nat_most = 0.5')
    found = figures(check, tmp_path, text)
    assert found["ours:loop@1"] == [40, 40, 40]
    assert found["libgomp:loop@1"] == [100, 100, 100]
    assert found["ours:work@1"] == [2000, 2000, 2000]
    assert found["ours:most:work@1"] == [3000, 3000, 3000]
    assert found["libgomp:threads@1"] == [1, 1, 1]
    # more threads than processors take so many times as long for the work, unless one does it for all
    processors = os.cpu_count() or 1
    crowd = text.replace("threads = [1]", f"threads = [{2 * processors}]").replace("loop@1", f"loop@{2 * processors}")
    assert figures(check, tmp_path, crowd)[f"ours:loop@{2 * processors}"] == [0.5] * 3
    serial = crowd.replace("passes = 3", 'passes = 3\nserial = ["loop"]')
    assert figures(check, tmp_path, serial)[f"ours:loop@{2 * processors}"] == [40] * 3


def test_percentiles_of_single_calls(check: Check, tmp_path: Path) -> None:
    write_program(
        tmp_path / "bench",
        "calls",
        '#!/bin/sh\necho \'{"type":"machine","cpu":"F","cores":1,"kernel":"k","compiler":"c",'
        '"mitigations":"m"}\'\necho \'{"type":"latency","lane":"ask","threads":2,"p50_ns":700,"p99_ns":9000}\'\n',
    )
    text = '[measurement.l]\ntitle = "l"\n[[measurement.l.run]]\nprogram = "calls"\narguments = ["--latency"]\n'
    found = figures(check, tmp_path, text + target("l", "p50:ask@2", "at_most = 1000"), "--passes", "1")
    assert found == {"p50:ask@2": [700], "p99:ask@2": [9000]}


def test_the_least_of_all_passes_where_the_target_says_so(check: Check, tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0")
    write_program(
        tmp_path / "bin",
        "worse",
        f'#!/bin/sh\nn=$(cat {count}); echo $((n + 1)) >{count}\necho "took $((n * 100 + 100))" >&2\n',
    )
    text = (
        '[measurement.w]\ntitle = "w"\npasses = 3\n[[measurement.w.command]]\nname = "one"\nwords = ["{bin}/worse"]\n'
        "microseconds = { took = '^took ([0-9]+)$' }\n"
    )
    text += target("w", "one took", "at_most = 100000") + target("w", "one took", 'at_most = 100000\nby = "least"')
    check(text, "--json", str(tmp_path / "out.json"))
    median, least = verdicts(tmp_path / "out.json")
    assert (median["value"], median["met"]) == (200_000, False)
    assert (least["value"], least["met"]) == (100_000, True)


def test_commands_are_timed_whole(check: Check, tmp_path: Path) -> None:
    write_program(tmp_path / "bin", "seconds", "#!/bin/sh\necho '{\"solve\": 0.25}'\n")
    text = (
        '[measurement.w]\ntitle = "w"\npasses = 1\n[[measurement.w.command]]\nname = "json"\nprints = "json"\n'
        'words = ["{bin}/seconds"]\nthreads = [2]\nlibraries = { ours = "ours" }\n'
        '[[measurement.w.command]]\nname = "two"\nwords = ["sleep", "0.2"]\ncopies = 2\n'
        '[[measurement.w.command]]\nname = "late"\nwords = ["sleep", "600"]\nlimit_s = 0.3\n'
        '[[measurement.w.command]]\nname = "nobody"\nwords = ["no-such-program"]\nrequired = false\n'
    )
    text += target("w", "ours:json@2 solve", "at_most = 1e9") + target("w", "nobody wall", "at_most = 1")
    done = check(text, "--strict", "--json", str(tmp_path / "out.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left out: nobody: no-such-program is not in $PATH" in " ".join(done.stderr.split())
    assert "1 of 1 targets met. 1 more are about what is not here" in done.stdout
    found = {one["figure"]: one["values"][0] for one in json.loads((tmp_path / "out.json").read_text())["figures"]}
    assert found["ours:json@2 solve"] == 0.25e9
    # two side by side: the time of both, not the sum
    assert found["two wall"] >= 0.2e9
    # what is ended by its limit counts as taking so long
    assert found["late wall"] >= 0.3e9


def test_commands_that_should_agree_and_do_not(check: Check, tmp_path: Path) -> None:
    text = '[measurement.w]\ntitle = "w"\nsame_output = true\npasses = 1\n'
    for word in ("left", "right"):
        text += f'[[measurement.w.command]]\nname = "{word}"\nwords = ["echo", "{word}"]\n'
    done = check(text + target("w", "right wall", "at_most = 1e9"), "--strict")
    assert done.returncode == 1
    assert "right does not print what left prints" in " ".join(done.stderr.split())


def test_beside_busy_loops_only_quotients_are_judged(check: Check, tmp_path: Path) -> None:
    text = SYSCALL + target("calls", "loop:getppid/1000", 'at_most = 0.8\nof = "libc:getppid/1000"')
    text += target("calls", "loop:getppid/1000", "at_most = 50")
    done = check(text, "--strict", "--beside", "1", "--passes", "1", "--json", str(tmp_path / "out.json"))
    assert done.returncode == 1, "the quiet one is missed"
    met = {(one.get("beside") is not None, bool(one["of"])): one["met"] for one in verdicts(tmp_path / "out.json")}
    assert met == {(False, True): True, (False, False): False, (True, True): True, (True, False): None}
    assert "beside 1 busy loop" in done.stdout
    own = text.replace('title = "system calls"', 'title = "system calls"\nbeside = ["1", "1:19"]')
    check(own, "--passes", "1", "--json", str(tmp_path / "out.json"))
    worlds = [one.get("beside") for one in verdicts(tmp_path / "out.json") if one["of"]]
    assert worlds == [None, {"loops": 1, "nice": None}, {"loops": 1, "nice": 19}]


def test_what_fails_is_named_and_the_rest_goes_on(check: Check, tmp_path: Path) -> None:
    write_program(tmp_path / "bench", "broken", "#!/bin/sh\necho no luck >&2\nexit 5\n")
    text = SYSCALL + '[measurement.b]\ntitle = "b"\n[[measurement.b.run]]\nprogram = "broken"\n'
    text += target("b", "x", "at_most = 1") + target("calls", "loop:getppid/1", "at_most = 1000")
    done = check(text, "--strict")
    assert done.returncode == 1
    assert "no luck" in done.stderr
    assert done.stderr.count("no luck") == 1, "once, not in every pass"
    assert "1 of 2 targets met." in done.stdout
    assert "missed: b: x: no figure: x was not measured" in done.stdout
    named = check(text, "b")
    assert named.returncode == 1
    assert "measurement b gave no figure" in named.stderr


def test_what_was_measured_before_an_interrupt_is_judged(check: Check, tmp_path: Path) -> None:
    # the second pass interrupts ferry, and goes on itself
    write_program(
        tmp_path / "bin",
        "second",
        """#!/bin/sh
        if [ -e "$0.once" ]; then echo $$ >"$0.process"; kill -INT $PPID; exec sleep 600; fi
        touch "$0.once"
        """,
    )
    text = '[measurement.w]\ntitle = "w"\npasses = 3\n'
    text += "".join(
        f'[[measurement.w.command]]\nname = "{name}"\nwords = ["{{bin}}/{name}"]\nthreads = [{threads}]\n'
        for threads, name in enumerate(("first", "second"), 1)
    )
    write_program(tmp_path / "bin", "first", "#!/bin/sh\n")
    text += SYSCALL + target("w", "first@1 wall", "at_most = 1e12") + target("w", "second@2 wall", "at_most = 1e12")
    text += target("calls", "loop:getppid/1", "at_most = 1000")
    # a shell starts its background jobs with SIGINT ignored, and this may be one
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = check(text, "--json", str(tmp_path / "out.json"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.returncode == 130, done.stderr
    assert "interrupted: only what was measured until now is judged" in done.stderr
    assert "2 of 2 targets met." in done.stdout
    measured = {one["figure"]: one["values"] for one in json.loads((tmp_path / "out.json").read_text())["figures"]}
    assert len(measured["first@1 wall"]) == 2, "the row was complete when the interrupt came"
    assert [value is None for value in measured["second@2 wall"]] == [False, True]
    process = int((tmp_path / "bin" / "second.process").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_variant_that_is_called_as_a_picture_is_printed_as_it_is(check: Check) -> None:
    text = SYSCALL + target("calls", "loop:getppid/1", "at_most = 1", 'text = "batched:one: the worst size"')
    assert "missed: calls: batched:one: the worst size" in check(text).stdout


def test_a_region_that_never_pays_is_a_figure(check: Check) -> None:
    def sums(saved_of: int) -> dict[str, float]:
        sizes = (50, 100, 150, 200, 300, 500, 1000, 5000)
        found = {f"ours:sum-c:1/{n}": 10.0 for n in sizes} | {"ours:held_empty": 500.0}
        return found | {f"ours:sum-kernel:2/{n}": 9.0 if n >= saved_of else 11.0 for n in sizes}

    assert derived("openmp-haskell", sums(5001))["held crossover"] == 5000
    assert 200 < derived("openmp-haskell", sums(300))["held crossover"] < 300


def test_what_is_not_built_is_left_out_unless_named(check: Check) -> None:
    text = SYSCALL + '[measurement.h]\ntitle = "h"\n[[measurement.h.run]]\nprogram = "absent"\ntarget = "haskell"\n'
    text += target("h", "x", "at_most = 1") + target("calls", "loop:getppid/1", "at_most = 1000")
    done = check(text, "--strict")
    assert done.returncode == 0, done.stdout
    assert "left out: h:" in done.stderr
    assert "run `make haskell`" in " ".join(done.stderr.split())
    named = check(text, "h")
    assert named.returncode == 1
    assert "run `make haskell`" in " ".join(named.stderr.split())


def test_each_way_of_a_command_has_settings_of_its_own(check: Check, tmp_path: Path) -> None:
    write_program(tmp_path / "bin", "seconds", '#!/bin/sh\necho "{\\"sum\\": ${NUMBER:-1}}"\ntest -d "${HERE:-.}"\n')
    text = (
        '[measurement.s]\ntitle = "s"\npasses = 1\n[[measurement.s.command]]\nname = "set"\nprints = "json"\n'
        'words = ["{bin}/seconds"]\nlibraries = { plain = "ours", two = "ours" }\n'
        'settings = { two = { NUMBER = "2", HERE = "{here}" } }\n'
    )
    found = figures(check, tmp_path, text + target("s", "two:set sum", "at_most = 1e10"))
    assert (found["plain:set sum"], found["two:set sum"]) == ([1e9], [2e9])
    wrong = text.replace("two = {", "three = {") + target("s", "two:set sum", "at_most = 1e10")
    assert "settings of 'three', which is not in 'libraries'" in check(wrong).stderr


def test_a_command_that_this_machine_cannot_run_is_left_out_with_what_it_says(check: Check, tmp_path: Path) -> None:
    write_program(tmp_path / "bin", "lacks", "#!/bin/sh\necho it needs a moon >&2\nexit 3\n")
    text = '[measurement.m]\ntitle = "m"\npasses = 1\n[[measurement.m.command]]\nname = "a"\nwords = ["{bin}/lacks"]\n'
    done = check(text + target("m", "a wall", "at_most = 1"))
    assert "left out: m: a: it needs a moon" in done.stderr
    assert "failed" not in done.stderr


def test_every_figure_when_asked(check: Check) -> None:
    text = SYSCALL + target("calls", "loop:getppid/1", "at_most = 1000")
    assert "direct:getppid/100" not in check(text).stdout
    assert "direct:getppid/100" in check(text, "--all").stdout


GOOD = SYSCALL + target("calls", "x", "at_most = 1")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("[", ["not TOML"]),
        (SYSCALL, ["there is no target", "[[target]]"]),
        (GOOD.replace("so it is", ""), ["target 1", "'why' is ''", "give a text"]),
        (GOOD.replace("at_most = 1", ""), ["target 1", "give one bound, 'at_most' or 'at_least'"]),
        (GOOD.replace("at_most = 1", "at_most = 1\nat_least = 1"), ["give one bound"]),
        (GOOD.replace("at_most = 1", 'at_most = "1"'), ["'at_most' is '1'", "give a number"]),
        (GOOD.replace("at_most", "at_moast"), ["unknown key 'at_moast'", "at_most"]),
        (GOOD.replace('"calls"', '"cals"'), ["unknown measurement 'cals'", "the file has: calls"]),
        (GOOD.replace('figure = "x"', 'figure = "{n}"'), ["'{n}' names 'n'", "each"]),
        (GOOD.replace("passes = 2", "passes = 0"), ["'passes' is 0", "1 or more"]),
        (GOOD.replace("passes = 2", 'derive = "no"'), ["unknown way to derive 'no'"]),
        (GOOD.replace("passes = 2", 'inputs = ["no"]'), ["unknown input 'no'", "tree"]),
        (GOOD.replace("passes = 2", 'beside = ["x"]'), ["beside", "'x' is not N or N:nice"]),
        (GOOD.replace("sizes", 'statistic = "mean"\nsizes'), ["unknown statistic 'mean'", "median"]),
        (GOOD.replace("sizes", 'libraries = { a = "b" }\nsizes'), ["unknown library 'b'", "libomp"]),
        (GOOD.replace('program = "syscall"', ""), ["calls, run 1", "'program' is missing"]),
        (GOOD.replace("at_most = 1", 'at_most = 1\nunit = "h"'), ["'unit' is 'h'", "ns"]),
    ],
)
def test_a_wrong_file_is_named_with_what_to_write(check: Check, text: str, messages: list[str]) -> None:
    done = check(text)
    assert done.returncode == 2
    for message in ("--check", *messages):
        assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_options(check: Check, tmp_path: Path) -> None:
    unknown = check(GOOD, "nonsense")
    assert unknown.returncode == 2
    assert "unknown measurement 'nonsense'; the file's are: calls" in unknown.stderr
    for option in (["--strict"], ["--passes", "2"]):
        done = ferry("measure", "syscall", *option, FERRY_BENCH=str(tmp_path / "bench"))
        assert done.returncode == 2
        assert "give --check FILE too" in done.stderr
    missing = ferry("measure", "--check", tmp_path / "none.toml")
    assert missing.returncode == 2
    assert "give a file of targets, such as bench/targets.toml" in " ".join(missing.stderr.split())


def test_the_projects_own_targets_are_right() -> None:
    file = load_targets(ROOT / "bench" / "targets.toml")
    assert {plan.name for plan in file.plans} == {one.measurement for one in file.targets}
    for plan in file.plans:
        assert plan.passes >= 3, f"{plan.name}: the median of fewer passes says little"
    # a bound below what the machine itself allows is stated by the floor
    floors = {one.figure: one.of for one in file.targets if "floor" in "".join(one.of) or "futex" in "".join(one.of)}
    assert set(floors) >= {"ours:barrier@2", "ours:ordered@2", "p50:ask-sparse@1", "mdu-j1 cpu", "mdu-j2 wall"}


def test_derived_figures() -> None:
    measured = {f"batched:one/{n}": (300 + 2 * n) / n for n in (1, 2, 5, 10, 20, 50, 100, 1000)}
    assert derived("haskell", measured)["off the line:one"] == pytest.approx(0, abs=1e-9)
    assert derived("haskell", measured | {"batched:one/50": 16})["off the line:one"] > 0.3
    loops = {"unsafe:one/1": 6.0, "unsafe:one/10": 2.4, "safe:one/1": 66.0, "safe:one/10": 62.4}
    bounds = {"twice unsafe and 3 ns:one/1": 15.0, "twice unsafe and 3 ns:one/10": 7.8}
    more = {"one more unsafe:one": 2.0, "one more safe:one": 62.0}
    assert derived("haskell", loops) == pytest.approx(bounds | more)
    rates = {f"submit:requests@{n}": ns for n, ns in ((1, 80.0), (2, 100.0), (4, 160.0), (8, 90.0))}
    assert derived("ingress", rates) == pytest.approx(
        {"submit share@1": 1.0, "submit share@2": 0.8, "submit share@4": 0.5, "submit share@8": 80 / 90}
    )


def test_a_tree_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_tree(tmp_path / name, 30, 400)
    one, two = (
        sorted(path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*")) for name in ("one", "two")
    )
    assert one == two
    assert sum(path.is_file() for path in (tmp_path / "one").rglob("*")) == 400
    assert sum(path.is_dir() for path in (tmp_path / "one").rglob("*")) == 30 - 1

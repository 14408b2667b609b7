# SPDX-License-Identifier: BSD-3-Clause
"""`ferry advise` end to end: real programs under the real strace, and everything that can be wrong."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ferry.cli import main
from paths import ROOT

ENVIRONMENT = dict(os.environ) | {"PYTHONPATH": str(ROOT / "tools/ferry/src"), "FERRY_BENCH": "/nonexistent"}
TIMEOUT_S = 900
#: no gap between calls is this long, so that a busy machine finds the same runs as an idle one
QUIET_GAP_US = "1e9"

Done = subprocess.CompletedProcess[str]
Advise = Callable[..., Done]


@pytest.fixture
def measurement(tmp_path: Path) -> Path:
    def fit(variant: str, per_call: float) -> dict[str, Any]:
        common = {
            "boundary": "syscall",
            "unit": "ns",
            "fixed": 0.0,
            "fixed_err": 1.0,
            "per_call_err": 0.5,
            "samples": [],
        }
        return common | {"variant": variant, "per_call": per_call}

    path = tmp_path / "measurement.json"
    results = [fit("direct:unimplemented", 100.0), fit("libc:unimplemented", 102.0), fit("loop:unimplemented", 101.0)]
    path.write_text(json.dumps({"machine": {"cpu": "Test CPU", "kernel": "6.0"}, "results": results, "ratios": []}))
    return path


@pytest.fixture
def advise(measurement: Path) -> Advise:
    def call(*arguments: str | Path, environment: dict[str, str] | None = None, stdin: str = "") -> Done:
        return subprocess.run(
            [sys.executable, "-m", "ferry", "advise", "--measurement", measurement, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            env=environment or ENVIRONMENT,
            input=stdin,
            timeout=TIMEOUT_S,
        )

    return call


@pytest.fixture
def advise_here(measurement: Path) -> Advise:
    """Call the command in this process, which is quicker; enough where no command is run."""

    def call(*arguments: str | Path) -> Done:
        words = ["advise", "--measurement", str(measurement), *map(str, arguments)]
        result = CliRunner().invoke(main, words, prog_name="ferry")
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return subprocess.CompletedProcess(words, result.exit_code, result.stdout, result.stderr)

    return call


@pytest.mark.usefixtures("can_trace")
class TestRealPrograms:
    def document(self, advise: Advise, tmp_path: Path, *command: str) -> dict[str, Any]:
        path = tmp_path / "advice.json"
        done = advise("--gap-us", QUIET_GAP_US, "--json", path, "--", *command)
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(path.read_text())
        assert document["trace"]["unreadable"] == 0
        assert document["calls_in_runs"] == sum(group["calls"] for group in document["groups"])
        savings = [group["saving"]["at_most"]["ns"] for group in document["groups"]]
        assert savings == sorted(savings, reverse=True)
        for group in document["groups"]:
            assert group["crossings"]["ns"] == pytest.approx(100 * group["calls"])
            assert group["saving"]["at_most"]["ns"] == pytest.approx(100 * (group["calls"] - group["times"]))
        return document

    def test_the_loader_maps_a_file_in_one_run(self, advise: Advise, tmp_path: Path) -> None:
        document = self.document(advise, tmp_path, "/bin/true")
        shapes = " | ".join(group["shape"] for group in document["groups"])
        assert re.search(r"openat→(newfstatat|fstat)→mmap→close", shapes), shapes
        assert any(why.startswith("computed: ") for why in document["ends"])

    def test_a_shell_and_its_children(self, advise: Advise, tmp_path: Path) -> None:
        document = self.document(advise, tmp_path, "sh", "-c", "ls / >/dev/null; cat /etc/hostname >/dev/null; true")
        assert document["trace"]["threads"] == 3
        assert len(document["trace"]["processes"]) == 3
        assert any("fork" in why or "clone" in why for why in document["ends"])
        assert document["ends"]["execve cannot be batched"] >= 2

    def test_python_with_threads(self, advise: Advise, tmp_path: Path) -> None:
        code = (
            "import threading, os\n"
            "def work():\n"
            "    for _ in range(50): os.close(os.open('/etc/passwd', 0))\n"
            "threads = [threading.Thread(target=work) for _ in range(4)]\n"
            "[t.start() for t in threads]; [t.join() for t in threads]"
        )
        document = self.document(advise, tmp_path, "/usr/bin/python3", "-S", "-c", code)
        assert document["trace"]["threads"] == 5
        (process,) = document["trace"]["processes"]
        assert len(process["threads"]) == 5
        opened = sum(
            group["times"] * sum(call["call"] == "openat" and "/etc/passwd" in call["arguments"][1]
                                 for call in group["example"])
            for group in document["groups"]
        )  # fmt: skip
        assert opened > 10

    def test_find_makes_the_same_run_for_each_directory(self, advise: Advise, tmp_path: Path) -> None:
        for number in range(40):
            (tmp_path / f"tree/directory-{number}/x").mkdir(parents=True)
        document = self.document(advise, tmp_path, "find", str(tmp_path / "tree"))
        assert max(group["times"] for group in document["groups"]) >= 20
        assert document["ends"]["computed: a path after a directory was listed"] >= 20

    def test_git_status(self, advise: Advise, tmp_path: Path) -> None:
        repository = str(tmp_path / "repository")
        subprocess.run(["git", "init", "-q", repository], check=True)
        document = self.document(advise, tmp_path, "git", "-C", repository, "status")
        assert document["trace"]["calls"] > 100

    def test_the_commands_streams_and_descriptors_are_its_own(self, advise: Advise) -> None:
        done = advise("--", "sh", "-c", "cat; echo error >&2; ls /proc/self/fd", stdin="hello\n")
        assert done.returncode == 0
        assert done.stdout == "hello\n0\n1\n2\n3\n"  # 3 is ls's own, reading the directory
        assert done.stderr.startswith("error\n")
        assert "that a batch could carry" in done.stderr

    def test_the_commands_environment_is_its_own(self, advise: Advise) -> None:
        path = ENVIRONMENT["PYTHONPATH"]
        assert advise("--", "sh", "-c", "echo $PYTHONPATH").stdout == "\n"
        environment = ENVIRONMENT | {"PYTHONPATH": f"{path}:/x:/y"}
        assert advise("--", "sh", "-c", "echo $PYTHONPATH", environment=environment).stdout == "/x:/y\n"

    @pytest.mark.parametrize(("script", "status"), [("exit 3", 3), ("kill -TERM $$", 143), ("kill -SEGV $$", 139)])
    def test_the_exit_status_is_the_commands(self, advise: Advise, script: str, status: int) -> None:
        done = advise("--", "sh", "-c", script)
        assert done.returncode == status
        assert f"The command ended with status {status}." in done.stderr

    def test_what_runs_on_is_let_go(self, advise: Advise, tmp_path: Path) -> None:
        file = tmp_path / "pid"
        done = advise("--", "sh", "-c", f"sleep 50 >/dev/null 2>&1 & echo $! >{file}; exit 4")
        pid = int(file.read_text())
        assert done.returncode == 4
        assert "Still running, not recorded any more: 1 thread of the command." in done.stderr
        status = Path(f"/proc/{pid}/status").read_text()
        assert "State:\tS" in status  # sleeping on, and not because strace took its end with it
        assert "TracerPid:\t0\n" in status
        os.kill(pid, 15)

    def test_a_share_of_the_time_is_given_when_the_command_may_run_twice(self, advise: Advise, tmp_path: Path) -> None:
        count = tmp_path / "count"
        done = advise("--time", "--", "sh", "-c", f"echo run >>{count}; echo out")
        assert count.read_text() == "run\nrun\n"
        assert done.stdout == "out\n"
        assert re.search(r"% of the [\d.]+ ms it took\s+untraced", done.stderr), done.stderr

    def test_the_report_fits_a_hundred_columns(self, advise: Advise) -> None:
        done = advise("--", "sh", "-c", "true")
        table = done.stderr.partition("\n\n")[2]
        assert max(map(len, table.splitlines())) <= 100
        assert "\x1b" not in done.stderr
        assert "A crossing costs 100.0 ± 0.5 ns on Test CPU, 6.0" in done.stderr

    def test_emits_a_run_of_a_command(self, advise: Advise, tmp_path: Path) -> None:
        done = advise("--emit", "c", "--run", "1", "-o", tmp_path / "run.c", "--", "true")
        assert done.returncode == 0
        assert "batch_run(&batch_executor_loop" in (tmp_path / "run.c").read_text()


def test_a_trace_of_another_day(advise_here: Advise, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trace.write_text("getuid() = 0\ngetgid() = 0\nwhat is this\n")
    done = advise_here("--strace", trace)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{trace}: 2 system calls in 1 process; 2 of them in 1 run" in done.stdout
    assert "1 of 3 lines could not be read and end runs. line 3: what is this" in done.stdout
    assert "The trace has no times and durations (-ttt -T)" in " ".join(done.stdout.split())
    written = advise_here("--strace", trace, "--emit", "c")
    assert "__NR_getuid" in written.stdout
    assert "2 system calls" in written.stderr
    both = advise_here("--strace", trace, "--json", "-")
    assert json.loads(both.stdout)["groups"][0]["shape"] == "getuid getgid"


def test_nothing_to_gain_is_said(advise_here: Advise, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trace.write_text("getuid() = 0\nexit_group(0) = ?\n")
    assert "No two calls in a row could be batched" in advise_here("--strace", trace).stdout


def test_without_a_measurement_the_machine_is_measured(tmp_path: Path, bin_dir: Path) -> None:
    bench = bin_dir.parent / "bench"
    assert (bench / "syscall").exists(), f"{bench}/syscall is not built: run `make build`"
    trace, advice = tmp_path / "trace", tmp_path / "advice.json"
    trace.write_text("getuid() = 0\ngetgid() = 0\n")
    command = [sys.executable, "-m", "ferry", "advise", "--strace", str(trace), "--json", str(advice)]
    environment = ENVIRONMENT | {"FERRY_BENCH": str(bench)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=TIMEOUT_S)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"A crossing costs [\d.]+ ± [\d.e-]+ ns on .*just now", " ".join(done.stdout.split()))
    (group,) = json.loads(advice.read_text())["groups"]
    assert 10 < group["saving"]["at_most"]["ns"] < 100_000
    assert group["crossings"]["ns"] == pytest.approx(2 * group["saving"]["at_most"]["ns"])


def test_without_a_benchmark_the_runs_are_there_and_the_reason(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trace.write_text("getuid() = 0\ngetgid() = 0\n")
    command = [sys.executable, "-m", "ferry", "advise", "--strace", str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=TIMEOUT_S)
    text = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "getuid getgid" in text
    assert "No savings: `ferry measure syscall --quick` ended with" in text
    assert "make build" in text
    assert "--measurement FILE" in text


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "no command: give one after `--`"),
        (["--strace", "TRACE", "true"], 2, "leave one of them out"),
        (["--strace", "TRACE", "--time"], 2, "leave one of them out"),
        (["--strace", "/nonexistent"], 2, "does not exist"),
        (["--strace", "EMPTY"], 2, "none of its 0 lines is a system call"),
        (["--strace", "TRACE", "--run", "1"], 2, "add --emit c"),
        (["--strace", "TRACE", "--emit", "c", "--run", "9"], 2, "--run 9: there is 1 kind of run"),
        (["--strace", "TRACE", "--emit", "nim"], 2, "'nim' is not"),
        (["--strace", "TRACE", "--top", "0"], 2, "--top"),
        (["--strace", "TRACE", "--gap-us", "-1"], 2, "--gap-us"),
        (["--strace", "TRACE", "--json", "/nonexistent/x"], 125, "--json /nonexistent/x"),
        (["--measurement", "TRACE", "--strace", "TRACE"], 2, "not JSON"),
        (["--bogus"], 2, "No such option"),
        (["--", "no-such-command"], 127, "no command 'no-such-command' in $PATH"),
        (["--", "/etc/passwd"], 126, "cannot be executed"),
    ],
)
def test_what_is_wrong_is_named(
    advise_here: Advise, tmp_path: Path, arguments: list[str], status: int, message: str
) -> None:
    files = {"TRACE": tmp_path / "trace", "EMPTY": tmp_path / "empty"}
    files["TRACE"].write_text("getuid() = 0\ngetgid() = 0\n")
    files["EMPTY"].touch()
    done = advise_here(*[files.get(argument, argument) for argument in arguments])
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_measurement_without_the_price_of_a_crossing(advise_here: Advise, measurement: Path, tmp_path: Path) -> None:
    trace, other = tmp_path / "trace", tmp_path / "other.json"
    trace.write_text("getuid() = 0\ngetgid() = 0\n")
    document = json.loads(measurement.read_text())
    document["results"] = document["results"][1:]
    other.write_text(json.dumps(document))
    done = advise_here("--strace", trace, "--measurement", other)
    assert done.returncode == 2
    assert "no fit of direct:unimplemented" in done.stderr


def fake_strace(folder: Path, script: str) -> dict[str, str]:
    folder.mkdir()
    for name in ("true", "sh", "echo"):
        (folder / name).symlink_to(f"/bin/{name}")
    if script:
        (folder / "strace").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "strace").chmod(0o755)
    return ENVIRONMENT | {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("", "strace is not installed"),
        (
            "echo 'strace: attach: ptrace(PTRACE_SEIZE, 7): Operation not permitted' >&2; exit 1",
            "Operation not permitted",
        ),
        ("echo \"strace: unrecognized option '--syscall-times=ns'\" >&2; exit 1", "strace 5.6 or newer"),
        ("exit 0", "strace recorded no call"),
    ],
)
def test_a_strace_that_cannot_trace(advise: Advise, tmp_path: Path, script: str, message: str) -> None:
    done = advise("--", "true", environment=fake_strace(tmp_path / "bin", script))
    assert done.returncode == 125
    assert message in done.stderr
    assert "--strace FILE" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_strace_that_cannot_be_run(advise: Advise, tmp_path: Path) -> None:
    """As where the system gives no more processes."""
    environment = fake_strace(tmp_path / "bin", "exit 0")
    strace = tmp_path / "bin" / "strace"
    strace.write_bytes(b"\x7fELF")
    done = advise("--", "true", environment=environment)
    assert done.returncode == 125
    said = f"{strace} cannot be run: Exec format error; or give --strace FILE with a trace made elsewhere"
    assert done.stderr == f"ferry advise: {said}\n"


def no_file_has_bytes() -> None:
    """As a container that is read-only and has no folder for temporary files."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_no_folder_for_temporary_files(measurement: Path) -> None:
    words = [sys.executable, "-m", "ferry", "advise", "--measurement", str(measurement), "--", "true"]
    done = subprocess.run(
        words, capture_output=True, text=True, env=ENVIRONMENT, timeout=TIMEOUT_S, preexec_fn=no_file_has_bytes
    )
    assert done.returncode == 125
    said = "no folder for temporary files can be written; set TMPDIR to one that can"
    assert done.stderr == f"ferry advise: {said}\n"


def test_help_names_every_option(advise_here: Advise) -> None:
    text = advise_here("--help").stdout
    page = (ROOT / "man" / "ferry-advise.1").read_text().replace("\\-", "-")
    options = set(re.findall(r"--[a-z-]{2,}", text)) - {"--help"}
    assert len(options) >= 8
    for option in options:
        assert option.removeprefix("--") in page, option

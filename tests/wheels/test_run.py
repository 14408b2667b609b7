# SPDX-License-Identifier: BSD-3-Clause
"""`python -m ferry_openmp`: the program is what it was, and it and its children run with Ferry's runtime."""

import subprocess
import sys
from pathlib import Path

import pytest
from wheels.installed import Installed

RUN = ("-m", "ferry_openmp")
#: Print whose region call a library that GCC compiled reaches.
WHOSE = """
import ctypes, os
from ferry_openmp.maps import maps_of
user = ctypes.CDLL(os.environ["LIBRARY_USER"])
user.region_call.restype = ctypes.c_void_p
print(os.path.basename(maps_of().file_at(user.region_call())), user.region_size(3))
"""
SHOW = "import sys; print(sys.argv, __name__, sys.path[0], sys.flags.dev_mode, sys.warnoptions)"


def test_a_library_that_brings_libgomp_runs_with_ferry(installed: Installed) -> None:
    assert installed.output("-c", WHOSE).startswith("libgomp.so.1")
    assert installed.output(*RUN, "-c", WHOSE) == "libferryomp.so.0 3\n"


@pytest.mark.parametrize("form", ["script", "module", "code"])
def test_the_program_sees_what_it_sees_without(installed: Installed, tmp_path: Path, form: str) -> None:
    (tmp_path / "show.py").write_text(SHOW + "\n")
    forms: dict[str, list[str | Path]] = {
        "script": [tmp_path / "show.py"],
        "module": ["-m", "show"],
        "code": ["-c", SHOW],
    }
    rest = ["-x", "two words", ""]
    given = {"PYTHONPATH": str(tmp_path)}
    options = ["-X", "dev", "-W", "ignore::UserWarning"]
    plain = installed.output(*options, *forms[form], *rest, **given)
    assert installed.output(*options, *RUN, *forms[form], *rest, **given) == plain
    assert "True" in plain
    assert "'ignore::UserWarning']" in plain


def test_exit_status_signal_and_standard_input_are_the_programs(installed: Installed) -> None:
    installed.run(*RUN, "-c", "raise SystemExit(7)", status=7)
    installed.run(*RUN, "-c", "import os; os.kill(os.getpid(), 15)", status=-15)
    done = subprocess.run(
        [installed.python, *RUN, "-c", "print(input())"],
        input="a line\n",
        env=installed.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "a line\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_of_multiprocessing_run_with_ferry(installed: Installed, tmp_path: Path, method: str) -> None:
    script = tmp_path / "children.py"
    body = "\n    ".join(WHOSE.strip().splitlines())
    script.write_text(
        f"import multiprocessing, sys\ndef child():\n    {body}\n    sys.stdout.flush()\n"
        f"if __name__ == '__main__':\n    process = multiprocessing.get_context('{method}').Process(target=child)\n"
        "    process.start()\n    process.join()\n    sys.exit(process.exitcode)\n"
    )
    assert installed.output(*RUN, script) == "libferryomp.so.0 3\n"


def test_what_was_preloaded_stays_so_behind_ferry(installed: Installed) -> None:
    code = "import os; print(os.environ['LD_PRELOAD'].split(':')[1:])"
    kept = str(installed.libraries["openblas"])
    assert installed.output(*RUN, "-c", code, LD_PRELOAD=kept) == f"['{kept}']\n"
    # a program in a program has the runtime once
    again = f"import subprocess, sys; subprocess.run([sys.executable, '-m', 'ferry_openmp', '-c', {code!r}])"
    assert installed.output(*RUN, "-c", again) == "[]\n"


def test_help_and_no_program(installed: Installed) -> None:
    assert "usage: python -m ferry_openmp" in installed.output(*RUN, "--help")
    assert "usage: python -m ferry_openmp" in installed.run(*RUN, status=2).stdout


def test_a_missing_library_and_a_path_that_cannot_be_preloaded_are_named(installed: Installed, tmp_path: Path) -> None:
    gone = installed.run(*RUN, "-c", "1", status=2, FERRY_OPENMP_LIBRARIES=str(tmp_path))
    assert f"{tmp_path}/libferryomp.so.0 is not there; install ferry-openmp" in gone.stderr
    spaced = tmp_path / "a b"
    spaced.mkdir()
    (spaced / "libferryomp.so.0").touch()
    refused = installed.run(*RUN, "-c", "1", status=2, FERRY_OPENMP_LIBRARIES=str(spaced))
    assert "has a space or a colon" in refused.stderr


def test_the_interpreters_options_are_found_in_a_command_line() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "src"))
    try:
        from ferry_openmp.launch import interpreter_options
    finally:
        del sys.path[0]
    assert interpreter_options(["python", "-u", "-X", "dev", "-m", "ferry_openmp", "a.py"]) == ["-u", "-X", "dev"]
    assert interpreter_options(["python", "-Wm", "-Xdem", "-um", "ferry_openmp"]) == ["-Wm", "-Xdem", "-u"]
    assert interpreter_options(["python", "--check-hash-based-pycs", "always", "-m", "ferry_openmp"]) == [
        "--check-hash-based-pycs",
        "always",
    ]
    assert interpreter_options(["python", "/bin/ferry-openmp", "run", "-m", "x"]) == []


def test_env_prints_what_a_shell_can_read(installed: Installed) -> None:
    script = f'eval "$({installed.command} env)" && exec {installed.python} -c "$0"'
    done = subprocess.run(
        ["sh", "-c", script, WHOSE], env=installed.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "libferryomp.so.0 3\n", done.stderr

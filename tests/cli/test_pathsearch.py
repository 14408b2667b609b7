# SPDX-License-Identifier: BSD-3-Clause
"""pathsearch: agrees with the shell about commands, and with the directories about files."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
BASH = "/bin/bash"
SHELLS = [BASH, "/bin/sh"]


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str]) -> Run:
    def inner(*command: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
        others = {name: value for name, value in environment.items() if name != "PATH"}
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=others if path is None else others | {"PATH": path},
            cwd=tmp_path,
            timeout=600,
        )

    return inner


@pytest.fixture
def pathsearch(run: Run, each_bin_dir: Path) -> Run:
    def inner(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
        return run(each_bin_dir / "pathsearch", *arguments, path=path)

    return inner


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Three directories with everything that could be mistaken for the command `tool`."""

    def program(path: Path) -> None:
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)

    for name in ("one", "two", "three", "other"):
        (tmp_path / name).mkdir()
    program(tmp_path / "two" / "tool")
    program(tmp_path / "three" / "tool")
    program(tmp_path / "here")
    (tmp_path / "one" / "tool").mkdir()
    (tmp_path / "one" / "plain").write_text("not executable")
    program(tmp_path / "two" / "plain")
    os.mkfifo(tmp_path / "one" / "fifo", 0o755)
    (tmp_path / "one" / "fifo").chmod(0o755)
    program(tmp_path / "two" / "fifo")
    (tmp_path / "one" / "link").symlink_to("../two/tool")
    (tmp_path / "one" / "dangling").symlink_to("nowhere")
    program(tmp_path / "three" / "dangling")
    (tmp_path / "other" / "onlyplain").write_text("")
    return tmp_path


COMMANDS = ["tool", "plain", "fifo", "link", "dangling", "here", "missing", "ls", "", "tool/", "/bin/ls", "./two/tool"]
LISTS = [
    "{0}/one:{0}/two:{0}/three",
    "one:two:three",
    "{0}/three/:{0}/two//",
    ":two",
    "two:",
    "one::three",
    ".:/usr/bin",
    "/nowhere:{0}/here:{0}/two",
    "/bin:/usr/bin",
]


def answer(done: subprocess.CompletedProcess[str]) -> tuple[bool, str]:
    """Whether a command was found, and where; dash prints no dot for the current directory, nor one slash for two."""
    return done.returncode == 0, done.stdout.removeprefix("./").replace("//", "/").replace("//", "/")


@pytest.mark.parametrize("list_", LISTS)
def test_agrees_with_the_shells(run: Run, pathsearch: Run, places: Path, list_: str) -> None:
    """Shells differ about what nobody may execute or is no regular file: then one of them must agree."""
    path = list_.format(places)
    for command in COMMANDS:
        shells = [run(shell, "-c", 'command -v "$1"', "sh", command, path=path) for shell in SHELLS]
        ours = pathsearch("-e", "--", command, path=path)
        assert answer(ours) in [answer(shell) for shell in shells], command


def test_a_command_is_a_regular_file_that_may_be_executed(pathsearch: Run, places: Path) -> None:
    path = "one:two:three"
    assert pathsearch("-e", "tool", "plain", "fifo", "link", "dangling", path=path).stdout.splitlines() == [
        "two/tool",
        "two/plain",
        "two/fifo",
        "one/link",
        "three/dangling",
    ]
    assert pathsearch("-e", "plain", "fifo", "tool", path="one").stdout == ""


@pytest.mark.parametrize("name", ["two/tool", "./two/tool", "./one/tool", "./one/plain", "one/link", "./missing"])
def test_a_name_with_a_slash_is_not_searched_for(run: Run, pathsearch: Run, places: Path, name: str) -> None:
    shell = run(BASH, "-c", f"command -v {name}", path="/bin")
    ours = pathsearch("-e", name, path=str(places))
    assert (ours.stdout, ours.returncode) == (shell.stdout, shell.returncode)


def test_agrees_about_every_command_of_this_machine(run: Run, pathsearch: Run) -> None:
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    names = sorted(entry.name for entry in Path("/usr/bin").iterdir())
    shell = run(BASH, "-c", 'for name; do type -P -- "$name"; done', "sh", *names, path=path)
    ours = pathsearch("-eq", "--", *names, path=path)
    assert len(shell.stdout.splitlines()) > 100
    assert ours.stdout == shell.stdout


def test_without_path_searches_what_shells_search(run: Run, pathsearch: Run) -> None:
    assert pathsearch("-e", "ls").stdout == run(BASH, "-c", "command -v ls").stdout != ""


def test_an_empty_path_is_the_current_directory(pathsearch: Run, places: Path) -> None:
    assert pathsearch("-e", "here", path="").stdout == "./here\n"
    assert pathsearch("-p", "", "here").stdout == "./here\n"


def test_prints_every_hit(pathsearch: Run, places: Path) -> None:
    assert pathsearch("-ea", "tool", path="one:two:other:three").stdout == "two/tool\nthree/tool\n"
    assert pathsearch("-a", "tool", path="one:two:other:three").stdout == "one/tool\ntwo/tool\nthree/tool\n"
    assert pathsearch("--all", "--null", "tool", path="two:three").stdout == "two/tool\0three/tool\0"


def test_passes_over_many_directories_of_that_name(pathsearch: Run, places: Path) -> None:
    names = [f"d{k}" for k in range(30)]
    for name in names:
        (places / name / "tool").mkdir(parents=True)
    mixed = [*names[:15], "two", *names[15:], "three"]
    assert pathsearch("-e", "tool", path=":".join(mixed)).stdout == "two/tool\n"
    assert pathsearch("-ea", "tool", path=":".join(mixed)).stdout == "two/tool\nthree/tool\n"


def test_searches_any_list_for_any_file(pathsearch: Run, places: Path) -> None:
    (places / "two" / "sys").mkdir()
    (places / "two" / "sys" / "x.h").touch()
    done = pathsearch("--path=one:two", "sys/x.h", "plain", str(places / "here"))
    assert done.stdout.splitlines() == ["two/sys/x.h", "one/plain", str(places / "here")]
    assert done.returncode == 0


def test_says_what_was_not_found(pathsearch: Run, places: Path) -> None:
    done = pathsearch("-e", "missing", "here", "onlyplain", path="other:.")
    assert (done.stdout, done.returncode) == ("./here\n", 1)
    assert done.stderr == "pathsearch: missing: not found\npathsearch: onlyplain: not found\n"
    assert pathsearch("-q", "missing", path="one").stderr == ""


def test_long_lists_and_names(pathsearch: Run, places: Path) -> None:
    path = ":".join(["/nowhere"] * 10_000 + ["two"])
    assert pathsearch("-e", "tool", path=path).stdout == "two/tool\n"
    done = pathsearch("n" * 5000, path="one")
    assert done.returncode == 1
    assert done.stderr.endswith(": File name too long\n")
    assert pathsearch("n" * 300, path="one").stderr.endswith(": not found\n")


def test_tests_the_effective_permission(pathsearch: Run, places: Path) -> None:
    for bits, found in ((0o000, False), (0o111, True), (0o644, False)):
        (places / "two" / "tool").chmod(bits)
        assert stat.S_IMODE((places / "two" / "tool").stat().st_mode) == bits
        assert (pathsearch("-eq", "tool", path="two").returncode == 0) == found


def test_needs_a_name(pathsearch: Run) -> None:
    done = pathsearch("-e")
    assert (done.returncode, done.stdout) == (2, "")
    assert "give at least one NAME" in done.stderr

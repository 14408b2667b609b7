# SPDX-License-Identifier: BSD-3-Clause
"""What runs the suites of whole programs, by suites of a few lines."""

import os
import subprocess
from pathlib import Path

import pytest
from paths import ROOT

RUN = ROOT / "tests/compiler/suites/run.sh"
#: Where four of them run at once, each has ended its tests before the first has counted its batches.
FILES = 4
#: A file of git's suite, with a test of each result.
OF_GIT = "printf 'ok 1 - a\\nok 2 - b # skip c\\nnot ok 3 - d # %sDO known breakage\\n1..3\\n' TO\n"
#: The part of GNU make's driver that is about its environment, what it prints for a file, and its line that is changed.
OF_MAKE = """
$test_timeout = 5;
my %kept;
foreach ('PATH',
         'LD_LIBRARY_PATH',
        ) { $kept{$_} = $ENV{$_} if $ENV{$_}; }
%ENV = %kept;
my $test = $ARGV[-1];
print "Making work dirs...\\n\\n$test .......... ";
print do "./scripts/$test", "\\n";
"""
#: What starts it, and has a shorter time for some tests.
STARTER = """
use FindBin;
our $timeout = 7;
require "$FindBin::Bin/test_driver.pl";
sub limited {
      my $old_timeout = $test_timeout;
      $timeout and $test_timeout = $timeout;
      return $test_timeout;
}
"""
#: SIGHUP, and two that glibc has for itself and lets no program set; by rt_sigaction, since perl resets what it knows.
IGNORE = '$a = pack("Q4", 1, 0, 0, 0); syscall(13, $_, $a, 0, 8) and die for 1, 32, 33; exec @ARGV'


def run(programs: Path, suite: str, way: str) -> list[str]:
    """Run a suite with four files at once, where counting lines takes a while, and return what is no comment."""
    shims = programs / "shims"
    shims.mkdir()
    for name, body in (("nproc", f"echo {FILES}"), ("wc", 'sleep 0.2; exec /usr/bin/wc "$@"')):
        (shims / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (shims / name).chmod(0o755)
    environment = {"PATH": f"{shims}:{os.environ['PATH']}", "TMPDIR": str(programs)}
    if suite == "git":
        environment["TESTS"] = " ".join(f"t{number}.sh" for number in range(FILES))
    command = ["bash", str(RUN), str(programs), way, suite]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=60)
    return sorted(line for line in done.stdout.splitlines() if not line.startswith("# "))


@pytest.fixture
def git(tmp_path: Path) -> Path:
    """Make a suite like git's, with four files."""
    folder = tmp_path / "git/t"
    folder.mkdir(parents=True)
    for number in range(FILES):
        (folder / f"t{number}.sh").write_text(OF_GIT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def make(tmp_path: Path) -> Path:
    """Make a suite like GNU make's, without a file."""
    folder = tmp_path / "make/tests"
    (folder / "scripts/a").mkdir(parents=True)
    (folder / "test_driver.pl").write_text(OF_MAKE, encoding="utf-8")
    (folder / "run_make_tests.pl").write_text(STARTER, encoding="utf-8")
    return tmp_path


def script(programs: Path, name: str, said: str) -> None:
    """Add a file to a suite like GNU make's: the Perl for what its driver says."""
    (programs / "make/tests/scripts/a" / name).write_text(f"{said}\n", encoding="utf-8")


def test_files_that_run_at_once_have_a_line_each(git: Path) -> None:
    assert run(git, "git", "off") == [f"git off t{number}.sh ok 1 0 1 1 0" for number in range(FILES)]


def test_the_line_of_a_file_of_make_says_what_its_driver_says(make: Path) -> None:
    script(make, "passes", '"ok     (12 passed)"')
    script(make, "fails", '"FAILED (5/7 passed)"')
    script(make, "dies", '"FAILED (3/3 passed)"')
    script(make, "says", 'print "an error\\n"; "FAILED (5/9 passed)"')
    script(make, "lacks", '"N/A"')
    script(make, "ends", "exit 0")
    assert run(make, "make", "off") == [
        "make off a/dies fail 3 1 0 0",
        "make off a/ends fail 0 1 0 0",
        "make off a/fails fail 5 2 0 0",
        "make off a/lacks skip 0 0 1 0",
        "make off a/passes ok 12 0 0 0",
        "make off a/says fail 5 4 0 0",
    ]


def test_the_way_and_a_longer_time_reach_what_make_runs(make: Path) -> None:
    script(make, "way", "$ENV{FERRY_COMPILED} eq 'kernel' && limited() > 60 ? 'ok     (1 passed)' : 'N/A'")
    script(make, "batch", "open(my $f, '>>', $ENV{FERRY_COMPILED_LOG}); print $f \"2\\n\"; 'ok     (1 passed)'")
    assert run(make, "make", "kernel") == ["make kernel a/batch ok 1 0 0 1", "make kernel a/way ok 1 0 0 0"]


def suites(build: Path, way: str, shims: Path, tests: str = " ") -> subprocess.CompletedProcess[str]:
    """Run tests of make (none) by the script behind `make suites`, as an ordinary user, with signals ignored."""
    shims.mkdir()
    (shims / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (shims / "id").chmod(0o755)
    environment = {**os.environ, "PATH": f"{shims}:{os.environ['PATH']}", "TESTS": tests}
    command = ["perl", "-e", IGNORE, str(ROOT / "scripts/test/suites.sh"), str(build), way, "make"]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)


def built(make: Path) -> Path:
    """Move a suite to where the script has built its program."""
    folder = make / "build/suites"
    folder.mkdir(parents=True)
    (make / "make").rename(folder / "make")
    (folder / "make/.done").touch()
    return folder


def test_a_suite_of_which_nothing_ran_is_a_failure(make: Path) -> None:
    folder = built(make)
    done = suites(make / "build", "off", make / "shims")
    assert done.returncode == 1
    assert f"suites.sh: no test of make ran; {folder}/off.make.said has all that was said" in done.stderr


def test_no_signal_is_ignored_since_the_caller_ignores_it(make: Path) -> None:
    script(make, "signals", "`grep SigIgn /proc/self/status` =~ /:\\s+0+$/ ? 'ok     (1 passed)' : 'N/A'")
    built(make)
    done = suites(make / "build", "off", make / "shims", "a/signals")
    assert done.stdout.startswith("make off: 1 passed, 0 failed, 0 skipped"), done


def test_a_folder_that_no_guest_has_is_refused(tmp_path: Path) -> None:
    # nothing is made there
    done = suites(Path("/tmp/missing/build"), "debian-6.12", tmp_path / "shims")
    assert done.returncode == 2
    assert "/tmp/missing/build cannot be in the guest, whose /tmp is its own" in done.stderr
    assert not Path("/tmp/missing").exists()

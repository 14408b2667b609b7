# SPDX-License-Identifier: BSD-3-Clause
"""Duplicates prints what the same program without Ferry prints, and what a few lines of Python compute."""

import contextlib
import itertools
import os
import pty
import random
import re
import shutil
import stat
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest

#: What a user may run as when the tests run as root: the kernel's own number for nobody.
NOBODY = 65534
TIMEOUT_S = 900

Groups = list[list[bytes]]


def run(*command: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    arguments = [os.fsencode(word) if isinstance(word, str | Path) else word for word in command]
    return subprocess.run(arguments, capture_output=True, timeout=TIMEOUT_S, check=False, **options)  # type: ignore[call-overload,no-any-return]


def messages(stderr: bytes) -> list[bytes]:
    return sorted(line.replace(b"duplicates-plain: ", b"duplicates: ") for line in stderr.splitlines())


def expected(folder: Path, hard_links: bool = False, empty: bool = True) -> Groups:
    """The groups, by the contents of every regular file."""
    seen: dict[tuple[int, int], bytes] = {}
    by_contents: dict[bytes, list[bytes]] = defaultdict(list)
    for parent, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            path = parent + b"/" + name
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) and (status.st_size or empty):
                identity = (status.st_dev, status.st_ino)
                seen[identity] = min(seen.get(identity, path), path)
                if hard_links:
                    by_contents[Path(os.fsdecode(path)).read_bytes()].append(path)
    if not hard_links:
        for path in seen.values():
            by_contents[Path(os.fsdecode(path)).read_bytes()].append(path)
    return sorted(sorted(group) for group in by_contents.values() if len(group) > 1)


def rendered(groups: Groups, end: bytes = b"\n") -> bytes:
    return end.join(b"".join(path + end for path in group) for group in groups)


def expect(bin_dir: Path, *arguments: object, **options: object) -> bytes:
    """Both programs print the same, and this is it."""
    plain = run(bin_dir / "duplicates-plain", *arguments, **options)
    ours = run(bin_dir / "duplicates", *arguments, **options)
    assert ours.stdout == plain.stdout
    assert messages(ours.stderr) == messages(plain.stderr)
    assert ours.returncode == plain.returncode
    return ours.stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Names and files that could go wrong, and many that are alike."""
    chance = random.Random(3)
    folder = tmp_path / "tree"
    for number in range(300):
        parent = folder / f"{number % 7}" / f"{number % 3}"
        parent.mkdir(parents=True, exist_ok=True)
        contents = chance.choice([b"", b"same", b"size", b"x" * 16384, b"y" * 16384, b"z" * 70000, b"%d" % number])
        (parent / f"{number}").write_bytes(contents)
    for name in (b"new\nline", b"sp ace", b"\xff\xfe", "ä".encode(), b"-n", b"quote'"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(b"odd")
    almost = bytearray(b"a" * 100000)
    (folder / "almost 1").write_bytes(almost)
    almost[99999] = 0
    (folder / "almost 2").write_bytes(almost)
    os.link(folder / "almost 1", folder / "hard link")
    (folder / "up").symlink_to("..")
    (folder / "itself").symlink_to("itself")
    (folder / "link").symlink_to("almost 1")
    os.mkfifo(folder / "fifo")
    return folder


@pytest.mark.parametrize("options", [(), ("-n",), ("--hard-links",), ("-0",), ("-0nH",)])
def test_a_hostile_tree(bin_dir: Path, tree: Path, options: tuple[str, ...]) -> None:
    letters = "".join(options)
    groups = expected(
        tree, hard_links="H" in letters or "hard" in letters, empty="n" not in letters.replace("hard-links", "")
    )
    assert expect(bin_dir, *options, tree) == rendered(groups, b"\0" if "0" in letters else b"\n")
    assert len(groups) > 3


def test_a_real_tree(bin_dir: Path) -> None:
    folder = Path("/usr/share/doc")
    assert expect(bin_dir, folder) == rendered(expected(folder))


def test_the_working_directory_by_default(bin_dir: Path, tree: Path) -> None:
    found = expect(bin_dir, cwd=tree)
    assert found == expect(bin_dir, ".", cwd=tree)
    assert b"./new\nline\n" in found


def test_roots_that_overlap(bin_dir: Path, tree: Path) -> None:
    assert sorted(expect(bin_dir, tree / "1", tree).split(b"\n\n")) == sorted(expect(bin_dir, tree).split(b"\n\n"))
    assert expect(bin_dir, "-H", tree, tree) == rendered(expected(tree, hard_links=True))


def test_what_cannot_be_read_is_named(bin_dir: Path, tree: Path) -> None:
    (tree / "secret 1").write_bytes(b"secret")
    (tree / "secret 2").write_bytes(b"secret")
    (tree / "secret 1").chmod(0)
    (tree / "closed\n").mkdir()
    (tree / "closed\n").chmod(0)
    options: dict[str, object] = {}
    if os.geteuid() == 0:
        temporary = Path(tempfile.gettempdir())
        for folder in (tree, *itertools.takewhile(lambda parent: parent != temporary, tree.parents)):
            folder.chmod(0o755)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    found = expect(bin_dir, tree, tree / "nothing", **options)
    assert b"new\nline" in found
    assert b"secret" not in found
    done = run(bin_dir / "duplicates", tree, tree / "nothing", **options)
    assert done.returncode == 1
    at = os.fsencode(tree)
    assert messages(done.stderr) == sorted(
        [
            b"duplicates: " + at + b"/secret 1: Permission denied",
            b"duplicates: $'" + at + b"/closed\\n': Permission denied",
            b"duplicates: " + at + b"/nothing: No such file or directory",
        ]
    )


def test_output_that_cannot_be_written(bin_dir: Path, tree: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [bin_dir / "duplicates", tree], stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"duplicates: write error: No space left on device\n")


def test_a_command_line_that_is_wrong(bin_dir: Path) -> None:
    done = run(bin_dir / "duplicates", "--bogus")
    assert done.returncode == 2
    assert done.stderr == b"duplicates: unrecognized option `--bogus'\nTry 'duplicates --help'.\n"


def test_help_and_version(bin_dir: Path) -> None:
    shown = run(bin_dir / "duplicates", "--help")
    assert shown.returncode == 0
    assert shown.stdout.startswith(b"Usage: duplicates [OPTION]... [PATH]...\n")
    version = run(bin_dir / "duplicates", "--version")
    assert re.fullmatch(rb"duplicates \(Ferry\) \d+\.\d+\.\d+\n", version.stdout)


def terminal_output(*command: object) -> bytes:
    """What a program that succeeds writes to a terminal that is its standard error."""
    ours, theirs = pty.openpty()
    text = b""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        # reading fails when the program, and with it the terminal's other end, is gone
        with contextlib.suppress(OSError):
            while True:
                text += os.read(ours, 4096)
        assert process.wait(timeout=TIMEOUT_S) == 0
    os.close(ours)
    return text


@pytest.mark.parametrize("name", ["duplicates", "duplicates-plain"])
def test_nothing_is_shown_on_a_terminal_before_a_second(bin_dir: Path, tree: Path, name: str) -> None:
    assert terminal_output(bin_dir / name, tree / "1") == b""


@pytest.mark.parametrize("name", ["duplicates", "duplicates-plain"])
def test_a_progress_line_comes_on_a_terminal_after_a_second_and_goes(bin_dir: Path, tmp_path: Path, name: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; a slow walk is made with it")
    # 30 directories, each in the one before so that no batch lists two, × 2 × 30 ms that strace delays each listing;
    # nothing else lists directories, as the loader opens files
    folder = tmp_path
    for _ in range(30):
        folder = folder / "d"
        folder.mkdir()
        (folder / "file").write_bytes(b"")
    strace = "strace -f -o /dev/null -e trace=getdents64 -e inject=getdents64:delay_enter=30000"
    # now and then strace itself says something of threads that wait; the program's standard error is the terminal alone
    slowly = ["sh", "-c", f"""exec {strace} sh -c 'exec "$@" 2>&3 3>&-' sh "$@" 3>&2 2>/dev/null""", "sh"]
    text = terminal_output(*slowly, bin_dir / name, "-n", tmp_path)
    shown = [int(count) for count in re.findall(rb"\r%s: (\d+) files\x1b\[K" % name.encode(), text)]
    assert len(shown) >= 3
    assert shown == sorted(set(shown))
    assert 0 < shown[0] < shown[-1] <= 30
    assert text.endswith(b"\r\x1b[K")
    # elsewhere there is nobody to watch it
    done = run(*slowly, bin_dir / name, "-n", tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")

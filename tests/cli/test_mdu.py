# SPDX-License-Identifier: BSD-3-Clause
"""mdu beside GNU du, on trees that are hard to walk: the same lines, the same messages, at any number of threads."""

import os
import pty
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from beside_du import THREADS, TIMEOUT_S, agree, needs_gnu_du, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NOBODY = 65534

pytestmark = needs_gnu_du


def remove(tree: Path) -> None:
    """Remove a tree of any depth."""
    subprocess.run(["chmod", "-R", "u+rwx", tree], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", tree], check=True)


#: Memory, where there is some: making and removing the large trees takes a disk half a minute.
SHM = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None


@pytest.fixture
def tree() -> Iterator[Path]:
    """A folder that `rm` removes: Python's own removal gives up on deep trees."""
    made = Path(tempfile.mkdtemp(dir=SHM)) / "tree"
    made.mkdir()
    yield made
    remove(made.parent)


EXCLUDES = (
    "-a --exclude=*1",
    "-a --exclude=b",
    "-b --exclude=a/b",
    "-ab --exclude=[0-9] --exclude=ü",
    "-ab --exclude=m*2",
    "-s --exclude=e",
    "-s --exclude=mixed",
    "-a --exclude=*",
    "-a --exclude=?",
    "-a --exclude=mixed/e",
    "-a --exclude=/e",
    "-a --exclude=e/",
    "-a --exclude=\\e",
)
#: Options that stand alone, and patterns to leave out.
PLAIN = (
    "-s -a -b -l -c -0 -h -k -m -x --apparent-size -ab -abl -al0 "
    "-sb -sl -shc -ah -hb -bh -bk -d0 -d1 -ad1 -bd2 -ahd3 -acxl0 --max-depth=1"
)
OPTIONS = ["", *PLAIN.split(" "), *EXCLUDES]


@pytest.mark.parametrize("options", OPTIONS)
def test_options_agree_with_du(mdu: Path, mixed: Path, options: str) -> None:
    agree(mdu, [*options.split(), "mixed"], cwd=mixed.parent)


@pytest.mark.parametrize("options", ["", "-s", "-a", "-sl", "-al", "-sc", "-d1"])
@pytest.mark.parametrize(
    "operands",
    [
        "a e",
        "e a",
        "a a",
        "a/b a",
        "a a/b",
        "a/1 a/1 a",
        "a/b/2 e/two",
        "e/two a e",
        ". a",
        "a/ e// ./n",
        "a missing e",
        "missing",
        "a/dangling e/loop e/loop/",
        "9 9",
        "a/fifo a/sparse",
        "9/",
    ],
)
def test_operands_agree_with_du(mdu: Path, mixed: Path, options: str, operands: str) -> None:
    agree(mdu, [*options.split(), *operands.split()], cwd=mixed)


def test_without_operand_it_is_the_working_directory(mdu: Path, mixed: Path) -> None:
    assert agree(mdu, [], cwd=mixed).endswith(b"\t.\n")


def test_an_empty_operand_is_an_error(mdu: Path) -> None:
    done = run(mdu, "")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"mdu: cannot access '': No such file or directory\n"


# ---- messages ------------------------------------------------------------------------------------------------------


def test_every_byte_is_quoted_as_du_quotes_it(mdu: Path, tmp_path: Path) -> None:
    single = [bytes([byte]) for byte in range(1, 256) if byte != ord("/")]
    names = single + [b"it's" + name for name in single if 0x20 <= name[0] < 0x7F]
    names += ["日本's".encode(), b"{'}", b"a~'", b"'#", b"\xff\xc3\xa9", b"''", b"two\n\nlines", "\u200b".encode()]
    names += [b"\n", b"'\n'", b"a\n'b", b"a\\b"]
    agree(mdu, [b"-s", b"--", *names], cwd=tmp_path)


@pytest.mark.parametrize("name", [b"it's\n", b"\n''\n", b"'\xff'", b"\x01'\x02 $(false) \"'"])
def test_a_quoted_name_reads_back(mdu: Path, name: bytes) -> None:
    """Where both kinds of quoting meet, du puts empty words in; all the same a shell reads the name."""
    message = run(mdu, b"-s", b"--", name).stderr
    quoted = message.removeprefix(b"mdu: cannot access ").removesuffix(b": No such file or directory\n")
    assert run("bash", b"-c", b"printf %s " + quoted).stdout == name


def as_nobody() -> None:
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def test_unreadable_directories_count_and_are_named(mdu: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        program = shutil.copy(mdu, root / "mdu")
        for name in ("locked", "listed only", "it's", "new\nline", "fine/locked", "fine/open"):
            (root / "tree" / name).mkdir(parents=True)
            (root / "tree" / name / "file").write_bytes(b"x" * 5000)
        (root / "tree" / "locked").chmod(0)
        (root / "tree" / "it's").chmod(0o311)
        (root / "tree" / "new\nline").chmod(0)
        (root / "tree" / "fine" / "locked").chmod(0)
        (root / "tree" / "listed only").chmod(0o444)
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", str(NOBODY), root / "tree"], check=True)
        try:
            for options in ("", "-s", "-a", "-ab", "-x"):
                agree(Path(program), [*options.split(), "tree"], cwd=root, preexec_fn=as_nobody)
            agree(Path(program), ["tree/locked", "tree/locked/file", "tree"], cwd=root, preexec_fn=as_nobody)
            done = run(program, "-s", "tree", cwd=root, preexec_fn=as_nobody)
            assert done.returncode == 1
            assert b"mdu: cannot read directory 'tree/locked': Permission denied\n" in done.stderr
            assert b"mdu: cannot access 'tree/listed only/file': Permission denied\n" in done.stderr
        finally:
            remove(root / "tree")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "-a", "."], "-s prints totals only and -a prints every file; give one of them"),
        (["-s", "-d1", "."], "-s is the same as -d 0; give no other -d with it"),
        (["-d", "x", "."], "-d takes a whole number from 0 to"),
        (["-d", "-1", "."], "-d takes a whole number from 0 to"),
        (["--executor=uring", "."], "--executor takes auto, loop or kernel, not 'uring'"),
        (["-j", "0", "."], "-j takes a whole number from 1 to 256, not '0'"),
        (["-j", "257", "."], "-j takes a whole number from 1 to 256, not '257'"),
        (["-j", "", "."], "-j takes a whole number from 1 to 256, not ''"),
        (["--exclude"], "option '--exclude' requires an argument"),
        (["-B", "5x", "."], "-B takes a number and a unit (4096, 4K, MiB, 5MB), not '5x'"),
        (["-B", "-1", "."], "-B takes a number and a unit (4096, 4K, MiB, 5MB), not '-1'"),
        (["-B", "0", "."], "-B takes a number and a unit (4096, 4K, MiB, 5MB), not '0'"),
        (["-B", "", "."], "-B takes a number and a unit (4096, 4K, MiB, 5MB), not ''"),
        (["-B", "1Y", "."], "-B takes a number and a unit (4096, 4K, MiB, 5MB) below 2^64, not '1Y'"),
        (["-t", "1x", "."], "-t takes a number and a unit (4096, 4K, MiB, 5MB), not '1x'"),
        (["-t", "-0", "."], "-t takes a size to print what is as large"),
        (["-t", "8E", "."], "below 2^63, not '8E'"),
        (["--time=never", "."], "--time takes atime, access, use, ctime or status, not 'never'"),
        (["--time", "--time-style=tiny", "."], "takes full-iso, long-iso, iso or +FORMAT, not 'tiny'"),
        (["--files0-from=x", "."], "--files0-from names the file that has all FILEs; take it away, or '.'"),
    ],
)
def test_wrong_options_are_named(mdu: Path, arguments: list[str], message: str) -> None:
    done = run(mdu, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert b"Try 'mdu --help'." in done.stderr


def test_output_that_cannot_be_written_is_an_error(mdu: Path, mixed: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([mdu, mixed], stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr


# ---- numbers -------------------------------------------------------------------------------------------------------


def test_human_sizes_round_as_du_rounds(mdu: Path, tmp_path: Path) -> None:
    sizes = {0, 1}
    for exponent in range(0, 62):
        for factor in (1, 3, 5, 9, 10, 99, 999, 1000, 1023):
            sizes |= {(factor << exponent) + delta for delta in (-1, 0, 1)}
    for unit in (1024, 1024**2, 1024**3, 1024**4):
        sizes |= {unit * tenth // 10 + delta for tenth in range(9, 112) for delta in (0, 1)}
    names = []
    # the largest file that ext4 can hold with blocks of 4 KiB
    for size in sorted(size for size in sizes if 0 <= size < 16 * 1024**4 - 4096):
        path = tmp_path / f"s{size}"
        with path.open("wb") as file:
            file.truncate(size)
        names.append(path.name)
    assert len(names) > 1000
    for options in ("-h", "-k", "-m", ""):
        agree(mdu, ["--apparent-size", *options.split(), *names], cwd=tmp_path)


# ---- shapes --------------------------------------------------------------------------------------------------------


def dig(root: Path, depth: int, name: str, *, comb: bool) -> None:
    """Make a chain of directories, each with a file; as a comb, with another directory too."""
    fd = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=fd)
        if comb:
            os.mkdir("tooth", dir_fd=fd)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
        below = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(fd)


@pytest.mark.parametrize(
    ("depth", "name", "comb"), [(1500, "d", True), (4000, "deeper", False), (300, "n" * 255, True)]
)
def test_deep_trees(mdu: Path, tree: Path, depth: int, name: str, comb: bool) -> None:
    dig(tree, depth, name, comb=comb)
    for options in ("-sb", "-d1", "-a"):
        agree(mdu, [*options.split(), "tree"], cwd=tree.parent)


def test_a_tree_of_60000_levels(mdu: Path, tree: Path) -> None:
    dig(tree, 60_000, "d", comb=False)
    for threads in THREADS:
        assert run(mdu, f"-j{threads}", "-sb", tree).stdout == run("du", "-sb", tree).stdout


def test_few_descriptors_are_enough(mdu: Path, tree: Path) -> None:
    dig(tree, 700, "d", comb=True)
    expected = run("du", "-a", "tree", cwd=tree.parent).stdout
    for threads in THREADS:
        limit = 16 + 8 * threads
        done = run("bash", "-c", f"ulimit -n {limit}; exec {mdu} -j{threads} -a tree", cwd=tree.parent)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == expected


def test_wide_trees(mdu: Path, tree: Path) -> None:
    for index in range(60_000):
        (tree / f"file{index}").touch()
    for index in range(1_000):
        (tree / f"directory{index}").mkdir()
    agree(mdu, ["-s", tree])
    agree(mdu, ["-b", tree], ordered=False)
    # du sorts directories of more than 10,000 entries by inode
    agree(mdu, ["-a", tree], ordered=False)


#: A tree: directories are dictionaries, files are sizes, and names of earlier files make hard links.
NAMES = (
    st.binary(min_size=1, max_size=12)
    .filter(lambda name: b"/" not in name and b"\0" not in name)
    .filter(lambda name: name not in (b".", b".."))
)
TREES = st.recursive(
    st.one_of(st.integers(0, 30_000), st.just("link"), st.just("symlink")),
    lambda below: st.dictionaries(NAMES, below, max_size=6),
    max_leaves=40,
)


def plant(path: bytes, tree: object, files: list[bytes]) -> None:
    if isinstance(tree, dict):
        os.mkdir(path)
        for name, below in tree.items():
            plant(path + b"/" + name, below, files)
    elif tree == "link" and files:
        os.link(files[len(path) % len(files)], path)
    elif tree == "symlink":
        os.symlink(b"..", path)
    else:
        with open(path, "wb") as file:  # noqa: PTH123 (the path is bytes)
            file.write(b"x" * (tree if isinstance(tree, int) else 0))
        files.append(path)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tree=st.dictionaries(NAMES, TREES, max_size=8),
    options=st.lists(st.sampled_from(["-a", "-b", "-l", "-c", "-x", "-d1", "-d3", "-h", "-0", "--exclude=[a-z]*"])),
)
def test_random_trees_agree_with_du(mdu: Path, tree: dict[bytes, object], options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plant(os.fsencode(folder) + b"/tree", tree, [])
        agree(mdu, [*options, "tree"], cwd=folder)
        agree(mdu, [*options, "-d0", "tree"], cwd=folder)


# ---- mounts --------------------------------------------------------------------------------------------------------


def unshare(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run a script with mounts of its own; skip where the system does not allow that."""
    command = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-r", "-m"]
    allowed = run(*command, "mount", "-t", "tmpfs", "none", "/mnt")
    if allowed.returncode:
        pytest.skip(f"mounting is not permitted here: {allowed.stderr.decode().strip()}")
    done = run(*command, "bash", "-ec", script, "bash", *arguments)
    assert done.returncode == 0, done.stderr
    return done


def test_one_file_system(mdu: Path, mixed: Path) -> None:
    script = """
    cd "$2"; mount -t tmpfs none e/empty; mkdir e/empty/inside; head -c 50000 /dev/zero >e/empty/inside/file
    touch /dev/shm/ferry-$$; mount --bind e/empty/inside/file 9
    for options in -x -ax -sx -a -s "-ax e/empty" "-x . e/empty" "-a . e/empty"; do
        for threads in 1 2 4; do
            cmp <(du $options) <("$1" -j$threads $options) || { echo "$options -j$threads" >&2; exit 1; }
        done
    done
    rm /dev/shm/ferry-$$
    """
    unshare(script, mdu, mixed)


def test_a_mount_inside_itself_is_no_trap(mdu: Path, mixed: Path) -> None:
    script = """
    cd "$2"; mount --bind . e/empty; mount --bind a n
    for options in -a -s -al -b "-a . a" "-s n a"; do
        for threads in 1 2 4; do
            cmp <(du $options) <("$1" -j$threads $options) || { echo "$options -j$threads" >&2; exit 1; }
        done
    done
    "$1" -s . 2>&1 >/dev/null | cmp - /dev/null
    """
    unshare(script, mdu, mixed)


# ---- the terminal --------------------------------------------------------------------------------------------------


def terminal_output(command: list[str | Path], seconds: float) -> bytes:
    """What a program writes to a terminal that is its standard error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        until, text = time.monotonic() + seconds, b""
        while time.monotonic() < until:
            try:
                text += os.read(ours, 4096)
            except OSError:
                break
        process.wait(timeout=TIMEOUT_S)
    os.close(ours)
    return text


def test_a_progress_line_comes_after_a_second_and_goes(mdu: Path, mixed: Path, tmp_path: Path) -> None:
    assert terminal_output([mdu, "-s", mixed], 20) == b""
    # slowed down by strace, which delays every opening: 60 directories × 50 ms
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; a slow walk is made with it")
    for index in range(60):
        (tmp_path / f"d{index}").mkdir()
    traced = ["strace", "-f", "-o", "/dev/null", "-e", "trace=openat", "-e", "inject=openat:delay_enter=50000"]
    text = terminal_output([*traced, mdu, "-j1", "-s", tmp_path], 20)
    assert re.search(rb"\rmdu: \d+ files\x1b\[K", text)
    assert text.endswith(b"\r\x1b[K")

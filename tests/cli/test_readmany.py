# SPDX-License-Identifier: BSD-3-Clause
"""Readmany gives what cat gives, whatever it is given, on every executor."""

import os
import pty
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from paths import VERSION

EXECUTORS = ("auto", "loop", "uring", "kernel")
#: What a user may run as when the tests run as root: the kernel's own number for nobody.
NOBODY = 65534
TIMEOUT_S = 900


def is_offered(program: Path, executor: str) -> bool:
    command = [str(program), f"--executor={executor}", "/dev/null"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest, bin_dir: Path) -> str:
    name = str(request.param)
    if not is_offered(bin_dir / "readmany", name):
        pytest.skip(f"this kernel does not offer {name}, or forbids it")
    return name


@pytest.fixture
def readmany(bin_dir: Path) -> Path:
    return bin_dir / "readmany"


def run(*command: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    arguments = [str(word) if not isinstance(word, bytes) else word for word in command]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BATCH_")} | {"LC_ALL": "C"}
    return subprocess.run(arguments, capture_output=True, timeout=TIMEOUT_S, check=False, env=clean, **options)  # type: ignore[call-overload,no-any-return]


def expect_as_cat(readmany: Path, executor: str, *names: object, **options: object) -> None:
    """The same bytes, the same exit status, the same messages but for the program's name."""
    expected = run("cat", *names, **options)
    for batch in ("64", "3"):
        got = run(readmany, f"--executor={executor}", f"--batch={batch}", *names, **options)
        assert got.stdout == expected.stdout
        assert got.stderr.replace(b"readmany: ", b"cat: ") == expected.stderr
        assert got.returncode == expected.returncode


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Files of every size that could matter, and things that are not files."""
    for size in (0, 1, 100, 4095, 4096, 4097, 8192, 65535, 65536, 65537, 131072, 1 << 20):
        (tmp_path / f"size-{size:07}").write_bytes(os.urandom(size))
    for number in range(300):
        (tmp_path / f"small-{number:03}").write_bytes(os.urandom(number * 13))
    with (tmp_path / "sparse").open("wb") as sparse:
        sparse.truncate(3_000_001)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("small-100")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


def test_files_of_every_size(readmany: Path, executor: str, files: Path) -> None:
    expect_as_cat(readmany, executor, *sorted(files.iterdir()))


def test_order_and_repetition(readmany: Path, executor: str, files: Path) -> None:
    names = [files / f"small-{number:03}" for number in (7, 3, 3, 299, 0, 7)] * 40
    expect_as_cat(readmany, executor, *names)


def test_missing_files_between_others(readmany: Path, executor: str, files: Path) -> None:
    names = [files / (f"small-{number:03}" if number % 7 else f"gone-{number}") for number in range(150)]
    expect_as_cat(readmany, executor, *names)
    expect_as_cat(readmany, executor, files / "no such\nname", files / "it's", files / "small-001" / "below")


def test_all_of_etc(readmany: Path, executor: str) -> None:
    names = sorted(path for path in Path("/etc").rglob("*"))
    assert len(names) > 100
    expect_as_cat(readmany, executor, *names)


def test_proc_files(readmany: Path, executor: str) -> None:
    names = [f"/proc/{name}" for name in ("version", "filesystems", "devices", "cmdline", "kallsyms", "modules")]
    expect_as_cat(readmany, executor, *names, *["/proc/sys/kernel/ostype"] * 100)


def test_own_proc_files(readmany: Path, executor: str) -> None:
    names = [f"/proc/self/{name}" for name in ("limits", "cgroup", "mountinfo", "cwd", "task")]
    expect_as_cat(readmany, executor, *names)


def test_devices(readmany: Path, executor: str) -> None:
    expect_as_cat(readmany, executor, "/dev/null", "/etc/passwd", "/dev/null")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become a user who may not read")
def test_unreadable_files(readmany: Path, executor: str, files: Path, tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and folder != Path("/tmp") and folder != Path("/"):
            folder.chmod(0o755)
    (files / "small-010").chmod(0)
    (files / "folder").chmod(0)
    names = [*sorted(files.glob("small-0*")), files / "folder" / "x", files / "folder"]
    # the tree under test may lie where this user cannot go
    program = Path(shutil.copy(readmany, tmp_path))
    expect_as_cat(program, executor, *names, user=NOBODY, group=NOBODY)


def test_standard_input_in_its_place(readmany: Path, executor: str, files: Path) -> None:
    expect_as_cat(readmany, executor, files / "small-002", "-", files / "small-003", input=b"between\n" * 5000)
    expect_as_cat(readmany, executor, input=b"alone")


def feed(path: Path, data: bytes, count: int) -> threading.Thread:
    """A writer that opens the FIFO `count` times, one reader after another."""

    def write() -> None:
        for _ in range(count):
            path.write_bytes(data)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def test_a_fifo_is_read_to_its_end(readmany: Path, executor: str, files: Path) -> None:
    fifo, data = files / "fifo", os.urandom(300_000)
    os.mkfifo(fifo)
    before = (files / "small-100").read_bytes()
    for _ in range(5):
        writer = feed(fifo, data, 1)
        got = run(readmany, f"--executor={executor}", files / "small-100", fifo, files / "small-100")
        writer.join(TIMEOUT_S)
        assert got.stdout == before + data + before
        assert got.returncode == 0


def test_an_open_pipe_by_its_number(readmany: Path, executor: str) -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"through a pipe")
    os.close(write_end)
    got = run(readmany, f"--executor={executor}", f"/dev/fd/{read_end}", "/etc/passwd", pass_fds=[read_end])
    os.close(read_end)
    assert got.stdout == b"through a pipe" + Path("/etc/passwd").read_bytes()


def test_a_terminal(readmany: Path, executor: str) -> None:
    master, slave = pty.openpty()
    os.write(master, b"a line\n\x04")
    got = run(readmany, f"--executor={executor}", os.ttyname(slave))
    os.close(master)
    os.close(slave)
    assert got.stdout == b"a line\n"


def test_a_file_that_is_the_output(readmany: Path, executor: str, tmp_path: Path) -> None:
    for mode in ("wb", "ab"):
        results = []
        for program in (["cat"], [str(readmany), f"--executor={executor}"]):
            (tmp_path / "a").write_bytes(b"a" * 700)
            (tmp_path / "b").write_bytes(b"b" * 900)
            with (tmp_path / "a").open(mode) as output:
                done = subprocess.run(
                    [*program, tmp_path / "b", tmp_path / "a", tmp_path / "b"],
                    stdout=output,
                    stderr=subprocess.PIPE,
                    timeout=TIMEOUT_S,
                    check=False,
                )
            results.append((done.returncode, done.stderr.replace(b"readmany:", b"cat:"), (tmp_path / "a").read_bytes()))
        assert results[0][0] == 1
        assert results[0] == results[1]


def test_a_full_disk_is_reported(readmany: Path, executor: str, files: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [readmany, f"--executor={executor}", *sorted(files.glob("small-*"))],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=False,
        )
    assert done.returncode == 1
    assert b"write error: No space left on device" in done.stderr


def test_files_that_vanish_and_change(readmany: Path, executor: str, files: Path) -> None:
    """While another thread removes and renames files, each is read whole or reported."""
    names = sorted(files.glob("small-*"))
    whole = {path.read_bytes() for path in names} | {b"new" * 1000}
    stop = threading.Event()

    def disturb() -> None:
        for number, path in enumerate(names * 100):
            if stop.is_set():
                return
            fresh = path.with_suffix(".new")
            fresh.write_bytes(b"new" * 1000)
            if number % 3:
                fresh.rename(path)
            else:
                path.unlink(missing_ok=True)

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(5):
            for path in names[::30]:
                got = run(readmany, f"--executor={executor}", path)
                assert got.stdout in whole or got.returncode == 1
            got = run(readmany, f"--executor={executor}", *names)
            assert got.returncode in (0, 1)
    finally:
        stop.set()
        thread.join()


# ---- the list of names -----------------------------------------------------------------------------------------------


def test_names_from_a_list(readmany: Path, executor: str, files: Path) -> None:
    names = sorted(files.glob("s*"))
    (files / "odd\nname -").write_bytes(b"odd")
    names.append(files / "odd\nname -")
    listed = b"\0".join(bytes(path) for path in names)
    (files / "list").write_bytes(listed + b"\0")
    expected = b"".join(path.read_bytes() for path in names)
    for got in (
        run(readmany, f"--executor={executor}", f"--files0-from={files / 'list'}"),
        run(readmany, f"--executor={executor}", "--files0-from=-", input=listed),
        run(readmany, f"--executor={executor}", "--files0-from=-", "--batch=1024", input=listed),
    ):
        assert got.stdout == expected
        assert got.returncode == 0
        assert got.stderr == b""


def test_a_bad_list(readmany: Path, files: Path) -> None:
    good = bytes(files / "small-009")
    got = run(readmany, "--files0-from=-", input=good + b"\0\0" + b"x" * 5000 + b"\0-\0" + good)
    assert got.stdout == (files / "small-009").read_bytes() * 2
    assert got.returncode == 1
    lines = got.stderr.decode().splitlines()
    assert [line.split(": ")[1] for line in lines] == ["-:2", "-:3", "-:4"]
    got = run(readmany, "--files0-from=/no/such/list")
    assert got.returncode == 1
    assert got.stderr == b"readmany: /no/such/list: No such file or directory\n"
    got = run(readmany, "--files0-from=/etc")
    assert got.returncode == 1
    assert b"Is a directory" in got.stderr


def test_an_empty_list_is_no_input(readmany: Path) -> None:
    got = run(readmany, "--files0-from=/dev/null", input=b"must not be read")
    assert (got.returncode, got.stdout, got.stderr) == (0, b"", b"")


# ---- options ---------------------------------------------------------------------------------------------------------


def test_help_and_version(readmany: Path) -> None:
    assert run(readmany, "--help").stdout.startswith(b"Usage: readmany")
    assert run(readmany, "--version").stdout == f"readmany (Ferry) {VERSION}\n".encode()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--no-such"], "--help"),
        (["--executor=fast"], "--executor=fast: give auto, loop, uring or kernel"),
        (["--batch=0"], "--batch=0: give a number"),
        (["--batch=1025"], "--batch=1025: give a number"),
        (["--batch=8x"], "--batch=8x: give a number"),
        (["--files0-from=x", "y"], "use one of them"),
    ],
)
def test_wrong_options(readmany: Path, arguments: list[str], says: str) -> None:
    got = run(readmany, *arguments)
    assert got.returncode == 2
    assert got.stdout == b""
    assert says in got.stderr.decode()


def test_a_kernel_that_runs_no_batches(readmany: Path) -> None:
    got = run("env", "BATCH_EMUL=1", readmany, "--executor=kernel", "/etc/passwd")
    assert (got.returncode, got.stdout) == (1, b"")
    assert b"readmany: --executor=kernel: this kernel runs no batches" in got.stderr
    assert b"use --executor=auto" in got.stderr


def test_the_environment_leaves_loop_alone(readmany: Path, files: Path) -> None:
    names = sorted(files.glob("small-*"))
    traced = subprocess.run(
        ["strace", "-f", "-e", "trace=io_uring_setup", readmany, *names],
        env=os.environ | {"BATCH_EMUL": "1"},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert b"io_uring_setup" not in traced.stderr
    assert traced.stdout == b"".join(path.read_bytes() for path in names)

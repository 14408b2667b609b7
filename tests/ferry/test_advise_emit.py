# SPDX-License-Identifier: BSD-3-Clause
"""Runs written as C are compiled, linked with the library and run: on what the trace saw, and on what it did not."""

import re
import subprocess
from pathlib import Path

import pytest
from ferry.advise import signatures
from ferry.advise.arguments_c import quote
from ferry.advise.emit_c import BUILDERS, EMIT_CALLS_MAX, emit_c
from ferry.advise.errors import AdviseError
from ferry.advise.runs import Run, find_runs
from ferry.advise.shapes import group_runs
from ferry.advise.strace_parser import parse_lines
from ferry.spec import TYPED
from paths import ROOT

#: shapes of a real trace that are compiled, all of which would take too long
COMPILED_MAX = 24


class Skeleton:
    """Compiles runs; keeps the program of the last one."""

    def __init__(self, folder: Path, library: Path) -> None:
        self.folder = folder
        self.library = library

    def compile(self, run: Run, title: str = "a test") -> None:
        source = self.folder / "skeleton.c"
        source.write_text(emit_c(run, title), encoding="utf-8")
        flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
        libraries = [str(self.library), "-luring", "-pthread"]
        command = ["cc", *flags, "-o", str(self.folder / "skeleton"), str(source), *libraries]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr + source.read_text()

    def run(self) -> list[tuple[str, str]]:
        """Run it; the calls it says it made, with their results."""
        done = subprocess.run([self.folder / "skeleton"], capture_output=True, text=True, timeout=600)
        assert (done.returncode, done.stderr) == (0, "")
        return re.findall(r"^slot \d+: (\w+): (.*)$", done.stdout, re.M)


@pytest.fixture
def skeleton(tmp_path: Path, bin_dir: Path) -> Skeleton:
    library = bin_dir.parent / "lib" / "libferry.a"
    assert library.exists(), f"{library} is not built: run `make build`"
    return Skeleton(tmp_path, library)


def run_of(*lines: str) -> Run:
    (run,) = find_runs(parse_lines(lines)).runs
    return run


def whole_file(path: Path, size: int) -> list[str]:
    return [
        f'openat(AT_FDCWD, "{path}", O_RDONLY|O_CLOEXEC) = 3',
        f'newfstatat(3, "", {{st_mode=S_IFREG|0644, st_size={size}, ...}}, 0x1000 /* AT_EMPTY_PATH */) = 0',
        f"mmap(NULL, {size}, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f0000000000",
        "close(3) = 0",
    ]


def test_the_list_of_typed_builders_is_the_headers() -> None:
    header = (ROOT / "include" / "ferry" / "typed.h").read_text()
    builders = dict(
        re.findall(
            r"^FERRY_INLINE struct batch_value batch_builder_(\w+)\(\n\tstruct batch_builder \*builder(.*)\)$",
            header,
            re.M,
        )
    )
    assert set(builders) == TYPED
    for name in BUILDERS:
        assert builders[name].count(",") == len(signatures.SIGNATURES[name]), name


def test_a_whole_file_is_mapped_whatever_its_size(skeleton: Skeleton, tmp_path: Path) -> None:
    file = tmp_path / "file"
    skeleton.compile(run_of(*whole_file(file, 258), "munmap(0x7f0000000000, 258) = 0"))
    for size in (258, 70_000):
        file.write_bytes(b"x" * size)
        made = skeleton.run()
        assert [name for name, _ in made] == ["openat", "newfstatat", "mmap", "close", "munmap"]
        assert [made[k][1] for k in (1, 3, 4)] == ["0", "0", "0"]
        assert int(made[2][1]) > 0


def test_what_later_calls_need_is_not_skipped(skeleton: Skeleton, tmp_path: Path) -> None:
    file = tmp_path / "file"
    skeleton.compile(run_of(*whole_file(file, 258), "munmap(0x7f0000000000, 258) = 0"))
    assert skeleton.run() == [("openat", "No such file or directory")]
    file.write_bytes(b"")  # no empty file can be mapped
    assert [name for name, _ in skeleton.run()] == ["openat", "newfstatat", "mmap"]


def test_a_failure_goes_to_the_close(skeleton: Skeleton, tmp_path: Path) -> None:
    file = tmp_path / "file"
    skeleton.compile(run_of(*whole_file(file, 258)))
    file.write_bytes(b"")  # no empty file can be mapped
    assert skeleton.run() == [("openat", "3"), ("newfstatat", "0"), ("mmap", "Invalid argument"), ("close", "0")]
    file.unlink()
    assert skeleton.run() == [("openat", "No such file or directory")]


def test_a_search_ends_at_its_first_success(skeleton: Skeleton, tmp_path: Path) -> None:
    places = [tmp_path / name for name in "abc"]
    missing = [f'openat(AT_FDCWD, "{place}", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file)' for place in places[:2]]
    skeleton.compile(run_of(*missing, *whole_file(places[2], 5)))
    for present in (2, 1, 0):
        places[present].write_text("hello")
        made = skeleton.run()
        assert [name for name, _ in made] == ["openat"] * (present + 1) + ["newfstatat", "mmap", "close"]
        assert [value for _, value in made[:present]] == ["No such file or directory"] * present
        assert made[-1] == ("close", "0")
        assert int(made[-2][1]) > 0, "the descriptor that was found is mapped"
    for place in places:
        place.unlink()
    assert skeleton.run() == [("openat", "No such file or directory")] * 3


def test_a_search_that_opens_nothing(skeleton: Skeleton, tmp_path: Path) -> None:
    skeleton.compile(
        run_of(
            f'access("{tmp_path}/a", R_OK) = -1 ENOENT (No such file or directory)',
            f'access("{tmp_path}/b", R_OK) = 0',
            "getuid() = 0",
        )
    )
    (tmp_path / "a").touch()
    assert [name for name, _ in skeleton.run()] == ["access", "getuid"]
    (tmp_path / "a").unlink()
    assert skeleton.run() == [("access", "No such file or directory")] * 2
    (tmp_path / "b").touch()
    assert [name for name, _ in skeleton.run()] == ["access", "access", "getuid"]


def test_an_unexpected_success_ends_the_batch(skeleton: Skeleton, tmp_path: Path) -> None:
    skeleton.compile(run_of(f'access("{tmp_path}/a", F_OK) = -1 ENOENT (No such file)', "getuid() = 0"))
    assert [name for name, _ in skeleton.run()] == ["access", "getuid"]
    (tmp_path / "a").touch()
    assert skeleton.run() == [("access", "0")]


def test_copies_what_it_reads(skeleton: Skeleton, tmp_path: Path) -> None:
    (tmp_path / "from").write_text("some other bytes")
    skeleton.compile(
        run_of(
            f'openat(AT_FDCWD, "{tmp_path}/from", O_RDONLY) = 3',
            'read(3, "text", 4096) = 4',
            f'openat(AT_FDCWD, "{tmp_path}/to", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 4',
            'write(4, "text", 4) = 4',
            "close(3) = 0",
            "close(4) = 0",
        )
    )
    assert [value for _, value in skeleton.run()][3:] == ["16", "0", "0"]
    assert (tmp_path / "to").read_text() == "some other bytes"


@pytest.mark.parametrize("name", ['quote"\\', "new\nline", "??/ ??)", "*/ /*", "é\x7f\x01", "%s%n", "123\x001"[:3]])
def test_hostile_paths(skeleton: Skeleton, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    escaped = "".join(f"\\x{byte:02x}" for byte in str(file).encode())
    skeleton.compile(run_of(f'access("{escaped}", F_OK) = 0', "getuid() = 0"), f"title {name}")
    assert skeleton.run()[0] == ("access", "0")


def test_what_a_trace_does_not_show_is_asked_for(skeleton: Skeleton) -> None:
    run = run_of(
        "rt_sigaction(SIGINT, {sa_handler=0x5500, sa_mask=[], sa_flags=0}, NULL, 8) = 0",
        "fsync(7) = 0",
        "munmap(0x7f1200000000, 4096) = 0",
        'write(1, "only the beginning"..., 5000) = 5000',
        "ioctl(0, SOME_REQUEST, {a=1}) = 0",
    )
    skeleton.compile(run)
    done = subprocess.run([skeleton.folder / "skeleton"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    asked = done.stderr.splitlines()
    assert len(asked) == 6
    assert "(ioctl), argument 1 (strace --const-print-style=verbose gives numbers)" in asked[4]
    for what in ("(rt_sigaction), argument 1", "descriptor_7", "(munmap), argument 0", "(write), argument 1"):
        assert any(what in line for line in asked), what


def test_a_run_too_long_to_read_is_refused() -> None:
    # between two calls of the third kind stand as many of the others as a number has bits: no group comes thrice
    names = [
        name
        for number in range(EMIT_CALLS_MAX)
        for name in (*(["getuid"], ["getgid"])[number.bit_count() % 2], *(["geteuid"] if number % 3 == 0 else []))
    ]
    lines = [f"{name}() = 0" for name in names[:EMIT_CALLS_MAX]]
    assert "for (long k" not in emit_c(run_of(*lines), "")
    with pytest.raises(AdviseError, match="--run: this run has 257 calls, loops counted once"):
        emit_c(run_of(*lines, "getpid() = 1"), "")


def test_identical_calls_are_a_loop(skeleton: Skeleton) -> None:
    count = 2 * EMIT_CALLS_MAX
    run = run_of("getgid() = 0", *["getppid() = 7"] * count, "geteuid() = 0")
    source = emit_c(run, "")
    assert source.count("batch_builder_getppid(") == 1
    assert f"for (long k = 0; k < {count}; k++) {{" in source
    skeleton.compile(run)
    assert [name for name, _ in skeleton.run()] == ["getgid", *["getppid"] * count, "geteuid"]


def test_two_of_a_kind_are_no_loop() -> None:
    assert "for (long k" not in emit_c(run_of("getgid() = 0", "getuid() = 0", "getuid() = 0"), "")


def test_a_loop_has_a_table_of_numbers_and_buffers_of_its_own(skeleton: Skeleton, tmp_path: Path) -> None:
    """Closes of numbers that are no descriptors, and a stat for each of five times."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 77)
    closes = [f"close({number}) = -1 EBADF (Bad file descriptor)" for number in (-1, -5, -9)]
    stats = [f'newfstatat(AT_FDCWD, "{path}", {{st_mode=S_IFREG|0644, st_size=77, ...}}, 0) = 0'] * 5
    run = run_of(*['write(1, "ab", 2) = 2'] * 3, *closes, *stats)
    source = emit_c(run, "")
    assert source.count("for (long k") == 3
    assert "-1, -5, -9," in source
    assert "static struct stat stat_6_2[5];" in source
    assert "&stat_6_2[k]" in source
    assert source.count("static const char bytes_") == 1
    skeleton.compile(run)
    done = skeleton.run()
    # what the calls write comes before what the program says, on the line of its first slot
    assert [name for name, _ in done][-8:] == ["close"] * 3 + ["newfstatat"] * 5
    assert done[-5:] == [("newfstatat", "0")] * 5


def test_a_loop_stops_where_a_call_turns_out_otherwise(skeleton: Skeleton, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    call = f'newfstatat(AT_FDCWD, "{path}", {{st_mode=S_IFREG|0644, st_size=0, ...}}, 0) = 0'
    skeleton.compile(run_of("getuid() = 0", *[call] * 9))
    path.unlink()
    assert [name for name, _ in skeleton.run()] == ["getuid", "newfstatat"]


def test_what_is_fed_or_jumped_to_stays_out_of_loops(skeleton: Skeleton, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 500)
    reads = ['read(3, ""..., 100) = 100'] * 4
    run = run_of(f'openat(AT_FDCWD, "{path}", O_RDONLY) = 3', *reads, "close(3) = 0", *["getuid() = 0"] * 3)
    source = emit_c(run, "")
    assert source.count("for (long k") == 1
    assert source.count("batch_builder_read(") == 4
    skeleton.compile(run)
    done = skeleton.run()
    assert [result for name, result in done if name == "read"] == ["100"] * 4
    assert len(done) == 9


def test_a_call_that_is_fed_is_no_member_of_a_loop(tmp_path: Path) -> None:
    opened = f'openat(AT_FDCWD, "{tmp_path}", O_RDONLY) = 3'
    unfed, fed = "lseek(0, 0, SEEK_CUR) = 0", "lseek(3, 0, SEEK_CUR) = 0"
    assert "for (long k" not in emit_c(run_of(opened, unfed, fed, unfed, unfed), "")
    # nor is one whose failure the others do not share
    failed = "lseek(0, 0, SEEK_CUR) = -1 ESPIPE (Illegal seek)"
    assert "for (long k" not in emit_c(run_of(unfed, failed, unfed, unfed), "")


def test_a_group_of_calls_is_a_loop(skeleton: Skeleton, tmp_path: Path) -> None:
    """Each file opened, asked for its size, read and closed: one body, with tables and buffers for each."""
    sizes = [10 + 3 * number for number in range(40)]
    for number, size in enumerate(sizes):
        (tmp_path / f"file{number}").write_bytes(bytes([number]) * size)
    files = []
    for number, size in enumerate(sizes):
        opened, stat, _, closed = whole_file(tmp_path / f"file{number}", size)
        files += [opened, stat, f'read(3, ""..., 4096) = {size}', closed]
    run = run_of("getuid() = 0", *files, "getgid() = 0")
    source = emit_c(run, "")
    assert source.count("for (long k = 0; k < 40; k++) {") == 1
    assert [source.count(f"batch_builder_{name}(") for name in ("openat", "read", "close")] == [1, 1, 1]
    skeleton.compile(run)
    done = skeleton.run()
    assert [name for name, _ in done] == [call.name for call in run.calls]
    assert [int(result) for name, result in done if name == "read"] == sizes
    # a file that is gone: the others are read all the same
    (tmp_path / "file7").unlink()
    done = skeleton.run()
    assert ("openat", "No such file or directory") in done
    assert [int(result) for name, result in done if name == "read"] == sizes[:7] + sizes[8:]
    assert done[-1][0] == "getgid"


def test_a_group_that_something_singles_out_is_no_loop(skeleton: Skeleton, tmp_path: Path) -> None:
    """A descriptor that is used again behind its group, and a call that comes into one group alone."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 20)
    opened, read, closed = (
        f'openat(AT_FDCWD, "{path}", O_RDONLY) = 3', 'read(3, "x"..., 20) = 20', "close(3) = 0"
    )  # fmt: skip
    kept = [opened, read, opened.replace("= 3", "= 4"), 'read(4, "x"..., 20) = 20', "close(4) = 0"]
    run = run_of(*kept, "close(3) = 0")
    assert "for (long k" not in emit_c(run, "")
    skeleton.compile(run)
    assert [result for name, result in skeleton.run() if name == "read"] == ["20", "20"]
    groups = [opened, read, closed] * 3
    assert emit_c(run_of(*groups), "").count("for (long k") == 1
    for place in range(3):
        other = run_of(*groups[: 3 + place], "getuid() = 0", *groups[3 + place :])
        assert "for (long k" not in emit_c(other, "")
        skeleton.compile(other)
        assert len(skeleton.run()) == 10


def test_a_group_may_take_from_before_the_loop(skeleton: Skeleton, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    opened, turns = f'openat(AT_FDCWD, "{path}", O_RDONLY) = 3', 12
    one = ["lseek(3, 0, SEEK_SET) = 0", 'read(3, "x"..., 10) = 10']
    run = run_of("getgid() = 0", opened, *one * turns, "close(3) = 0", *["getuid() = 0"] * 4)
    source = emit_c(run, "")
    assert source.count("for (long k") == 2
    assert source.count("batch_builder_lseek(") == 1
    skeleton.compile(run)
    done = skeleton.run()
    assert [result for _, result in done[2:-5]] == ["0", "10"] * turns
    # it is no descriptor of a file any more: what needs it is gone past, and the rest is made
    path.unlink()
    path.mkdir()
    assert [name for name, _ in skeleton.run()][-4:] == ["getuid"] * 4


def test_a_loop_asks_once_for_what_is_missing() -> None:
    source = emit_c(run_of(*[f"rt_sigaction({n}, {{sa_handler=0x1}}, NULL, 8) = 0" for n in range(1, 30)]), "")
    assert source.count("in the trace it was") == 1
    assert source.count("batch_builder_rt_sigaction(") == 1 or source.count("__NR_rt_sigaction") == 1


def test_string_literals_hold_any_byte() -> None:
    assert quote(b'a"\\?\n\x00\xff1') == '"a\\"\\\\\\?\\012\\000\\3771"'


def test_every_run_of_a_real_program_compiles(skeleton: Skeleton, real_trace: Path) -> None:
    with real_trace.open(encoding="latin-1", newline="\n") as lines:
        groups = group_runs(find_runs(parse_lines(lines)).runs)
    chosen = [group for group in groups if len(group.example.calls) <= EMIT_CALLS_MAX][:COMPILED_MAX]
    assert len(chosen) >= 5
    for group in chosen:
        skeleton.compile(group.example, group.text())

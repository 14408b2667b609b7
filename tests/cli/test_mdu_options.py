# SPDX-License-Identifier: BSD-3-Clause
"""mdu's options beside GNU du's: which links are followed, what is left out, units, times, operands from a file."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from beside_du import agree, needs_gnu_du, run

pytestmark = needs_gnu_du

#: The names of `mixed` as operands.
OPERANDS = ("a", "e", "a/b", "a/b/2", "e/two", "e/loop", "9")


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Links to files, to directories before and after them, to ancestors, to each other, and to nothing."""
    root = tmp_path_factory.mktemp("linked") / "tree"
    for name in ("b/c", "d/e", "z"):
        (root / name).mkdir(parents=True)
    for index, name in enumerate(("b/1", "b/c/2", "d/e/3", "z/4", "5")):
        (root / name).write_bytes(b"x" * (1 + index * 7001))
    links = {"a": "b", "b/up": "..", "b/c/self": ".", "b/z": "../z", "d/b": "../b", "d/e/d": "..", "z/d": "../d"}
    links |= {"z/file": "../b/1", "file": "5", "zz": "z/4", "dangling": "nowhere", "round": "round", "d/deep": "e/d/e"}
    for name, to in links.items():
        (root / name).symlink_to(to)
    os.link(root / "5", root / "d/five")
    # every directory of these leads to every other: as many paths as 6 factorial
    for index in range(6):
        (root / f"z/m{index}").mkdir()
        (root / f"z/m{index}/file").write_bytes(b"m" * 5000)
    for index in range(6):
        for other in range(6):
            (root / f"z/m{index}/to{other}").symlink_to(f"../m{other}")
    return root


@pytest.mark.parametrize("options", ["-L", "-La", "-Ls", "-Lal", "-Lsl", "-Lc", "-Lx", "-Lb", "-Ld1", "-Lad2", "-LaS"])
def test_links_that_are_followed(mdu: Path, linked: Path, options: str) -> None:
    agree(mdu, [options, "tree"], cwd=linked.parent)
    agree(mdu, [options, "z", "a", "b", "zz", "dangling", "round"], cwd=linked)
    agree(mdu, [options, "--exclude=m[3-5]", "--exclude=b/c", "tree"], cwd=linked.parent)


def test_a_large_tree_of_links(mdu: Path) -> None:
    for options in ("-L", "-Ls", "-La"):
        agree(mdu, [options, "/usr/share/zoneinfo", "/etc/alternatives"])


@pytest.mark.parametrize("option", ["-D", "-H", "-P", "-LD", "-DL", "-DP", "--dereference-args", "--no-dereference"])
def test_operands_that_are_links(mdu: Path, linked: Path, option: str) -> None:
    for options in ("-s", "-a", "-sc"):
        agree(mdu, [option, options, "a", "file", "dangling", "round", "zz", "d/deep", "z/"], cwd=linked)
        agree(mdu, [option, options, "a"], cwd=linked)


WHAT = (
    "-S -aS -sS -Sc -Sd1 -Sl -Sx --separate-dirs --inodes -a?--inodes -s?--inodes -h?--inodes --si?--inodes "
    "-S?--inodes -l?--inodes -BM?--inodes -b?--inodes -t?1 -t?5K -t?-5K -a?-t?5KB -a?-t?-9k -a?-t?010 -t?0x1000 "
    "-t?1K?--inodes -t?3?--inodes?-a -t?-2?--inodes?-a -c?-t?100M -s?-t?100M -t?KB -t?MiB -s?-d0"
)


@pytest.mark.parametrize("options", WHAT.split(" "))
def test_what_is_counted_and_printed(mdu: Path, mixed: Path, options: str) -> None:
    agree(mdu, [*options.split("?"), "mixed"], cwd=mixed.parent)
    agree(mdu, [*options.split("?"), *OPERANDS], cwd=mixed)


UNITS = (
    "1 2 3 1000 1023 1024 4K 5KB K KB KiB kB k g t m M MB MiB G GB GiB T P E 1E 010 0x10 +5 'K '1 'KiB 'human-readable "
    "human si h s hum 1KiB 3MB 18446744073709551615"
)


@pytest.mark.parametrize("unit", UNITS.split(" "))
def test_units(mdu: Path, mixed: Path, unit: str) -> None:
    for options in ("-a", "-ab"):
        agree(mdu, [options, "-B", unit, "mixed"], cwd=mixed.parent)
    agree(mdu, ["-ab", f"--block-size={unit}", "--apparent-size", "mixed"], cwd=mixed.parent)


@pytest.mark.parametrize("options", ["--si", "--si -b", "-h -k", "-BM -h", "-m --si", "-B1K -B5", "-b -BK", "-h -BKB"])
def test_of_several_units_the_last_counts(mdu: Path, mixed: Path, options: str) -> None:
    agree(mdu, ["-a", *options.split(), "mixed"], cwd=mixed.parent)


@pytest.mark.parametrize(
    "environment",
    [
        {"DU_BLOCK_SIZE": "1M"},
        {"BLOCK_SIZE": "KB", "BLOCKSIZE": "1"},
        {"BLOCKSIZE": "human-readable"},
        {"POSIXLY_CORRECT": "1"},
        {"DU_BLOCK_SIZE": "si", "POSIXLY_CORRECT": "1"},
        {"DU_BLOCK_SIZE": "nothing"},
    ],
    ids=str,
)
def test_units_of_the_environment(mdu: Path, mixed: Path, environment: dict[str, str]) -> None:
    for options in ([], ["-k"], ["-h"], ["--apparent-size"]):
        agree(mdu, ["-s", *options, "mixed"], cwd=mixed.parent, environment=environment)


def test_human_sizes_in_powers_of_1000(mdu: Path, tmp_path: Path) -> None:
    names = []
    exact = {factor * 10**exponent for exponent in range(14) for factor in (1, 9, 10, 999)}
    sizes = {size + delta for size in exact for delta in (-1, 0, 1)}
    for size in sorted(size for size in sizes if 0 <= size < 16 * 1024**4 - 4096):
        path = tmp_path / f"s{size}"
        with path.open("wb") as file:
            file.truncate(size)
        names.append(path.name)
    for options in ("--si", "-BKB", "-BMB", "-Bsi"):
        agree(mdu, ["--apparent-size", options, *names], cwd=tmp_path)


def test_sums_beyond_64_bits_are_infinite(mdu: Path) -> None:
    """On a file system that has files of 8 EiB: tmpfs."""
    shm = Path("/dev/shm")
    names = [shm / f"mdu-{os.getpid()}-{index}" for index in range(3)]
    try:
        for name in names:
            with name.open("wb") as file:
                file.truncate(2**63 - 1)
        expected = agree(mdu, ["-bc", *names])
    finally:
        for name in names:
            name.unlink(missing_ok=True)
    assert expected.endswith(b"Infinity\ttotal\n")


# ---- times ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with times of all kinds, before 1970 and after 2038 too."""
    root = tmp_path_factory.mktemp("dated") / "tree"
    times = {"old/1": (-86400 * 365, 5), "old/2": (3, 999_999_999), "new/2": (10, 0)}
    times["new/a/1"] = (2**32 + 7, 120_000_000)
    for name, (seconds, nanoseconds) in times.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
        stamp = seconds * 10**9 + nanoseconds
        os.utime(root / name, ns=(stamp + 3600 * 10**9, stamp))
    for name in ("new/a", "new", "old", "."):
        os.utime(root / name, ns=(10**18, 5 * 10**17 + len(name)))
    return root


STYLES = [
    "full-iso",
    "long-iso",
    "iso",
    "f",
    "+%s.%N",
    "+%a %-d %b %Y %H:%M:%S %:z",
    "+",
    "+%%%n%t%q",
    "+%3N|%-N|%_12N",
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("zone", ["UTC0", "Asia/Kolkata", "America/St_Johns", "ABC-00:00:07", "YYY+0:30"])
def test_times(mdu: Path, dated: Path, style: str, zone: str) -> None:
    for options in (["-a"], ["-s"], ["-aS"], ["-0"], ["-c", "-d1", "--inodes"]):
        agree(
            mdu,
            ["--time", f"--time-style={style}", *options, "tree"],
            cwd=dated.parent,
            environment={"TZ": zone},
        )


ZONES = "+%z|%:z|%::z|%:::z|%_z|%-z|%10z|%_10z|%_:z|%-:z|%2z|%12:z|%_12:::z|%-::z|%0z"


@pytest.mark.parametrize("zone", ["UTC0", "Asia/Kolkata", "America/St_Johns", "ABC-00:00:07", "YYY+0:30", "ZZZ+14"])
def test_zones(mdu: Path, dated: Path, zone: str) -> None:
    agree(mdu, ["--time", f"--time-style={ZONES}", "tree"], cwd=dated.parent, environment={"TZ": zone})


@pytest.mark.parametrize("word", ["atime", "access", "use", "ctime", "status", "a", "c", "s", "u"])
def test_kinds_of_times(mdu: Path, dated: Path, word: str) -> None:
    agree(mdu, [f"--time={word}", "-a", "tree"], cwd=dated.parent)


@pytest.mark.parametrize("style", ["locale", "posix-iso", "posix-posix-long-iso", "+%F\nand more", "full-iso"])
def test_time_style_of_the_environment(mdu: Path, dated: Path, style: str) -> None:
    agree(mdu, ["--time", "tree"], cwd=dated.parent, environment={"TIME_STYLE": style})


# ---- names from files ----------------------------------------------------------------------------------------------


def from_file(mdu: Path, names: Sequence[bytes], folder: Path, options: Sequence[str] = ()) -> None:
    listed = folder / "names"
    listed.write_bytes(b"".join(name + b"\0" for name in names))
    agree(mdu, [*options, "--files0-from=names"], cwd=folder)
    expected = run("du", *options, "--files0-from=-", cwd=folder, input=listed.read_bytes())
    done = run(mdu, *options, "--files0-from=-", cwd=folder, input=listed.read_bytes())
    assert (done.stdout, done.returncode) == (expected.stdout, expected.returncode)


def test_operands_from_a_file(mdu: Path, tmp_path: Path) -> None:
    for name in ("a/b", "c", "new\nline"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(b"x" * 5000)
    os.link(tmp_path / "c/file", tmp_path / "a/linked")
    for options in ([], ["-s"], ["-a"], ["-c"], ["-sl"], ["-L"]):
        from_file(mdu, [b"a", b"c", b"a/b", b"new\nline", b"c//"], tmp_path, options)
        from_file(mdu, [b"a"], tmp_path, options)
    from_file(mdu, [b"a", b"", b"missing", b"c"], tmp_path)
    from_file(mdu, [], tmp_path)
    (tmp_path / "names").write_bytes(b"a\0c")
    agree(mdu, ["--files0-from=names"], cwd=tmp_path)
    agree(mdu, ["--files0-from=missing"], cwd=tmp_path)
    agree(mdu, ["--files0-from=a"], cwd=tmp_path)


def test_a_dash_among_operands_from_standard_input_is_refused(mdu: Path) -> None:
    done = run(mdu, "-s", "--files0-from=-", input=b"-\0")
    expected = run("du", "-s", "--files0-from=-", input=b"-\0")
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout) == (1, b"")
    assert done.stderr == b"m" + expected.stderr


@pytest.mark.parametrize(
    "patterns", [b"b\n", b"*1\n\n  \n[0-9]\n", b"e/two  \t\n", b"\xc3\xbc", b"a\nsp ace\r\n", b"n*\n" * 2000, b""]
)
def test_patterns_from_a_file(mdu: Path, mixed: Path, tmp_path: Path, patterns: bytes) -> None:
    (tmp_path / "patterns").write_bytes(patterns)
    agree(mdu, ["-a", "-X", tmp_path / "patterns", "mixed"], cwd=mixed.parent)
    agree(mdu, ["-a", "--exclude=9", f"--exclude-from={tmp_path / 'patterns'}", "mixed"], cwd=mixed.parent)
    expected = run("du", "-aX-", "mixed", cwd=mixed.parent, input=patterns)
    assert run(mdu, "-aX-", "mixed", cwd=mixed.parent, input=patterns).stdout == expected.stdout


@pytest.mark.parametrize("name", ["missing", "."])
def test_patterns_that_cannot_be_read(mdu: Path, tmp_path: Path, name: str) -> None:
    done = run(mdu, "-X", name, ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(f"mdu: cannot read patterns from '{name}': ".encode())

# SPDX-License-Identifier: BSD-3-Clause
"""Kmeans prints the same with our runtime, with libgomp and in Haskell alone, and what Python computes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

TIMEOUT_S = 900
PROGRAMS = ("kmeans", "kmeans-plain")
FOREIGN = re.compile(r"(OMP|GOMP|OPENBLAS|FERRY)_|LD_")


def run(program: Path, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)} | {"LC_ALL": "C.UTF-8"}
    command = [str(program), *(str(word) for word in arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=clean | variables, timeout=TIMEOUT_S, check=False
    )


def expect(bin_dir: Path, *arguments: object) -> str:
    """Each way of running it prints the same, and this is it."""
    ours = run(bin_dir / "kmeans", *arguments)
    assert (ours.returncode, ours.stderr) == (0, "")
    for other in (
        run(bin_dir / "kmeans", *arguments, LD_PRELOAD="libgomp.so.1"),
        run(bin_dir / "kmeans", *arguments, OMP_DYNAMIC="false", OMP_NUM_THREADS="3"),
        run(bin_dir / "kmeans-plain", *arguments),
    ):
        assert (other.stdout, other.stderr, other.returncode) == (ours.stdout, "", 0)
    return ours.stdout


def clusters_of(points: list[list[float]], count: int, passes_most: int) -> tuple[int, list[list[float]]]:
    """The passes that it takes, and of each cluster its size and its centre's numbers."""
    centres = [points[i * len(points) // count] for i in range(count)]
    sizes = [0] * count
    before: list[int] = []
    for made in range(passes_most):
        chosen = [
            min(range(count), key=lambda k: sum((a - b) ** 2 for a, b in zip(point, centres[k], strict=True)))
            for point in points
        ]
        if chosen == before:
            passes = made + 1
            break
        before = chosen
        for k in range(count):
            members = [point for point, cluster in zip(points, chosen, strict=True) if cluster == k]
            sizes[k] = len(members)
            if members:
                centres[k] = [sum(column) / len(members) for column in zip(*members, strict=True)]
    else:
        passes = passes_most
    order = sorted(range(count), key=lambda k: (-sizes[k], centres[k]))
    return passes, [[sizes[k], *centres[k]] for k in order]


def made(file: Path, *options: object) -> Path:
    script = ROOT / "bench" / "kmeans_points.py"
    subprocess.run([sys.executable, script, file, *(str(word) for word in options)], check=True, timeout=TIMEOUT_S)
    return file


@pytest.mark.parametrize(("count", "passes_most"), [(5, 100), (5, 2), (1, 100), (12, 4)])
def test_clusters_are_what_python_computes(bin_dir: Path, tmp_path: Path, count: int, passes_most: int) -> None:
    file = made(tmp_path / "points.csv", "--points=900", "--width=3", "--clusters=5", "--seed=7")
    points = [[float(word) for word in line.split(",")] for line in file.read_text().splitlines()[1:]]
    passes, clusters = clusters_of(points, count, passes_most)
    printed = expect(bin_dir, "-k", count, "-p", passes_most, file).splitlines()
    assert printed[0] == f"{file}: 900 points, {passes} passes"
    found = [[float(word) for word in line.split()] for line in printed[1:]]
    # half of the last digit printed, and what the order of a sum may change
    assert found == [pytest.approx(cluster, rel=0, abs=0.00005 + 1e-9) for cluster in clusters]


def test_two_files_of_many_blocks_are_clustered_while_the_next_is_parsed(bin_dir: Path, tmp_path: Path) -> None:
    """OpenBLAS waits for all the threads it asked for: this hung when Haskell's threads had made its team smaller."""
    files = [made(tmp_path / f"{seed}", "--points=20000", "--width=16", f"--seed={seed}") for seed in (1, 2, 3)]
    printed = expect(bin_dir, "--clusters=64", "--passes=10", *files)
    assert re.findall(r"^(.*): 20000 points, \d+ passes$", printed, re.M) == [str(file) for file in files]
    assert len(printed.splitlines()) == 3 * 65


def test_numbers_are_read_in_every_form(bin_dir: Path, tmp_path: Path) -> None:
    numbers = ["1", "-2.5", "+.25", "3.", "1e3", "-1.5E-2", "0.30000000000000004", "123456789012345678901234567890e-26"]
    file = tmp_path / "forms"
    file.write_text("# a comment\n\n" + "\t".join(numbers) + "\r\n" + ", ".join(numbers))
    expected = " ".join(["2", *(f"{float(number):.4f}" for number in numbers)])
    assert expect(bin_dir, "-k1", file).splitlines()[1] == expected


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ("1 2\n3\n", ":2: it has 1 numbers, and the first point 2"),
        ("1 2\n\n3 4 5\n", ":3: it has 3 numbers, and the first point 2"),
        ("1 x\n", ":1: 'x' is not a number that can be used"),
        ("1 nan\n", ":1: 'nan' is not a number that can be used"),
        ("1 1e999\n", ":1: '1e999' is not a number that can be used"),
        ("1 1e99999999999999999999\n", ":1: '1e99999999999999999999' is not a number that can be used"),
        ("1 -\n", ":1: '-' is not a number that can be used"),
        ("1 .\n", ":1: '.' is not a number that can be used"),
        ("1\n2\n", ": 2 points are too few for 3 clusters"),
        ("", ": 0 points are too few for 3 clusters"),
    ],
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_file_that_cannot_be_used_is_named_and_the_others_are_clustered(
    bin_dir: Path, tmp_path: Path, program: str, contents: str, message: str
) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    wrong.write_text(contents)
    right.write_text("1\n2\n3\n")
    done = run(bin_dir / program, "-k", 3, wrong, tmp_path / "missing", right)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"{program}: {wrong}{message}",
        f"{program}: {tmp_path}/missing: No such file or directory",
    ]
    assert done.stdout.splitlines() == [f"{right}: 3 points, 2 passes", "1 1.0000", "1 2.0000", "1 3.0000"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bogus"], "unrecognized option `--bogus'"),
        ([], "which files? Give one or more"),
        (["-k", "0", "x"], "--clusters is '0'; give a whole number from 1 to 1000000"),
        (["--passes=many", "x"], "--passes is 'many'; give a whole number from 1 to 1000000"),
    ],
)
def test_a_command_line_that_is_wrong(bin_dir: Path, program: str, arguments: list[str], message: str) -> None:
    done = run(bin_dir / program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{program}: {message}\nTry '{program} --help'.\n"


def test_output_that_cannot_be_written(bin_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "points").write_text("1\n2\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [bin_dir / "kmeans", "-k1", tmp_path / "points"], stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT_S
        )
    assert (done.returncode, done.stderr) == (1, b"kmeans: write error: No space left on device\n")


@pytest.mark.parametrize("program", PROGRAMS)
def test_times_say_how_late_the_progress_thread_was(bin_dir: Path, tmp_path: Path, program: str) -> None:
    file = made(tmp_path / "points", "--points=20000", "--width=8")
    done = run(bin_dir / program, "--times", "-k", 20, file)
    assert re.fullmatch(r"seconds \d+\.\d{3}\npause p50 us \d+\npause p99 us \d+\npause most us \d+\n", done.stderr)


def bound_to(log: Path, library: str) -> set[tuple[str, str]]:
    """(who, symbol) for each symbol that the loader has bound to that library."""
    text = "".join(file.read_text(errors="replace") for file in log.parent.glob(f"{log.name}.*"))
    found = re.findall(r"binding file (\S+) \[0\] to (\S+) \[0\]: normal symbol `(\w+)'", text)
    return {(Path(who).name, symbol) for who, to, symbol in found if Path(to).name.startswith(library)}


@pytest.mark.parametrize("library", ["libferryomp.so", "libgomp.so"])
def test_the_program_and_openblas_run_on_one_runtime(bin_dir: Path, tmp_path: Path, library: str) -> None:
    """On ours as it is linked, and on libgomp where that stands in front: the comparison is what it says."""
    file = made(tmp_path / "points", "--points=4096", "--width=16")
    variables = {"LD_PRELOAD": "libgomp.so.1"} if library == "libgomp.so" else {}
    variables |= {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(tmp_path / "log")}
    # the product of a small matrix would be made by one thread
    done = run(bin_dir / "kmeans", "--clusters=64", file, OMP_NUM_THREADS="2", **variables)
    assert done.returncode == 0, done.stderr
    bound = bound_to(tmp_path / "log", library)
    assert {("kmeans", "GOMP_parallel"), ("libopenblas.so.0", "GOMP_parallel")} <= bound
    other = "libgomp.so" if library == "libferryomp.so" else "libferryomp.so"
    assert not {symbol for _, symbol in bound_to(tmp_path / "log", other) if symbol.startswith(("GOMP_", "omp_"))}

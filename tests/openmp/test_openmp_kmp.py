# SPDX-License-Identifier: BSD-3-Clause
"""Programs of clang run with ours in libomp's place: they print what they print with libomp; one pool for all code."""

from __future__ import annotations

import os
import shutil
import signal
import string
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "kmp"
OURS = BUILD / "lib" / "gomp"
CLANG = shutil.which("clang-14")
LIBOMP = "/usr/lib/llvm-14/lib/libomp.so.5"
pytestmark = [
    pytest.mark.skipif(not CLANG, reason="clang-14 is not installed: scripts/install/deps.sh test"),
    pytest.mark.skipif("SANITIZE" in os.environ, reason="clang's programs are not built with gcc's sanitizers"),
]


def compiled(source: Path, program: Path, *flags: str) -> Path:
    """Compile with clang, C or C++ by the file's name."""
    compiler = "clang++-14" if source.suffix == ".cpp" else "clang-14"
    command: list[str | Path] = [compiler, "-O1", "-fopenmp", "-w", "-o", program, source, "-lm", *flags]
    subprocess.run(command, check=True, timeout=300)
    return program


def output(program: Path, variables: dict[str, str], folder: Path | None = None) -> str:
    """What it prints, with the compiler's own library or the one in a folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_"))}
    environment |= variables
    if folder:
        environment["LD_LIBRARY_PATH"] = str(folder)
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{program} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.parametrize("source", ["regions.c", "tasks.cpp", "names.c"])
def test_a_program_prints_the_same_as_with_libomp(source: str, tmp_path: Path) -> None:
    program = compiled(SOURCES / source, tmp_path / "program")
    for variables in (
        {"OMP_NUM_THREADS": "2"},
        {"OMP_NUM_THREADS": "4", "OMP_CANCELLATION": "true"},
        {"OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "guided,3", "OMP_PROC_BIND": "close"},
    ):
        assert output(program, variables, OURS) == output(program, variables)


@pytest.mark.parametrize("name", ["libgomp.so.1.0.0", "libomp.so.5", "libomp.so", "libiomp5.so", "../libferryomp.so.0"])
def test_every_name_is_of_one_file(name: str) -> None:
    assert (OURS / name).samefile(OURS / "libgomp.so.1"), "a second file would be a second pool"


POOL = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Opens each library by itself and says how many threads the process has after a region of each: one pool has 3. */
int main(int count, char **name)
{
    char line[256];
    int threads = 0;
#pragma omp parallel num_threads(3)
    {}
    for (int i = 1; i < count; i++) {
        void *library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return puts(dlerror()), 1;
        int (*region)(void) = (int (*)(void))dlsym(library, "region");
        if (region)
            printf("region %d\n", region());
    }
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof(line), status))
        sscanf(line, "Threads: %d", &threads);
    printf("threads %d\n", threads);
}
"""
REGION = r"""
#include <omp.h>
int region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_num_threads();
    return sum;
}
"""


class Code:
    """A region that three compilers made, each a library of its own, and programs that open them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "pool.c").write_text(POOL)
        (folder / "region.c").write_text(REGION)
        self.libraries = {
            "gcc": self.library("gcc", "gcc", "libgomp.so.1", "-fopenmp"),
            "clang": self.library("clang", "clang-14", "libomp.so.5", "-fopenmp=libomp"),
            "intel": self.library("intel", "clang-14", "libiomp5.so", "-fopenmp=libiomp5"),
        }

    def library(self, name: str, compiler: str, runtime: str, *flags: str) -> Path:
        """A library that asks for a runtime by the name it has with that compiler."""
        made = self.folder / f"{name}.so"
        subprocess.run(
            [compiler, *flags, "-fPIC", "-c", "-o", made.with_suffix(".o"), "region.c"], cwd=self.folder, check=True
        )
        # as the runtime's name is in it when it is linked with that one
        stub = self.folder / runtime
        versions = "OMP_1.0 { omp_get_num_threads; }; GOMP_4.0 { GOMP_*; }; VERSION { __kmpc_*; };"
        (self.folder / "stub.map").write_text(versions)
        calls = "omp_get_num_threads GOMP_parallel __kmpc_fork_call __kmpc_push_num_threads __kmpc_global_thread_num"
        calls += " __kmpc_reduce_nowait __kmpc_end_reduce_nowait"
        source = "".join(f"void {call}(void) {{}}\n" for call in calls.split())
        linked = [
            "gcc",
            "-shared",
            "-fPIC",
            "-w",
            "-fno-builtin",
            f"-Wl,-soname,{runtime}",
            "-o",
            str(stub),
            "-x",
            "c",
            "-",
        ]
        subprocess.run([*linked, "-Wl,--version-script=stub.map"], input=source, text=True, cwd=self.folder, check=True)
        subprocess.run(["gcc", "-shared", "-o", made, made.with_suffix(".o"), stub], check=True)
        stub.unlink()
        return made

    def program(self, name: str, *flags: str | Path) -> Path:
        """A program that opens libraries."""
        made = self.folder / name
        subprocess.run(["gcc", "-w", "-o", made, self.folder / "pool.c", *flags, "-ldl"], check=True)
        return made

    def threads(self, program: Path, names: list[str | Path], **variables: str) -> str:
        """The last line that a program prints; each library's region has run on three threads before."""
        opened = [self.libraries.get(str(name), Path(name)) for name in names]
        regions = sum(path in self.libraries.values() for path in opened)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_"))}
        done = subprocess.run(
            [program, *opened], env=kept | variables, capture_output=True, text=True, check=False, timeout=60
        )
        *said, last = done.stdout.splitlines() or [""]
        assert said == ["region 9"] * regions, done.stdout + done.stderr
        assert done.stderr == ""
        return last


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Code:
    return Code(tmp_path_factory.mktemp("code"))


ORDERS: tuple[list[str | Path], ...] = (["gcc", "clang", "intel"], ["intel", "clang", "gcc"])


@pytest.mark.parametrize("names", ORDERS)
@pytest.mark.parametrize("flags", [["-fopenmp"], [], [f"-Wl,--no-as-needed,{BUILD}/lib/libferryomp.so.0"]])
def test_code_of_all_compilers_has_one_pool(code: Code, flags: list[str], names: list[str | Path]) -> None:
    """Under a program of gcc, one without OpenMP, and one that is linked with libferryomp, as Haskell's are."""
    program = code.program("program", *flags)
    folders = f"{OURS}:{BUILD / 'lib'}"
    assert code.threads(program, names, LD_LIBRARY_PATH=folders) == "threads 3"
    preloaded = {"LD_PRELOAD": str(OURS / "libiomp5.so"), "LD_LIBRARY_PATH": folders}
    assert code.threads(program, names, **preloaded) == "threads 3"


ARCHIVE = BUILD / "lib" / "libferryomp.a"


@pytest.mark.parametrize(("flags", "threads"), [([str(ARCHIVE)], 5), ([str(ARCHIVE), "-rdynamic"], 3)])
@pytest.mark.parametrize("names", ORDERS)
def test_a_program_with_the_archive_in_it(code: Code, flags: list[str], threads: int, names: list[str | Path]) -> None:
    """Libraries have a runtime and a pool of their own, unless the program exports its own to them."""
    program = code.program("archive", "-fopenmp", *flags, "-pthread", "-lm")
    assert code.threads(program, names, LD_LIBRARY_PATH=str(OURS)) == f"threads {threads}"


@pytest.mark.parametrize("names", ORDERS)
def test_a_file_that_is_opened_by_other_paths_has_one_pool(code: Code, names: list[str | Path], tmp_path: Path) -> None:
    program = code.program("paths")
    (tmp_path / "names").symlink_to(OURS)
    paths: list[str | Path] = [tmp_path / "names" / "libomp.so.5", OURS / "libgomp.so.1", BUILD / "lib/libferryomp.so"]
    assert code.threads(program, [*paths, *names], LD_LIBRARY_PATH=str(OURS)) == "threads 3"
    assert code.threads(program, [*names, *paths], LD_LIBRARY_PATH=str(OURS)) == "threads 3"


@pytest.mark.parametrize("preloaded", ["libgomp.so.1", "libomp.so.5", "libiomp5.so"])
@pytest.mark.parametrize("names", ORDERS)
def test_preloading_any_name_replaces_all(code: Code, names: list[str | Path], preloaded: str, tmp_path: Path) -> None:
    """Each library finds the runtime of its compiler beside it, as in wheels."""
    system = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True).stdout
    shutil.copy(system.strip(), tmp_path / "libgomp.so.1")
    for name in ("libomp.so.5", "libiomp5.so"):
        shutil.copy(LIBOMP, tmp_path / name)
    program = code.program("preloading")
    found = {"LD_LIBRARY_PATH": str(tmp_path)}
    assert code.threads(program, names, **found, KMP_DUPLICATE_LIB_OK="true") != "threads 3", "they share one already"
    assert code.threads(program, names, **found, LD_PRELOAD=str(OURS / preloaded)) == "threads 3"


SHOWN = r"""
#include <omp.h>
int main(void)
{
    int sizes[] = { 1, 4, 4, 2, 2, 3 };
    omp_set_max_active_levels(2);
    omp_set_affinity_format("%L %n %N");
    for (int i = 0; i < 6; i++) {
#pragma omp parallel num_threads(sizes[i])
        {
        }
    }
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
    {
    }
    return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang-14"])
def test_a_thread_is_shown_when_its_values_have_changed(compiler: str, tmp_path: Path) -> None:
    """OMP_DISPLAY_AFFINITY: each thread once per level and size of the team, not only when it is new."""
    (tmp_path / "shown.c").write_text(SHOWN)
    program = tmp_path / "shown"
    subprocess.run([compiler, "-fopenmp", "-o", program, tmp_path / "shown.c"], check=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_"))}
    variables = {"OMP_DISPLAY_AFFINITY": "true", "LD_LIBRARY_PATH": str(OURS)}
    done = subprocess.run([program], env=kept | variables, capture_output=True, text=True, check=True, timeout=60)
    teams = [[1], [4], [2], [3]]
    expected = [f"1 {num} {size}" for (size,) in teams for num in range(size)]
    assert sorted(done.stderr.splitlines()) == sorted([*expected, "1 0 1", "2 0 2", "2 1 2"])


VECTORS = r"""
#include <stdio.h>
#include <string.h>

void __kmpc_dispatch_init_4(void *, int, int, int, int, int, int);
int __kmpc_dispatch_next_4(void *, int, int *, int *, int *, int *);
void __kmpc_for_static_init_4(void *, int, int, int *, int *, int *, int *, int, int);

enum { STATIC_VECTORS = 45, GUIDED_VECTORS = 46, RUNTIME_VECTORS = 47, WIDTH = 4, COUNT = 103 };
static int seen[COUNT], wrong;

static void take(int low, int high)
{
    /* whole vectors, but for the loop's end */
    if (low % WIDTH || ((high + 1) % WIDTH && high != COUNT - 1))
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    for (int i = low; i <= high; i++)
        __atomic_add_fetch(&seen[i], 1, __ATOMIC_RELAXED);
}

static int finish(void)
{
    for (int i = 0; i < COUNT; i++)
        wrong += seen[i] != 1;
    memset(seen, 0, sizeof(seen));
    return wrong;
}

int main(void)
{
    int kinds[] = { STATIC_VECTORS, GUIDED_VECTORS, RUNTIME_VECTORS };

    for (int k = 0; k < 3; k++) {
#pragma omp parallel num_threads(3)
        {
            int last, low, high, step;
            __kmpc_dispatch_init_4(0, 0, kinds[k], 0, COUNT - 1, 1, WIDTH);
            while (__kmpc_dispatch_next_4(0, 0, &last, &low, &high, &step))
                take(low, high);
        }
        printf("%d: %d\n", kinds[k], finish());
    }
#pragma omp parallel num_threads(3)
    {
        int last, low = 0, high = COUNT - 1, step = 1;
        __kmpc_for_static_init_4(0, 0, STATIC_VECTORS, &last, &low, &high, &step, 1, WIDTH);
        if (low <= high)
            take(low, high);
    }
    printf("static: %d\n", finish());
    return 0;
}
"""


@pytest.mark.parametrize("schedule", ["static", "static,2", "dynamic", "guided", "guided,2", "auto"])
def test_chunks_of_simd_loops_are_whole_vectors(schedule: str, tmp_path: Path) -> None:
    (tmp_path / "vectors.c").write_text(VECTORS)
    program = compiled(tmp_path / "vectors.c", tmp_path / "vectors")
    shown = output(program, {"OMP_SCHEDULE": schedule}, OURS)
    assert shown == "45: 0\n46: 0\n47: 0\nstatic: 0\n"


LARGE_CHUNKS = r"""
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 10 };
static int ran[COUNT];

static void take(long at)
{
    /* at once: a loop that comes back to its iterations may do so for ever */
    if (at < 0 || at >= COUNT || __atomic_add_fetch(&ran[at], 1, __ATOMIC_RELAXED) > 1)
        _Exit(1);
}

#define LOOP(type, first, size)                                     \
    do {                                                            \
        long chunk = size;                                          \
        _Pragma("omp parallel for num_threads(4) schedule(static, chunk)") \
        for (type i = first; i < first + COUNT; i++)                \
            take((long)(i - first));                                \
        for (int i = 0; i < COUNT; i++)                             \
            if (ran[i] != 1)                                        \
                return 2;                                           \
            else                                                    \
                ran[i] = 0;                                         \
    } while (0)

void __kmpc_team_static_init_4(void *, int, int *, int *, int *, int *, int, int);

int main(void)
{
    int last, low = INT_MAX - 9, high = INT_MAX, step = 1;

    LOOP(int, 5, 4);
    LOOP(int, 5, COUNT);
    LOOP(int, 5, 1 << 30);
    LOOP(int, 5, INT_MAX);
    LOOP(unsigned, 7, 1 << 30);
    LOOP(long, 3, 1L << 62);
    LOOP(long, 3, LONG_MAX);
    __kmpc_team_static_init_4(0, 0, &last, &low, &high, &step, 1, INT_MAX);
    return low == INT_MAX - 9 && high == INT_MAX && last ? 0 : 3;
}
"""


def test_chunks_may_be_as_large_as_their_type(tmp_path: Path) -> None:
    """Neither the bounds of a thread's first chunk nor what is added to them wraps around to iterations of the loop."""
    (tmp_path / "chunks.c").write_text(LARGE_CHUNKS)
    program = compiled(tmp_path / "chunks.c", tmp_path / "chunks")
    assert output(program, {}, OURS) == ""


INSIDE_A_GROUP = r"""
int main(void)
{
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
#pragma omp parallel num_threads(9)
#pragma omp task in_reduction(+ : sum) if (0)
    sum++;
}
"""


def test_a_task_reduction_is_of_its_own_team(tmp_path: Path) -> None:
    """In a region inside the group it is not in effect, which is said: that region's members have no copies."""
    (tmp_path / "inside.c").write_text(INSIDE_A_GROUP)
    program = compiled(tmp_path / "inside.c", tmp_path / "inside")
    environment = os.environ | {"LD_LIBRARY_PATH": str(OURS)}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (-signal.SIGABRT, "")
    assert "no task reduction is in effect for" in done.stderr


OPENER = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **name)
{
    void *library = dlopen(name[count - 1], RTLD_NOW);
    return library ? ((int (*)(void))dlsym(library, "check"))() : !!puts(dlerror());
}
"""


def unversioned(source: Path, folder: Path) -> Path:
    """A program that opens a library which is linked with no runtime, so that it takes the one that is preloaded."""
    library = compiled(source, folder / "unversioned.o", "-c", "-fPIC")
    subprocess.run(["gcc", "-shared", "-o", folder / "unversioned.so", library], check=True)
    (folder / "opener.c").write_text(OPENER)
    subprocess.run(["gcc", "-w", "-o", folder / "opener", folder / "opener.c", "-ldl"], check=True)
    program = folder / "program"
    program.write_text(f"#!/bin/sh\nexec {folder}/opener {folder}/unversioned.so\n")
    program.chmod(0o755)
    return program


def test_code_that_names_no_version_gets_the_functions_of_llvm(tmp_path: Path) -> None:
    """A library that is linked with no runtime, as MKL's are, finds the one that its process has."""
    program = unversioned(SOURCES / "unversioned.c", tmp_path)
    locks = "lock 40000, guard 1\nlock 80000, guard 1\nevent 1\n"
    sizes = (1, 2, 4, 8, 4, 3, 16, 100)
    stored = string.ascii_lowercase * 4
    objects = [f"object of {size}: torn 0, count 1 {stored[:size]}, beside it 0\n" for size in sizes]
    assert output(program, {"LD_PRELOAD": str(OURS / "libgomp.so.1")}) == locks + "".join(objects)


LISTS = """\
list: 3, inside 2406
list whose last number is of all below: 2, inside 3208
no list: 1, inside 101
strict list: 2, inside 8
a number after a list: 2, inside 2
list of a region of one: 4
and nothing left of it: 1, inside 1
limit 2, threads 2, task 0, task 1
limit behind it: 1
"""
#: The handle of each memory space, and of the predefined allocator in it; 0: there is none.
SPACES = {0: 0, 99: 1, 1: 2, 4: 5, 5: 0, 100: 0}


@pytest.mark.parametrize("cancellation", [False, True])
def test_what_newer_compilers_call(cancellation: bool, tmp_path: Path) -> None:
    """libomp 19 prints the same but for sections of one thread and for lists that nothing takes."""
    program = unversioned(SOURCES / "newer.c", tmp_path)
    said = output(program, {"LD_PRELOAD": str(OURS / "libomp.so.5"), "OMP_CANCELLATION": str(cancellation).lower()})
    conditions = "if(0): 10, level 0\nif(0) without variables: 1\nif(1): 103, level 0\nif(1) without variables: 37\n"
    constructs = [
        f"sections 7 by {n}: wrong 0\nsections 1 by {n}: wrong 0\ncopies by {n}: wrong 0\n" for n in range(1, 5)
    ]
    places = (
        "outside",
        "in a region",
        "in a group",
        "in a cancelled group",
        "behind it",
        "in a loop",
        "behind the loop",
    )
    marked = [(place, int(cancellation and "cancelled" in place)) for place in places]
    status = [f"{place}: 0 0 0 {mark}\n" for place, mark in marked]
    spaces = ["allocator of the default space: 1\n"]
    for space, allocator in SPACES.items():
        same = space if allocator else 0
        of_host = f"{' '.join([str(same)] * 6)}, none 0 0 0, allocator {' '.join([str(allocator)] * 3)}"
        spaces.append(f"space {space}: {of_host}, resources {int(allocator > 0)} {same} 0\n")
    expected = [conditions, *constructs, "sections 0 by 3: wrong 0\n", LISTS, *spaces, *status]
    assert said == "".join(expected)


@pytest.mark.parametrize("severity", ["warning", "fatal"])
def test_a_team_that_is_not_as_strict_num_threads_says(severity: str, tmp_path: Path) -> None:
    """A warning, or the end of the program before the region's body has begun."""
    program = unversioned(SOURCES / "newer.c", tmp_path)
    variables = {"LD_PRELOAD": str(OURS / "libomp.so.5"), "SEVERITY": severity}
    done = subprocess.run(
        [program], env=os.environ | variables, capture_output=True, text=True, check=False, timeout=60
    )
    why = "num_threads(strict: 4) gets 1 threads: as the program says\n"
    if severity == "warning":
        assert (done.returncode, done.stderr) == (0, f"libferryomp: warning: {why}")
        assert done.stdout == "strict: 3\nstrict inside: 1\nstrict of one: 1\n"
    else:
        assert (done.returncode, done.stdout, done.stderr) == (1, "strict: 3\n", f"libferryomp: {why}")

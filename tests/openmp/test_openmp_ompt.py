# SPDX-License-Identifier: BSD-3-Clause
"""Tools (OMPT): how one is found, what it is told by code of GCC and of clang, and a real one, Archer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "ompt"
OURS = BUILD / "lib" / "gomp"
LLVM = Path("/usr/lib/llvm-14/lib")
ARCHER = LLVM / "libarcher.so"
pytestmark = pytest.mark.skipif("SANITIZE" in os.environ, reason="the programs are not built with gcc's sanitizers")
needs_clang = pytest.mark.skipif(not shutil.which("clang-14"), reason="no clang-14: run scripts/install/deps.sh test")
COMPILERS = ["gcc", pytest.param("clang-14", marks=needs_clang)]
HEADERS = f"-I{ROOT / 'include' / 'compat'}"


def compiled(compiler: str, target: Path, *arguments: str | Path) -> Path:
    """Compile with OpenMP."""
    subprocess.run([compiler, "-O1", "-g", "-fopenmp", "-w", "-o", target, *arguments], check=True, timeout=300)
    return target


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tool as a library, which is linked with no runtime."""
    made = tmp_path_factory.mktemp("tool") / "tool.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", HEADERS, "-o", made, SOURCES / "tool.c"], check=True)
    return made


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The program of all constructs by each compiler."""
    folder = tmp_path_factory.mktemp("programs")
    compilers = [name for name in ("gcc", "clang-14") if shutil.which(name)]
    return {name: compiled(name, folder / name, SOURCES / "constructs.c") for name in compilers}


def run(program: Path | str, *arguments: str, library: Path | str = OURS, **variables: str) -> str:
    """Run a program with a runtime; return what it prints, errors included."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_", "TSAN_"))}
    environment = kept | {"LD_LIBRARY_PATH": str(library), "OMP_NUM_THREADS": "3"} | variables
    command = [str(program), *arguments]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300
    )
    assert done.returncode in (0, 66), done.stdout[-4000:]
    return done.stdout


def counts(said: str) -> dict[str, int]:
    """The counts of the tool, which found nothing wrong."""
    assert "\nwrong 0\n" in said, said
    return {name: int(number) for name, number in re.findall(r"^([a-z ]+): (\d+)$", said, re.M)}


# ---- what it is told


#: What libomp 14 does not tell.
CHUNKS = ("chunks", "chunk iterations", "sections", "taskloop parts", "taskloop iterations")

#: What is not the same with libomp: how many threads there are is up to the runtime, and there an untied task begins
#: once more for each of its parts.
MAY_DIFFER = ("thread worker", "thread end", "task begin", *CHUNKS)


@needs_clang
@pytest.mark.parametrize("cancellation", ["false", "true"])
def test_code_of_clang_tells_as_much_as_with_libomp(tool: Path, programs: dict[str, Path], cancellation: str) -> None:
    variables = {"OMP_TOOL_LIBRARIES": str(tool), "OMP_CANCELLATION": cancellation}
    theirs = counts(run(programs["clang-14"], library=LLVM, **variables, TOOL_ONLY_COUNTS="1"))
    ours = counts(run(programs["clang-14"], **variables))
    for told in (ours, theirs):
        told["barrier join"] += told.pop("barrier workshare")
        # which of two threads comes first to a cancelled construct
        told["cancel activated"] += told.pop("cancel detected")
        # whether an event is fulfilled before its task has run
        told["task end"] += told.pop("task detach")
        told["task early"] += told.pop("task late")
    differ = {name: (ours[name], theirs[name]) for name in theirs if ours[name] != theirs[name]}
    # a cancelled region has other barriers there
    barriers = ("barrier join", "waits") if cancellation == "true" else ()
    assert differ.keys() - {*MAY_DIFFER, *barriers} == set(), differ
    assert ours["control"] == 1
    assert ours["thread end"] == ours["thread initial"] + ours["thread worker"]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("threads", ["1", "2", "8"])
def test_what_is_told_fits_together(compiler: str, threads: str, tool: Path, programs: dict[str, Path]) -> None:
    """Begin and end in pairs, inside each other; each task once; the current task and region are the event's."""
    told = counts(run(programs[compiler], "30", OMP_TOOL_LIBRARIES=str(tool), OMP_NUM_THREADS=threads))
    told["task over"] = told["task end"] + told["task detach"]
    for begin, end in (
        ("parallel begin", "parallel end"),
        ("implicit begin", "implicit end"),
        ("initial begin", "initial end"),
        ("task create", "task begin"),
        ("task create", "task over"),
        ("task detach", "task late"),
        ("mutex acquire", "mutex released"),
        ("lock init", "lock destroy"),
    ):
        refused = 30 if begin == "mutex acquire" else 0
        again = told["nest lock again"] if begin == "mutex acquire" else 0
        assert told[begin] - refused - again == told[end], (begin, told)
    assert told["task begin"] > 3000


def test_code_of_gcc_tells_what_calls_the_runtime(tool: Path, programs: dict[str, Path]) -> None:
    told = counts(run(programs["gcc"], OMP_TOOL_LIBRARIES=str(tool)))
    expected = {
        # regions: 3 + 1 + 1 + 2 and 2 of 2; loops: 3 and 3; blocks: 3; locks: 3; tasks: 3 and 1; a sum: 1
        "implicit begin": 11 + 6 + 3 + 3 + 4 + 1,
        "work loop": 12,
        "chunk iterations": 3 * 40 + 9,
        "work sections": 3,
        "sections": 2,
        "work single": 3,
        "work single other": 6,
        "work taskloop": 1,
        "mutex critical": 6,
        "mutex lock": 4,
        "mutex nest lock": 4,
        "nest lock again": 3,
        "mutex ordered": 9,
        "lock init": 2,
        "dependences": 3,
        "dependence items": 4,
        "taskgroup": 2,
    }
    assert {name: told[name] for name in expected} == expected


@needs_clang
def test_parts_of_clangs_loops_are_told(tool: Path, programs: dict[str, Path]) -> None:
    """Of a static loop with chunks, each thread's first: the program finds the others itself."""
    told = counts(run(programs["clang-14"], OMP_TOOL_LIBRARIES=str(tool)))
    dynamic, static = 3 * 40 + 9, 40 + 3 * 3 + 40
    assert told["chunk iterations"] == dynamic + static
    assert (told["sections"], told["taskloop parts"], told["taskloop iterations"]) == (2, 4, 40)


STRICT = r"""
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>

/* What clang makes of taskloop grainsize(strict: 4), which clang 14 does not compile. */
struct task { void *shareds; void *entry; int part; void *first, *second; uint64_t low, high; };
struct task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, struct task *));
void __kmpc_taskloop_5(void *, int, struct task *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, int,
                       void *);

static int run(int number, struct task *task)
{
    for (uint64_t i = task->low; i <= task->high; i++)
        printf(" %d", (int)i);
    return 0;
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
    const ompt_dispatch_chunk_t *chunk = instance.ptr;

    printf(" %d from %d:", (int)chunk->iterations, (int)chunk->start);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

    set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
    return 1;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = { initialize };

    return &result;
}

int main(void)
{
    struct task *task = __kmpc_omp_task_alloc(NULL, 0, 1, sizeof(*task), 0, run);

    task->low = 0;
    task->high = 9;
    __kmpc_taskloop_5(NULL, 0, task, 0, &task->low, &task->high, 1, 0, 1, 4, 1, NULL);
}
"""


@needs_clang
def test_the_last_part_of_a_strict_taskloop_is_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "strict.c").write_text(STRICT)
    program = compiled("clang-14", tmp_path / "strict", "-rdynamic", HEADERS, tmp_path / "strict.c")
    assert run(program) == " 4 from 0: 0 1 2 3 4 from 4: 4 5 6 7 2 from 8: 8 9"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_cancellation_is_told(compiler: str, tool: Path, programs: dict[str, Path]) -> None:
    told = counts(run(programs[compiler], "20", OMP_TOOL_LIBRARIES=str(tool), OMP_CANCELLATION="true"))
    assert 40 <= told["cancel activated"] <= 80


# ---- how it is found


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_tool_in_the_program(compiler: str, tmp_path: Path) -> None:
    """Linked with our runtime, by which the linker exports the program's definition; -rdynamic does so too."""
    sources = (HEADERS, SOURCES / "constructs.c", SOURCES / "tool.c")
    linked = compiled(compiler, tmp_path / "linked", *sources, "-rdynamic")
    assert counts(run(linked))["thread initial"] == 1
    assert counts(run(linked, OMP_TOOL_LIBRARIES="/nowhere.so"))["thread initial"] == 1
    assert "initialize" not in run(linked, OMP_TOOL="disabled")
    named = compiled("gcc", tmp_path / "named", *sources, f"-Wl,--no-as-needed,{BUILD}/lib/libferryomp.so.0")
    assert counts(run(named, LD_LIBRARY_PATH=f"{OURS}:{BUILD / 'lib'}"))["thread initial"] == 1


def test_a_tool_that_is_preloaded(tool: Path, programs: dict[str, Path]) -> None:
    assert counts(run(programs["gcc"], LD_PRELOAD=str(tool)))["thread initial"] == 1


def test_a_tool_in_a_program_with_the_archive(tmp_path: Path) -> None:
    archive = BUILD / "lib" / "libferryomp.a"
    sources = (HEADERS, SOURCES / "constructs.c", SOURCES / "tool.c", archive)
    program = compiled("gcc", tmp_path / "archive", *sources, "-pthread", "-ldl", "-lm")
    assert counts(run(program))["thread initial"] == 1


def test_a_search_that_finds_nothing_is_shown(programs: dict[str, Path]) -> None:
    assert "No OMP tool loaded." in run(programs["gcc"], OMP_TOOL_VERBOSE_INIT="stdout")


def test_the_search_is_shown(tool: Path, programs: dict[str, Path], tmp_path: Path) -> None:
    libraries = f"/nowhere.so:{tool}"
    said = run(programs["gcc"], OMP_TOOL_LIBRARIES=libraries, OMP_TOOL_VERBOSE_INIT="stdout")
    expected = [
        "----- START LOGGING OF TOOL REGISTRATION -----",
        "Search for OMP tool in current address space... Failed.",
        "Searching tool libraries...",
        f"OMP_TOOL_LIBRARIES = {libraries}",
        "Opening /nowhere.so... Failed: /nowhere.so: cannot open shared object file: No such file or directory",
        f"Opening {tool}... Success.",
        f"Searching for ompt_start_tool in {tool}... Success.",
        "Tool was started and is using the OMPT interface.",
        "----- END LOGGING OF TOOL REGISTRATION -----",
    ]
    assert said.splitlines()[: len(expected) + 1] == [*expected, "initialize"]
    log = tmp_path / "log"
    said = run(programs["gcc"], OMP_TOOL_LIBRARIES=libraries, OMP_TOOL_VERBOSE_INIT=str(log))
    assert "LOGGING" not in said
    assert log.read_text().splitlines() == expected


def test_a_tool_that_does_not_want(tool: Path, programs: dict[str, Path]) -> None:
    """One whose start returns nothing is passed over for the next; one whose initialize returns 0 is not used."""
    variables = {"OMP_TOOL_LIBRARIES": str(tool), "OMP_TOOL_VERBOSE_INIT": "stdout"}
    ignored = run(programs["gcc"], **variables, TOOL_IGNORES="1")
    assert "Found but not using the OMPT interface.\nContinuing search..." in ignored
    assert "No OMP tool loaded.\n" in ignored
    assert "thread initial" not in ignored
    declined = run(programs["gcc"], **variables, TOOL_DECLINES="1")
    assert "initialize\n" in declined
    assert "thread initial" not in declined
    disabled = run(programs["gcc"], **variables, OMP_TOOL="disabled")
    assert "LOGGING" not in disabled
    assert "initialize" not in disabled


OPENER = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **name)
{
    void *library = dlopen(name[1], RTLD_NOW);
    int loads = dlerror() != NULL;
    int (*threads)(void) = (int (*)(void))dlsym(library, "omp_get_max_threads");
    printf("%d threads, %d errors\n", threads(), loads + (dlerror() != NULL));
}
"""


def test_the_search_leaves_no_error_behind(tmp_path: Path) -> None:
    """When the library is loaded, and at the first call: a program that asks dlerror() is told of its own calls."""
    (tmp_path / "opener.c").write_text(OPENER)
    program = tmp_path / "opener"
    subprocess.run(["gcc", "-w", "-o", program, tmp_path / "opener.c", "-ldl"], check=True)
    for variables in ({}, {"OMP_TOOL_LIBRARIES": "/nowhere.so"}):
        assert run(program, str(OURS / "libgomp.so.1"), **variables) == "3 threads, 0 errors\n"


# ---- the header


#: Of OpenMP 5.2, and not in the header of LLVM 14.
NEWER = re.compile(r"ompt_(?:dispatch_\w+_chunk|work_loop_\w+|dependence_type_\w+_all_memory)$")
TYPES = ("ompt_data_t", "ompt_frame_t", "ompt_dependence_t", "ompt_start_tool_result_t", "ompt_task_flag_t")


@needs_clang
def test_the_header_has_the_numbers_of_llvms(tmp_path: Path) -> None:
    text = (ROOT / "include" / "compat" / "omp-tools.h").read_text()
    names = [name for name in re.findall(r"^\t(ompt_\w+) = ", text, re.M) if not NEWER.match(name)]
    assert len(names) > 120
    lines = [f'printf("{name} %d\\n", (int){name});' for name in names]
    lines += [f'printf("{name} %zu\\n", sizeof({name}));' for name in TYPES]
    source = tmp_path / "numbers.c"
    source.write_text("#include <omp-tools.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
    printed = []
    for flags in (["-I", str(ROOT / "include" / "compat")], []):
        subprocess.run(["clang-14", "-w", *flags, "-o", tmp_path / "numbers", source], check=True)
        printed.append(subprocess.run([tmp_path / "numbers"], capture_output=True, text=True, check=True).stdout)
    assert printed[0] == printed[1]
    # the same header in C++
    subprocess.run(["g++", "-Wall", "-Werror", HEADERS, "-fsyntax-only", "-x", "c++", source], check=True)


# ---- a real tool


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with and without races, by clang with ThreadSanitizer, which brings Archer."""
    return compiled("clang-14", tmp_path_factory.mktemp("race") / "race", "-fsanitize=thread", SOURCES / "race.c")


def report(program: Path, which: str, library: Path) -> str:
    """What ThreadSanitizer says. Its release 14 wants addresses that do not move."""
    options = "ignore_noninstrumented_modules=1"
    return run("setarch", "-R", str(program), which, LD_LIBRARY_PATH=f"{library}:{LLVM}", TSAN_OPTIONS=options)


needs_archer = pytest.mark.skipif(not ARCHER.exists(), reason="Archer is not installed: scripts/install/deps.sh test")


@needs_clang
@needs_archer
@pytest.mark.parametrize("which", ["threads", "tasks"])
@pytest.mark.parametrize("library", [OURS, LLVM])
def test_archer_finds_a_race(library: Path, which: str, sanitized: Path) -> None:
    said = report(sanitized, which, library)
    assert "WARNING: ThreadSanitizer: data race" in said, said
    assert "race.c:" in said


@needs_clang
@needs_archer
def test_archer_finds_no_race_in_a_right_program(sanitized: Path) -> None:
    """With libomp 14 it sometimes does: task memory that a thread frees and another one fills."""
    assert report(sanitized, "right", OURS).split() == ["20509"] * 3
    shown = run("setarch", "-R", str(sanitized), LD_LIBRARY_PATH=f"{OURS}:{LLVM}", OMP_TOOL_VERBOSE_INIT="stdout")
    assert "Using archer tool." in shown

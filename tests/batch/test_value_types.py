# SPDX-License-Identifier: BSD-3-Clause
"""What the types of <ferry/batch.h> refuse, by each compiler as C and as C++; the rest they take without a word.

A value is a struct so that a slot's index cannot be mistaken for a descriptor: each program of REFUSED compiled without
a warning when builders returned long, and did something else than it says.
"""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from paths import BUILD, ROOT

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"]


@dataclass(frozen=True)
class Compiler:
    """A compiler for one of the two languages."""

    name: str
    standard: str
    suffix: str

    def __str__(self) -> str:
        return f"{self.name}-{self.standard}"

    def run(self, source: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
        assert shutil.which(self.name), f"{self.name} is missing: `make deps-test` installs it"
        command = [self.name, f"-std={self.standard}", f"-I{ROOT / 'include'}", source, *more]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)


C = [Compiler("gcc", "c11", ".c"), Compiler("clang", "c11", ".c"), Compiler("gcc", "gnu17", ".c")]
CPP = [Compiler("g++", "c++17", ".cpp"), Compiler("clang++", "c++17", ".cpp"), Compiler("g++", "c++20", ".cpp")]

#: what is around each statement of REFUSED and TAKEN
FRAME = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <ferry/batch.h>

struct batch_builder b;
struct batch_slot slots[8];
struct batch_value fd;
struct batch_label label = BATCH_LABEL_INIT;
struct stat status;
long rets[8];
char text[8];

void program(void);
void program(void)
{
	%s;
}
"""

#: statement, and what the compilers say: gcc and clang as C, g++ and clang++ as C++
INCOMPATIBLE = (
    "incompatible type",
    "incompatible type",
    "cannot convert|could not convert",
    "no viable conversion|no known conversion|incompatible type",
)
REFUSED = {
    "a result as a number": ("long n = batch_builder_openat(&b, AT_FDCWD, text, O_RDONLY, 0); (void)n", INCOMPATIBLE),
    "a result as an int": ("int n; n = batch_builder_getpid(&b); (void)n", INCOMPATIBLE),
    "a result of a call by number": (
        "long n = batch_builder_call(&b, __NR_getpid, 0, NULL); (void)n",
        INCOMPATIBLE,
    ),
    "a result of an added call": ("long n = batch_builder_add(&b, __NR_getpid); (void)n", INCOMPATIBLE),
    "a value as a descriptor of read(2)": ("(void)!read(fd, text, 8)", ("incompatible type",) * 2 + INCOMPATIBLE[2:]),
    "a value as a descriptor of close(2)": ("close(fd)", INCOMPATIBLE),
    "a value as an index": ("rets[fd] = 0", ("not an integer",) * 2 + ("no match for", "no viable overloaded")),
    "a value in a condition": (
        "if (fd < 0) return",
        ("invalid operands", "invalid operands", "no match for", "invalid operands"),
    ),
    "a cast of a value": (
        "close((int)fd)",
        ("aggregate value used", "operand of type 'struct batch_value'", "invalid cast", "cannot convert"),
    ),
    "an index as a value": ("batch_builder_stop(&b, 0, BATCH_ON_FAIL)", INCOMPATIBLE),
    "an index to jump from": ("batch_builder_jump(&b, 2, BATCH_ON_FAIL, &label)", INCOMPATIBLE),
    "an index to mark": ("batch_builder_may_block(&b, 2)", INCOMPATIBLE),
    "a plain argument where a call is meant": (
        "batch_builder_stop(&b, batch_argument_of(3), BATCH_ON_FAIL)",
        INCOMPATIBLE,
    ),
    "a value by its address": (
        "batch_builder_close(&b, &fd)",
        ("makes integer from", "incompatible pointer to integer", "could not convert|invalid conversion", "no "),
    ),
    "a pointer as a descriptor": (
        "batch_builder_close(&b, text)",
        ("makes integer from", "incompatible pointer to integer", "could not convert|invalid conversion", "no "),
    ),
    "a number as a buffer": (
        "batch_builder_read(&b, fd, 5, 8)",
        (
            "makes pointer from integer",
            "incompatible integer to pointer",
            "cannot convert|could not convert|invalid conversion",
            "no known",
        ),
    ),
    "another struct's address": (
        "batch_builder_fstat(&b, fd, slots)",
        ("incompatible pointer type", "incompatible pointer types", "could not convert|cannot convert", "no known"),
    ),
    "a result of feed": (
        "batch_builder_feed(&b, 0, fd)",
        ("implicit declaration", "implicit declaration|undeclared", "not declared", "undeclared"),
    ),
    "too few arguments": (
        "batch_builder_read(&b, fd, text)",
        ("requires 4 arguments", "too few arguments", "too few arguments|could not convert", "no matching function"),
    ),
    "seven arguments": (
        "batch_builder_add(&b, 0, 1, 2, 3, 4, 5, 6, 7)",
        ("at_most_6", "at_most_6", "at most 6", "at most 6"),
    ),
    "a struct as an argument": (
        "batch_builder_add(&b, 0, status)",
        ("incompatible type", "incompatible type", "no matching function", "no matching function"),
    ),
    "a field that is no whole word": ("batch_builder_load(&b, &status.st_mode)", ("whole word",) * 4),
    "half of a pair": ("int fds[2]; batch_builder_load(&b, &fds[0])", ("whole word",) * 4),
    "a value as what is loaded": (
        "batch_builder_load(&b, fd)",
        ("cannot convert|invalid type argument", "indirection requires pointer", "no matching function", "no matching"),
    ),
}

TAKEN = {
    "a value as each kind of argument": "batch_builder_read(&b, fd, fd, fd)",
    "plain ones": "batch_builder_read(&b, 0, text, sizeof(text))",
    "constants": "batch_builder_mmap(&b, NULL, 4096, 1, 2, -1, 0)",
    "what fits a parameter": "const short s = 3; const char *const p = text; batch_builder_faccessat2(&b, s, p, 4, 0)",
    "a value that is const": "const struct batch_value c = fd; batch_builder_close(&b, c)",
    "an argument made before": "const struct batch_argument a = batch_argument_of(3); batch_builder_close(&b, a)",
    "a call in a call": "batch_builder_close(&b, batch_builder_openat(&b, fd, text, O_RDONLY, 0))",
    "the same call in itself": "batch_builder_dup3(&b, batch_builder_dup3(&b, 1, 5, 0), fd, 0)",
    "an argument that changes something": "int n[2] = { 0, 0 }, *p = n; batch_builder_close(&b, *p++); (void)p",
    "every kind of word": "uint8_t u = 1; size_t z = 2; batch_builder_add(&b, 0, u, z, text, NULL, 1.5, fd)",
    "no argument": "batch_builder_add(&b, __NR_getpid); batch_builder_getpid(&b)",
    "an enumerator": "batch_builder_add(&b, 0, BATCH_ON_ZERO)",
    "what points to const and volatile": "const volatile int v = 0; batch_builder_add(&b, 0, &v)",
    "a whole word": "batch_builder_load(&b, &status.st_size); batch_builder_load(&b, &rets[1])",
    "half of one, asked for by name": "int fds[2]; batch_builder_close(&b, batch_builder_load_word(&b, fds))",
    "a jump": "batch_builder_jump(&b, batch_builder_getpid(&b), BATCH_ON_FAIL, &label)",
    "the result": "rets[0] = batch_value_result(fd, rets) + batch_value_slot(fd)",
    "the slot macros": "slots[0] = scall0(getpid, 0, 0, 0); slots[1] = scall2(wdcpy, BATCH_STOP, 0, 0, rets, rets)",
}


def written(folder: Path, compiler: Compiler, text: str) -> Path:
    source = folder / f"program{compiler.suffix}"
    source.write_text(text)
    return source


@pytest.mark.parametrize("compiler", [*C[:2], *CPP[:2]], ids=str)
@pytest.mark.parametrize("wrong", REFUSED)
def test_wrong_program_is_refused(wrong: str, compiler: Compiler, tmp_path: Path) -> None:
    statement, fragments = REFUSED[wrong]
    fragment = fragments[[*C[:2], *CPP[:2]].index(compiler)]
    # what an older C compiler merely warns of is an error in newer ones, and in these tests
    done = compiler.run(written(tmp_path, compiler, FRAME % statement), "-fsyntax-only", "-Wall", "-Wextra", "-Werror")
    assert done.returncode != 0, f"{compiler} takes {wrong}: {statement}"
    assert any(part in done.stderr for part in fragment.split("|")), done.stderr


@pytest.mark.parametrize("compiler", [*C, *CPP], ids=str)
@pytest.mark.parametrize("right", TAKEN)
def test_right_program_is_taken_without_a_warning(right: str, compiler: Compiler, tmp_path: Path) -> None:
    # the slot macros are compound literals, which ISO C++ does not have; `-Wpedantic` is for what stands in the headers
    done = compiler.run(written(tmp_path, compiler, FRAME % TAKEN[right]), "-fsyntax-only", *STRICT)
    assert done.returncode == 0, done.stderr


#: Writes what each executor gives for one batch, which opens, loads a word of what a call filled in, jumps and fails.
RUN = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <ferry/batch.h>

static struct batch_slot slots[32];
static long rets[32];
static struct stat status;
static char text[64], more[64];

static struct batch_value build(struct batch_builder *b, const char *path)
{
	struct batch_label close_it = BATCH_LABEL_INIT;
	struct batch_value fd, got, size;

	batch_builder_init(b, slots, rets, 32);
	fd = batch_builder_openat(b, AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	batch_builder_stop(b, fd, BATCH_ON_FAIL);
	batch_builder_jump(b, batch_builder_fstat(b, fd, &status), BATCH_ON_FAIL, &close_it);
	size = batch_builder_load(b, &status.st_size);
	batch_builder_jump(b, size, BATCH_ON_FAIL, &close_it);
	got = batch_builder_read(b, fd, text, size);
	batch_builder_add(b, __NR_pread64, fd, more, got, 0);
	batch_builder_label(b, &close_it);
	batch_builder_close(b, fd);
	return got;
}

static int run(const struct batch_executor *executor, const char *path)
{
	struct batch_builder b;
	struct batch_error error;
	struct batch_value got = build(&b, path);
	long last;

	memset(text, 0, sizeof(text));
	memset(more, 0, sizeof(more));
	last = batch_builder_run(&b, executor, &error);
	if (last == -EOPNOTSUPP)
		return printf("%s refuses\n", executor->name) < 0;
	printf("%s %ld %ld", executor->name, last, batch_value_result(got, rets));
	for (size_t i = 0; i < b.count; i++)
		printf(" %ld", rets[i]);
	printf(" %s|%s\n", text, more);
	return 0;
}

int main(int argc, char **argv)
{
	struct batch_auto_executor automatic;
	struct batch_kernel_executor kernel;
	struct batch_uring_executor uring;

	batch_auto_open(&automatic);
	batch_kernel_open(&kernel, NULL);
	batch_uring_open(&uring, 0, NULL);
	for (int i = 1; i < argc; i++)
		if (run(&batch_executor_loop, argv[i]) || run(&automatic.executor, argv[i]) ||
			run(&kernel.executor, argv[i]) || run(&uring.executor, argv[i]))
			return 1;
	batch_uring_close(&uring);
	batch_kernel_close(&kernel);
	batch_auto_close(&automatic);
	return 0;
}
"""


@pytest.mark.parametrize("compiler", [*C, *CPP], ids=str)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_values_mean_the_same_everywhere(level: str, compiler: Compiler, tmp_path: Path) -> None:
    library: list[str | Path] = [BUILD / "lib" / "libferry.a", "-luring", "-pthread"]
    text = f"#define _GNU_SOURCE\n{RUN}" if compiler.suffix == ".c" else RUN
    program = tmp_path / "program"
    done = compiler.run(written(tmp_path, compiler, text), level, *STRICT, "-o", program, *library)
    assert done.returncode == 0, done.stderr
    (tmp_path / "full").write_text("by value")
    (tmp_path / "empty").write_text("")
    paths = [tmp_path / name for name in ("full", "empty", "missing", "")]
    done = subprocess.run([program, *paths], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    told = [[text for _, text in lines[i : i + 4] if text != "refuses"] for i in range(0, 16, 4)]
    assert [len(set(results)) for results in told] == [1, 1, 1, 1], done.stdout
    full, empty, missing, folder = (results[0] for results in told)
    assert full.endswith("by value|by value")
    assert full.startswith("10 8 ")
    assert empty.startswith("10 0 ")
    assert missing.startswith("0 -125 -2 -125 ")
    assert folder.startswith("10 -21 ")

# SPDX-License-Identifier: BSD-3-Clause
"""<linux/batch.h>: programs written for the original's API compile, link with libferry and run unchanged."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from paths import ROOT

INCLUDES = (f"-I{ROOT / 'include' / 'compat'}", f"-I{ROOT / 'include'}")
STRICT = ("-Wall", "-Wextra", "-Werror")
Build = Callable[..., Path]

CHAIN = r"""
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "linux/batch.h"

int main(int argc, char **argv)
{
	struct stat st;
	long r[7] = { 0 };
	long last;
	syscall_t b[7] = {
		scall3(open, -1, 0, 0, argv[1], O_RDONLY, 0),
		scall2(wdcpy, -1, 0, 0, &b[2].arg[0], &r[0]),
		scall2(fstat, -1, 0, 0, 0, &st),
		scall2(wdcpy, -1, 0, 0, &b[5].arg[1], &st.st_size),
		scall2(wdcpy, -1, 0, 0, &b[5].arg[4], &r[0]),
		scall6(mmap, -1, 0, 0, 0, 0, PROT_READ, MAP_SHARED, 0, 0),
		scall0(getuid, 0, 0, 0),
	};

	if (argc != 2)
		return 2;
	last = batch(r, b, 7, 2, 3);
	if (last < 6) {
		printf("%ld %s\n", last, strerror((int)-r[last]));
		return 1;
	}
	printf("%.*s", (int)st.st_size, (char *)r[5]);
	return 0;
}
"""

POSITIONAL = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/stat.h>
#include "linux/batch.h"

int main(int ac, char **av)
{
	int i;
	syscall_t bat[ac - 1];
	struct stat st[ac - 1];
	long rvs[ac - 1];

	for (ac--, av++, i = 0; i < ac; i++)
		bat[i] = (syscall_t){ __NR_lstat, 0, 0, 0, 2, (long)av[i], (long)&st[i] };
	printf("%ld\n", batch(rvs, bat, ac, 0, 0));
	for (i = 0; i < ac; i++)
		printf("%ld %ld\n", rvs[i], rvs[i] ? 0 : (long)st[i].st_size);
	return 0;
}
"""

MEANING = r"""
#include <stdio.h>
#include <string.h>
#include "linux/batch.h"

static long r[4];

static void show(long last)
{
	printf("%ld: %ld %ld %ld %ld\n", last, r[0], r[1], r[2], r[3]);
	r[0] = r[1] = r[2] = r[3] = 77;
}

int main(void)
{
	syscall_t c[4];

	/* the padding is whatever was there */
	memset(c, 0xee, sizeof(c));
	for (int k = 0; k < 4; k++) {
		c[k].nr = __NR_close;
		c[k].jumpFail = c[k].jump0 = c[k].jumpPos = 0;
		c[k].argc = 1;
		c[k].arg[0] = -1;
	}
	errno = 123;
	show(batch(r, c, 0, 0, 0));
	show(batchE(r, c, 0, 0, 0));
	show(batch(r, c, 4, 0, 0));
	c[0].jumpFail = -5;
	show(batch(r, c, 4, 0, 0));
	c[0].jumpFail = 1000;
	show(batchE(r, c, 4, 0, 0));
	c[0].jumpFail = 2;
	show(batch(r, c, 4, -1, -1));
	c[0].jumpFail = 0;
	c[0].nr = __NR_batch;
	c[1].nr = __NR_fork;
	c[2].nr = -1;
	c[3] = scall2(wdcpy, 0, 0, 0, 8, &r[0]);
	show(batch(r, c, 4, 0, 0));
	show(batch(NULL, c, 4, 0, 0));
	show(batch(r, NULL, 4, 0, 0));
	printf("errno %d, slot %zu bytes, arg at %zu\n", errno, sizeof(c[0]), __builtin_offsetof(syscall_t, arg));
	return 0;
}
"""

#: A program that plays with words the header uses, as the original's dispatch benchmark did.
TRICKS = r"""
#include <stdio.h>
#include <unistd.h>
#define syscall(n, ...) 0
#define inline
#include "linux/batch.h"

int main(void)
{
	syscall_t one = { __NR_getpid };
	long r = 0;

	batch(&r, &one, 1, 0, 0);
	printf("%d\n", r == getpid());
	return 0;
}
"""

THREADS = r"""
#include <pthread.h>
#include "linux/batch.h"

static void *work(void *unused)
{
	syscall_t one = scall0(getpid, 0, 0, 0);
	long r;

	for (int k = 0; k < 1000; k++)
		if (batch(&r, &one, 1, 0, 0) != 0 || r != getpid())
			return unused;
	return 0;
}

int main(void)
{
	pthread_t threads[8];
	void *failed;
	int count = 0;

	for (int k = 0; k < 8; k++)
		pthread_create(&threads[k], 0, work, &failed);
	for (int k = 0; k < 8; k++) {
		pthread_join(threads[k], &failed);
		count += failed != 0;
	}
	return count;
}
"""


@pytest.fixture
def build(tmp_path: Path, bin_dir: Path) -> Build:
    def inner(text: str, compiler: str = "cc", *flags: str, shared: bool = False, variant: str = "") -> Path:
        source = tmp_path / ("program.cc" if compiler == "c++" else "program.c")
        source.write_text(text)
        program = tmp_path / "program"
        lib = bin_dir.parent / variant / "lib"
        link = [f"-L{lib}", "-lferry", f"-Wl,-rpath,{lib}"] if shared else [str(lib / "libferry.a"), "-luring"]
        subprocess.run([compiler, *INCLUDES, *flags, "-o", program, source, *link, "-pthread"], check=True)
        return program

    return inner


def run(program: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, env={"PATH": "/usr/bin"} | environment, timeout=600
    )


@pytest.mark.parametrize("compiler", ["cc", "c++"])
@pytest.mark.parametrize("shared", [False, True])
def test_a_chain_of_word_copies(build: Build, tmp_path: Path, compiler: str, shared: bool) -> None:
    program = build(CHAIN, compiler, *STRICT, shared=shared)
    (tmp_path / "file").write_text("what the file says\n")
    done = run(program, tmp_path / "file")
    assert (done.returncode, done.stdout, done.stderr) == (0, "what the file says\n", "")
    done = run(program, tmp_path / "missing")
    assert (done.returncode, done.stdout) == (1, "0 No such file or directory\n")


def test_positional_initialisers(build: Build, tmp_path: Path) -> None:
    (tmp_path / "five").write_text("12345")
    done = run(build(POSITIONAL), tmp_path / "five", tmp_path / "missing", tmp_path / "five")
    assert done.stdout == "2\n0 5\n-2 0\n0 5\n"


def test_batches_mean_what_they_mean_everywhere(build: Build) -> None:
    assert run(build(MEANING, "cc", *STRICT)).stdout.splitlines() == [
        "0: 0 0 0 0",
        "0: 77 77 77 77",
        "3: -9 -9 -9 -9",
        "0: -9 77 77 77",
        "0: -9 77 77 77",
        "3: -9 77 77 -9",
        "3: -38 -38 -38 -14",
        "-14: 77 77 77 77",
        "-14: 77 77 77 77",
        "errno 123, slot 64 bytes, arg at 16",
    ]


@pytest.mark.parametrize("environment", [{"BATCH_VERBOSE": "1"}, {"BATCH_VERBOSE": "", "BATCH_EMUL": "1"}])
def test_verbose_says_once_what_runs_batches(build: Build, environment: dict[str, str]) -> None:
    program = build(THREADS, "cc", *STRICT)
    done = run(program, **environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "sys_batch Emul\n")
    assert run(program, BATCH_EMUL="1").stderr == ""


@pytest.mark.parametrize(("variant", "sanitizer"), [("thread", "thread"), ("address", "address,undefined")])
def test_threads_choose_the_executor_once(build: Build, variant: str, sanitizer: str) -> None:
    program = build(THREADS, "cc", "-g", f"-fsanitize={sanitizer}", variant=variant)
    done = run(program, BATCH_VERBOSE="1", TSAN_OPTIONS="exitcode=99", ASAN_OPTIONS="exitcode=99")
    assert (done.returncode, done.stderr) == (0, "sys_batch Emul\n")


def test_words_of_the_header_may_be_macros(build: Build) -> None:
    assert run(build(TRICKS)).stdout == "1\n"


def test_both_headers_in_one_file_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "both.c"
    source.write_text("#include <ferry/batch.h>\n#include <linux/batch.h>\n")
    done = subprocess.run(["cc", *INCLUDES, "-fsyntax-only", source], capture_output=True, text=True)
    assert done.returncode != 0
    assert "include one of them in each source file" in done.stderr


def test_the_library_exports_no_name_as_short_as_the_originals(bin_dir: Path) -> None:
    library = bin_dir.parent / "lib" / "libferry.so"
    done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    names = {line.split()[2].partition("@")[0] for line in done.stdout.splitlines()}
    assert names & {"batch", "batchE", "syscall"} == set()
    assert {"batch_compat_run", "batch_compat_emulate"} <= names

# SPDX-License-Identifier: BSD-3-Clause
"""Random C functions of system calls and branches, for the compiler plugin's differential tests.

Usage: programs.py SEED COUNT, which prints a file of COUNT functions.

A file has many functions, each run once by its main. What a function does depends on its seed alone: it opens, reads,
writes and closes a few files, uses results as arguments, branches on them, looks at errno, memory and fields that calls
have written, stores between calls, and repeats. Descriptors are below 100; what main prints goes to descriptor 200.
"""

import random
import sys

HEAD = """\
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static char shared[256];
static long counter;
static long *volatile hidden = &counter;
"""
PATHS = ("a", "b", "c", "d", "d/e", "missing/f", "")
FLAGS = ("O_RDONLY", "O_RDWR", "O_RDWR | O_CREAT", "O_WRONLY | O_TRUNC", "O_RDONLY | O_DIRECTORY", "O_CREAT | O_EXCL")
TESTS = ("< 0", "== -1", ">= 0", "!= -1", "== 0", "> 0", "!= 0", "<= 0", "< 1", ">= 1", "== 3", "> 5")
#: Deepest nesting of branches.
DEPTH_MAX = 3


class Function:
    """One random function: `lines` is its text."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.rng = rng
        self.lines = [
            f"__attribute__((noinline)) static void {name}(const char *path, int fd, long n)",
            "{",
            "\tstruct stat st = { 0 };",
            "\tchar buffer[64] = { 0 };",
            "\tint pair[2] = { -1, -1 };",
            "\tunsigned long seen = 0;",
            "\tlong word = 0;",
            "\tvoid *map = MAP_FAILED;",
            "\terrno = 0;",
        ]
        self.results: list[str] = []
        self.count = 0
        self.block(1, rng.randint(4, 9))
        self.lines += ["end:", '\tdprintf(200, "%lu %d %ld %d\\n", seen, errno, word, buffer[3]);', "}", ""]

    def add(self, depth: int, text: str) -> None:
        """One line, indented."""
        self.lines.append("\t" * depth + text)

    def fd(self) -> str:
        """A descriptor: a parameter, a result in scope, or a number."""
        return self.rng.choice(["fd", *self.results, *self.results[-2:], *self.results[-1:] * 3, "9"])

    def bytes(self) -> str:
        """A count of bytes that no buffer is too short for."""
        return self.rng.choice(["8", "17", "n", "64"])

    def path(self) -> str:
        """A path, a known one or the parameter."""
        return self.rng.choice(["path", *(f'"{path}"' for path in PATHS[:5]), *(f'"{path}"' for path in PATHS)])

    def call(self) -> str:
        """A system call."""
        rng, buffer = self.rng, self.rng.choice(["buffer", "buffer", "shared", "(char *)&word"])
        count = "8" if buffer.startswith("(") else self.bytes()
        size = rng.choice(["st.st_size", "16", "n", *self.results[-1:]])
        return rng.choice(
            [
                f"open({self.path()}, {rng.choice(FLAGS)}, 0600)",
                f"open({self.path()}, O_RDONLY)",
                f"openat(AT_FDCWD, {self.path()}, O_RDWR | O_CREAT, 0644)",
                f"read({self.fd()}, {buffer}, {count})",
                f"read({self.fd()}, {buffer}, {count})",
                f"write({self.fd()}, {buffer}, {count})",
                f"pread({self.fd()}, {buffer}, {count}, {rng.choice(['0', 'word & 15', '4'])})",
                f"pwrite({self.fd()}, {buffer}, {count}, 4)",
                f"close({self.fd()})",
                f"close({self.fd()})",
                f"lseek({self.fd()}, {rng.choice(['0', '5', 'n'])}, {rng.choice(['SEEK_SET', 'SEEK_END'])})",
                f"fstat({self.fd()}, &st)",
                f"fstat({self.fd()}, &st)",
                f"{rng.choice(['stat', 'lstat'])}({self.path()}, &st)",
                f"ftruncate({self.fd()}, {size})",
                f"dup({self.fd()})",
                f"access({self.path()}, R_OK)",
                f"unlink({self.path()})",
                f"mkdir({self.path()}, 0700)",
                f"rename({self.path()}, {self.path()})",
                "pipe2(pair, O_NONBLOCK)",
                f"umask({rng.choice(['022', '077'])})",
                f"syscall(SYS_close, {self.fd()})",
                f"(map = mmap(NULL, {size}, PROT_READ, MAP_PRIVATE, {self.fd()}, 0)) == MAP_FAILED ? -1 : 0",
            ]
        )

    def between(self, depth: int) -> None:
        """Something that is no system call."""
        rng = self.rng
        result = rng.choice([*self.results, "n"])
        self.add(
            depth,
            rng.choice(
                [
                    f"seen = seen * 31 + {result};",
                    "seen += errno;",
                    "seen += buffer[2];",
                    "seen ^= st.st_size;",
                    f"buffer[1] = (char){result};",
                    "shared[3] = buffer[0];",
                    "*hidden += 1;",
                    "counter += word;",
                    "word += 1;",
                    "n = n > 40 ? 3 : n + 1;",
                    "fd = pair[0];",
                    "errno = 0;",
                    "path += path[0] != 0 && path[1] != '/';",
                ]
            ),
        )

    def block(self, depth: int, size: int) -> None:
        """Some statements, and the results that they declare."""
        known = len(self.results)
        for _ in range(size):
            kind = self.rng.random()
            if kind < 0.55 or not self.results:
                name = f"r{self.count}"
                self.count += 1
                kept = self.rng.random() < 0.85
                self.add(
                    depth,
                    f"{self.rng.choice(['int', 'long'])} {name} = {self.call()};"
                    if kept
                    else f"(void)!({self.call()});",
                )
                if kept:
                    self.results.append(name)
            elif kind < 0.8 and depth <= DEPTH_MAX:
                self.branch(depth)
            elif kind < 0.84 and depth <= DEPTH_MAX:
                index = f"k{depth}"
                self.add(depth, f"for (int {index} = 0; {index} < {self.rng.choice((2, 3, 6))}; {index}++) {{")
                self.results.append(f"({index} + 3)")
                self.block(depth + 1, 2)
                self.results.pop()
                self.add(depth, "}")
            else:
                self.between(depth)
        del self.results[known:]

    def branch(self, depth: int) -> None:
        """An if, mostly on the last result."""
        result = self.rng.choice([*self.results, *self.results[-1:] * 4])
        self.add(depth, f"if ({result} {self.rng.choice(TESTS)}) {{")
        if self.rng.random() < 0.25:
            self.add(depth + 1, "goto end;")
        else:
            self.block(depth + 1, self.rng.randint(1, 3))
        if self.rng.random() < 0.5:
            self.add(depth, "} else {")
            self.block(depth + 1, self.rng.randint(1, 3))
        self.add(depth, "}")


def source(seed: int, count: int) -> str:
    """A file of `count` functions."""
    rng = random.Random(seed)
    names = [f"program_{number}" for number in range(count)]
    functions = ["\n".join(Function(name, rng).lines) for name in names]
    calls = [
        f'\t{name}("{rng.choice(PATHS)}", {rng.choice((-1, 3, 4, 5))}, {rng.choice((0, 1, 8, 30))});' for name in names
    ]
    main = ["int main(void)", "{", "\tsignal(SIGPIPE, SIG_IGN);", "\tif (dup2(1, 200) < 0)", "\t\treturn 1;"]
    for call in calls:
        main += [call, "\tclose_range(3, 99, 0);"]
    return "\n".join([HEAD, *functions, *main, "\treturn 0;", "}", ""])


if __name__ == "__main__":
    print(source(int(sys.argv[1]), int(sys.argv[2])), end="")

# SPDX-License-Identifier: BSD-3-Clause
"""What the core's objects need from outside: build, verify and run never allocate and never touch errno.

A call that is not in an object cannot be made by it, so the symbols it leaves undefined are a proof. verify.c may need
nothing but the reasons, because a kernel builds it too.
"""

import subprocess
from pathlib import Path

import pytest
from paths import BUILD

#: compilers may call these for copies of structs
COPIES = {"memcpy", "memmove", "memset"}
STACK = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}
OBJECTS = {
    "build.o": COPIES,
    "error.o": {"snprintf", "__snprintf_chk", "strerrordesc_np"},
    "result.o": set(),
    "run.o": COPIES,
    "verify.o": set(),
    "exec/call.o": COPIES,
    "exec/loop.o": COPIES,
    "exec/null.o": COPIES,
    "exec/uring_plan.o": COPIES,
    # a ring that a filter has made useless is closed
    "exec/uring_wave.o": COPIES | {"io_uring_submit_and_wait", "io_uring_queue_exit"},
    "exec/word_copy.o": COPIES,
}


def undefined(object_file: Path) -> set[str]:
    """The names that the object leaves to others, without the library's own."""
    done = subprocess.run(["nm", "-u", str(object_file)], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in done.stdout.splitlines()}
    return {name for name in names if not name.startswith("batch_")} - STACK


@pytest.mark.parametrize("name", OBJECTS)
def test_object_needs_nothing_else(name: str) -> None:
    assert undefined(BUILD / "obj" / "src" / "batch" / name) <= OBJECTS[name]


def test_an_allocation_and_errno_are_seen(tmp_path: Path) -> None:
    source = tmp_path / "bad.c"
    source.write_text("#include <errno.h>\n#include <stdlib.h>\nvoid *bad(void) { errno = 1; return malloc(7); }\n")
    subprocess.run(["cc", "-c", str(source), "-o", str(tmp_path / "bad.o")], check=True)
    assert {"malloc", "__errno_location"} <= undefined(tmp_path / "bad.o")


def test_the_shared_library_exports_only_public_names() -> None:
    library = BUILD / "lib" / "libferry.so"
    done = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}
    assert {"batch_run", "batch_verify", "batch_builder_read", "ferry_version"} <= names
    assert {name for name in names if not name.startswith(("batch_", "walk_", "ferry_", "FERRY_"))} == set()
    assert {name for name in names if name.startswith(("batch__", "walk__"))} == set()

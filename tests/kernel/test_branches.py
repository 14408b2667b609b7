# SPDX-License-Identifier: BSD-3-Clause
"""What is read in a module's code about tracked indirect branches: small modules that would fault, and a good one.

They are compiled here, with the sections that the kernel's objtool would add written by hand.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from vm.branches import judge
from vm.say import VmError

GOOD = """
#define section(name) __attribute__((section(name), used))
long batch_call_nothing(long nr) { return nr; }
section(".data") struct { void *function; long sites; } __SCK__batch_dispatch = { batch_call_nothing, 0 };
__asm__(".pushsection .static_call.text, \\"ax\\"\\n"
    ".globl __SCT__batch_dispatch\\n.type __SCT__batch_dispatch, @function\\n"
    "__SCT__batch_dispatch: .byte 0xe9\\n.long batch_call_nothing - 4 - .\\n.popsection\\n"
    ".pushsection .ibt_endbr_seal, \\"a\\"\\n.long SEALED - .\\n.popsection\\n");
long SITE_FUNCTION(void)
{
    __asm__ volatile("1: " CALL "\\n.pushsection .static_call_sites, \\"aw\\"\\n"
             ".long 1b - ., __SCK__batch_dispatch - .\\n.popsection" ::: "memory");
    return 0;
}
long batch_core_run(void) { return SITE_FUNCTION(); }
ATTRIBUTE long batch_ioctl(void) { return batch_core_run(); }
section(".data") void *operations[] = { batch_ioctl };
void *table;
long OTHER(long nr) { return ((long (*)(long))table)(nr) + 1; }
"""
NAMES = {
    "SEALED": "batch_core_run",
    "CALL": '"call __SCT__batch_dispatch"',
    "ATTRIBUTE": "",
    "OTHER": "batch_call_table",
    "SITE_FUNCTION": "batch_dispatches",
}


def failed(folder: Path, **changes: str) -> list[str]:
    if not shutil.which("gcc"):
        pytest.skip("gcc compiles what is read")
    options = [f"-D{name}={value}" for name, value in (NAMES | changes).items() if name != "SEALED"]
    source = folder / "module.c"
    source.write_text(GOOD.replace("SEALED", (NAMES | changes)["SEALED"]))
    built = folder / "module.o"
    compiler = ["gcc", "-c", "-O1", "-fcf-protection=branch", "-fno-pic", "-mcmodel=kernel", "-fno-inline", *options]
    subprocess.run([*compiler, source, "-o", built], check=True)
    return [result.name.removeprefix("branches: ") for result in judge(built) if result.status != "ok"]


def test_a_module_that_may_run(tmp_path: Path) -> None:
    assert failed(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"CALL": '"call *__SCK__batch_dispatch"'}, "the dispatcher is called directly"),
        ({"OTHER": "batch_query"}, "nothing else is called through a pointer"),
        ({"ATTRIBUTE": "__attribute__((nocf_check))"}, "whatever has its address taken begins with ENDBR"),
        ({"SEALED": "batch_ioctl"}, "whatever has its address taken begins with ENDBR"),
    ],
)
def test_one_that_would_fault(change: dict[str, str], what: str, tmp_path: Path) -> None:
    assert what in failed(tmp_path, **change)


def test_what_was_not_built_for_it_is_refused(tmp_path: Path) -> None:
    built = tmp_path / "plain.o"
    subprocess.run(["gcc", "-c", "-x", "c", "-o", built, "-"], input="int x;", text=True, check=True)
    with pytest.raises(VmError, match="not built with CONFIG_X86_KERNEL_IBT"):
        judge(built)

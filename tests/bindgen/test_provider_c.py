# SPDX-License-Identifier: BSD-3-Clause
"""`ferry bindgen --provider c`: a library's first form builds and answers, its author's files stay, and mistakes are
refused by the compiler or the linker, by name."""

import re
import subprocess
from pathlib import Path

import pytest
from bindgen.test_generate import ECHO, bindgen
from native import make
from paths import BUILD, ROOT

#: A host that creates a context, and calls a method that nobody has written.
HOST = """
#include <stdio.h>
#include "echo.h"
int main(void)
{
	struct echo_create_reply created;
	struct echo_maybe_reply reply;
	struct echo_option_string nothing = { 0 };
	ingress_token context;

	if (echo_create(NULL, ferry_string("hi "), INGRESS_FOREVER, &context, &created))
		return 1;
	echo_create_reply_free(&created);
	if (echo_maybe(context, nothing, INGRESS_FOREVER, &reply) != INGRESS_FAILED)
		return 2;
	puts(reply.message.data);
	echo_maybe_reply_free(&reply);
	return (int)echo_destroy(context, INGRESS_FOREVER);
}
"""
#: What an author does wrong -> what is said of it.
MISTAKES = {
    "a method is missing": (r"\n/\* Read on.*?\n}\n", "", r"undefined reference to `echo_read'"),
    "a method is misspelt": (r"void echo_read\(", "void echo_reed(", r"undefined reference to `echo_read'"),
    "parameters of another method": (
        r"(echo_read_call \*call, const struct )echo_read_params",
        r"\1echo_open_params",
        r"conflicting types for .echo_read.",
    ),
    "the answer of another method": (
        r"echo_read_fail\(call",
        "echo_open_fail(call",
        r"from incompatible pointer type|incompatible pointer types",
    ),
    "a result of another type": (
        r'echo_read_fail\(call, ferry_string\("[^"]*"\)\)',
        "echo_read_answer(call, 5)",
        r"incompatible type for argument 2 of .echo_read_answer.",
    ),
    "the free function of a handle is missing": (
        r"void echo_reader_free.*?\n}\n",
        "",
        r"undefined reference to `echo_reader_free'",
    ),
}


def environment(pkgconfig: Path) -> dict[str, str]:
    pkgconfig.mkdir()
    (pkgconfig / "ferryingress.pc").write_text(
        f"Name: ferryingress\nDescription: of a build tree\nVersion: 0\nCflags: -I{ROOT}/include\n"
        f"Libs: -L{BUILD}/lib -lferryingress\n"
    )
    return {"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(pkgconfig), "LD_LIBRARY_PATH": f"{BUILD}/lib"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library as it is written first, and the environment in which it is built."""
    make(BUILD, BUILD / "lib/libferryingress.so")
    folder = tmp_path_factory.mktemp("library") / "echo"
    done = bindgen(ECHO, "--provider", "c", "--out", folder)
    assert done.returncode == 0, done.stderr
    assert {Path(line) for line in done.stdout.splitlines()} == {
        folder / path
        for path in (
            "echo.c", "Makefile", "generated/echo_types.h", "generated/echo_cbor.h", "generated/echo_c.h",
            "generated/echo_provider.h", "generated/echo_provider.c",
        )
    }  # fmt: skip
    return folder


def build(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    pkgconfig = folder.parent / "pkgconfig"
    variables = environment(pkgconfig) if not pkgconfig.exists() else {}
    variables |= {"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(pkgconfig), "LC_ALL": "C"}
    return subprocess.run(
        ["make", "-C", folder, "CFLAGS=-O0 -Wall -Wextra -Werror"],
        capture_output=True,
        text=True,
        env=variables | more,
        timeout=300,
        check=False,
    )


def test_the_first_form_builds_and_answers(library: Path, tmp_path: Path) -> None:
    done = build(library)
    assert done.returncode == 0, done.stderr
    host = tmp_path / "host.c"
    host.write_text(HOST)
    assert bindgen(ECHO, "--lang", "c", "--out", tmp_path).returncode == 0
    subprocess.run(
        ["gcc", "-std=gnu11", host, "-o", tmp_path / "host", f"-I{tmp_path}/include", f"-I{ROOT}/include",
         f"-L{library}", "-lecho", f"-L{BUILD}/lib", "-lferryingress"],
        check=True, timeout=300,
    )  # fmt: skip
    said = subprocess.run(
        [tmp_path / "host"],
        capture_output=True,
        text=True,
        env={"LD_LIBRARY_PATH": f"{library}:{BUILD}/lib"},
        timeout=60,
    )
    assert (said.returncode, said.stdout) == (0, "maybe is not written yet\n")


def test_the_authors_files_stay(library: Path) -> None:
    source, header = library / "echo.c", library / "generated/echo_provider.h"
    before = source.read_text()
    source.write_text(before + "/* mine */\n")
    header.write_text("old\n")
    try:
        checked = bindgen(ECHO, "--provider", "c", "--out", library, "--check")
        assert checked.returncode == 1
        assert f"{header}: differs" in checked.stderr
        assert "echo.c" not in checked.stderr
        assert f"--provider c --out {library}" in checked.stderr
        done = bindgen(ECHO, "--provider", "c", "--out", library)
        assert done.returncode == 0
        assert str(source) not in done.stdout
        assert source.read_text().endswith("/* mine */\n")
        assert bindgen(ECHO, "--provider", "c", "--out", library, "--check").returncode == 0
    finally:
        source.write_text(before)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(library: Path, mistake: str) -> None:
    pattern, instead, said = MISTAKES[mistake]
    source = library / "echo.c"
    before = source.read_text()
    wrong = re.sub(pattern, instead, before, count=1, flags=re.S)
    assert wrong != before
    source.write_text(wrong)
    try:
        done = build(library)
    finally:
        source.write_text(before)
    assert done.returncode != 0
    assert re.search(said, done.stderr), done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "give either --lang, for a host's bindings, or --provider, for a library"),
        (["--lang", "c", "--provider", "c"], "give either --lang"),
        (["--provider", "c", "--wire", "cbor"], "leave --wire out"),
    ],
)
def test_wrong_options_are_refused(options: list[str], said: str, tmp_path: Path) -> None:
    done = bindgen(ECHO, *options, "--out", tmp_path)
    assert done.returncode == 2
    assert said in done.stderr

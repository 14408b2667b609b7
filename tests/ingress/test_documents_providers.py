# SPDX-License-Identifier: BSD-3-Clause
"""docs/ingress-providers.md, followed line by line: its library is built by its own Makefile, and a host calls it."""

import sys
from pathlib import Path

from followed import block, run
from haskell_library import LIBRARY, needs_ghc
from native import make
from paths import BUILD, CARGO, ROOT

TEXT = (ROOT / "docs" / "ingress-providers.md").read_text()
HOST = """
#include <stdio.h>
#include "tally.h"
int main(void)
{
	const struct ferry_string words[] = { ferry_string("one"), ferry_string("three") };
	struct tally_open_reply opened;
	struct tally_add_reply added;
	struct tally_wait_reply waited;
	ingress_token context;

	if (tally_open(NULL, 40, INGRESS_FOREVER, &context, &opened))
		return 1;
	tally_open_reply_free(&opened);
	if (tally_add(context, (struct tally_seq_string){ words, 2 }, INGRESS_FOREVER, &added))
		return 2;
	printf("%d words, %d bytes\\n", (int)added.value.words, (int)added.value.bytes);
	tally_add_reply_free(&added);
	if (tally_wait(context, 5, INGRESS_FOREVER, &waited))
		return 3;
	printf("%d words\\n", (int)waited.value);
	tally_wait_reply_free(&waited);
	return (int)tally_close(context, INGRESS_FOREVER);
}
"""


def bindgen(*arguments: str | Path) -> None:
    path = f"{ROOT / 'tools' / 'ferry' / 'src'}"
    run(sys.executable, "-m", "ferry", "bindgen", *arguments, PYTHONPATH=path)


def host_says(folder: Path, library: Path) -> str:
    """Build the host in C in this folder, have it call the library, and return what it prints."""
    bindgen(folder / "tally.json", "--lang", "c", "--out", folder / "bindings")
    (folder / "host.c").write_text(HOST)
    run("gcc", "-std=gnu11", folder / "host.c", "-o", folder / "host", f"-I{folder}/bindings/include",
        f"-I{ROOT}/include", f"-L{library}", "-ltally", f"-L{BUILD}/lib", "-lferryingress")  # fmt: skip
    return run(folder / "host", LD_LIBRARY_PATH=f"{library}:{BUILD}/lib")


def test_the_library_in_c_is_called(tmp_path: Path) -> None:
    make(BUILD, BUILD / "lib/libferryingress.so")
    (tmp_path / "tally.json").write_text(block(TEXT, "json"))
    bindgen(tmp_path / "tally.json", "--provider", "c", "--out", tmp_path / "tally")
    (tmp_path / "tally" / "tally.c").write_text(block(TEXT, "c"))
    (tmp_path / "ferryingress.pc").write_text(
        f"Name: ferryingress\nDescription: of a build tree\nVersion: 0\nCflags: -I{ROOT}/include\n"
        f"Libs: -L{BUILD}/lib -lferryingress\n"
    )
    run("make", "-C", tmp_path / "tally", "CFLAGS=-O0 -Wall -Wextra -Werror", PKG_CONFIG_PATH=str(tmp_path))
    assert host_says(tmp_path, tmp_path / "tally") == "42 words, 8 bytes\n42 words\n"


def test_the_library_in_rust_is_called(tmp_path: Path) -> None:
    make(BUILD, BUILD / "lib/libferryingress.so")
    (tmp_path / "tally.json").write_text(block(TEXT, "json"))
    runtime = ROOT / "hosts" / "rust" / "ferry-ingress-provider"
    bindgen(tmp_path / "tally.json", "--provider", "rust", "--out", tmp_path / "tally", "--runtime", runtime)
    (tmp_path / "tally" / "src" / "lib.rs").write_text(block(TEXT, "rust"))
    run(CARGO, BUILD, "build", "--quiet", "--manifest-path", tmp_path / "tally" / "Cargo.toml",
        "--target-dir", tmp_path / "target", RUSTFLAGS="-Dwarnings")  # fmt: skip
    assert host_says(tmp_path, tmp_path / "target" / "debug") == "42 words, 8 bytes\n42 words\n"


@needs_ghc
def test_the_library_in_haskell_is_called(tmp_path: Path) -> None:
    (tmp_path / "tally.json").write_text(block(TEXT, "json"))
    runtime = ROOT / "haskell" / "ingress"
    bindgen(tmp_path / "tally.json", "--provider", "haskell", "--out", tmp_path / "tally", "--runtime", runtime)
    (tmp_path / "tally" / "src" / "Tally.hs").write_text(block(TEXT, "haskell"))
    make(BUILD, BUILD / LIBRARY)
    home = tmp_path / "home"
    home.mkdir()
    (home / "config").write_text("active-repositories: :none\n")
    # what is compiled once for a document runs once
    flags = "--offline -O0 --disable-library-vanilla --enable-shared"
    environment = {"CABAL_DIR": f"{home}", "GHC_ENVIRONMENT": "-", "LC_ALL": "C.UTF-8"}
    run("make", "-C", tmp_path / "tally", f"CABAL=cabal --config-file={home}/config", f"CABALFLAGS={flags}",
        PKG_CONFIG_PATH=f"{BUILD}/lib/pkgconfig", **environment)  # fmt: skip
    assert host_says(tmp_path, tmp_path / "tally") == "42 words, 8 bytes\n42 words\n"

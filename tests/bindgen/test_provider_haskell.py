# SPDX-License-Identifier: BSD-3-Clause
"""`ferry bindgen --provider haskell`: the codecs run the vectors, a library's first form compiles without a warning,
its author's files stay, and mistakes are refused by the compiler, by name."""

import os
import re
import subprocess
from functools import partial
from pathlib import Path

import pytest
from bindgen import adversarial
from bindgen.test_generate import ECHO, bindgen
from bindgen.test_python import codecs as codecs
from bindgen.test_python import transcoded
from bindgen.wire_vectors import TYPES, bytes_of, damaged_messages, differences, wrong
from ferry.bindgen import generate, provider_haskell
from ferry.bindgen.language import Options
from ferry_ingress.wire import Wire
from haskell_library import echo, ghc, needs_ghc
from paths import BUILD, ROOT

pytestmark = needs_ghc
#: What an author does wrong -> what is said of it.
MISTAKES = {
    "a method is missing": (r"\n  read_ [^\n]*", "", r"No explicit implementation for\s+‘read_’"),
    "a method is misspelt": (r"\n  read_ ", "\n  read ", r"‘read’ is not a \(visible\) method of class ‘Library’"),
    "a parameter too few": (r"\n  read_ _ _ _ _ =", "\n  read_ _ _ _ =", r"Couldn't match"),
    "a result of another type": (
        r'version _ = failure \(pack "[^"]*"\)',
        "version _ = reply True",
        r"Couldn't match type .*Bool",
    ),
    "an error that is not declared": (
        r'bytes _ _ _ = failure \(pack "[^"]*"\)',
        "bytes _ _ _ = raise DivideErrorByZero",
        r"Couldn't match type",
    ),
    "the author's type is not there": (r"data Echo = Echo", "data Reverb = Reverb", r"Not in scope: .*‘Echo’"),
}


def sources(folder: Path) -> list[str | Path]:
    return ["-Wall", "-Werror", f"-i{folder / 'src'}:{folder / 'generated'}", "-outputdir", folder / "made"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    echo()
    folder = tmp_path_factory.mktemp("library") / "echo"
    done = bindgen(ECHO, "--provider", "haskell", "--out", folder, path=os.environ.get("PATH", "/usr/bin:/bin"))
    assert done.returncode == 0, done.stderr
    assert {Path(line) for line in done.stdout.splitlines()} == {
        folder / path
        for path in (
            "echo.cabal", "cabal.project", "Makefile", "src/Echo.hs", "generated/Echo/Generated.hs",
            "generated/Echo/Export.hs", "generated/echo_library.c",
        )
    }  # fmt: skip
    # the interface of what is generated is made once, and each mistake is then compiled by itself
    made = ghc("-O0", "-no-link", *sources(folder), folder / "generated" / "Echo" / "Generated.hs")
    assert made.returncode == 0, made.stderr
    return folder


def test_the_first_form_compiles(library: Path) -> None:
    done = ghc("-O0", "-no-link", *sources(library), library / "generated" / "Echo" / "Export.hs")
    assert done.returncode == 0, done.stderr


def test_no_type_is_a_constructor_of_the_prelude() -> None:
    # the authors' type of a library called `true` was a second `True` in the file where a destructor gives `pure True`
    given = provider_haskell.names_of(adversarial.crowded("true", ["just", "left"]))
    assert given.state == "True_"
    assert {"Just_", "Left_"} <= set(given.types.values())


def test_the_authors_files_stay(library: Path) -> None:
    source = library / "src" / "Echo.hs"
    before = source.read_text()
    source.write_text(before + "-- mine\n")
    try:
        path = os.environ.get("PATH", "/usr/bin:/bin")
        done = bindgen(ECHO, "--provider", "haskell", "--out", library, path=path)
        assert done.returncode == 0
        assert str(source) not in done.stdout
        assert source.read_text().endswith("-- mine\n")
        assert bindgen(ECHO, "--provider", "haskell", "--out", library, "--check", path=path).returncode == 0
    finally:
        source.write_text(before)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(library: Path, tmp_path: Path, mistake: str) -> None:
    pattern, instead, said = MISTAKES[mistake]
    before = (library / "src" / "Echo.hs").read_text()
    wrong = re.sub(pattern, instead, before, count=1)
    assert wrong != before
    (tmp_path / "Echo.hs").write_text(wrong)
    done = ghc("-fno-code", "-Wall", "-Werror=missing-methods", f"-i{tmp_path}:{library / 'generated'}",
               "-outputdir", library / "made", tmp_path / "Echo.hs")  # fmt: skip
    assert done.returncode != 0
    assert re.search(said, done.stderr), done.stderr


# ---- the wire formats -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def transcoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that transcodes lines."""
    echo()
    folder = tmp_path_factory.mktemp("transcode")
    options = Options("c", "BSD-3-Clause", "types.json", "")
    generate.write(generate.render(TYPES, provider_haskell.LANGUAGE, options), folder)
    writer = provider_haskell.Writer(TYPES)
    roots = ",\n".join(
        f'    ("{method.name}", transcoded @({writer.type(method.returns, "G.")}))'
        for method in TYPES.methods
        if method.returns
    )
    (folder / "Main.hs").write_text(
        "{-# LANGUAGE TypeApplications #-}\nmodule Main (main) where\n\nimport qualified Data.Map as Map\n"
        "import qualified Ferry.Ingress.Provider as F\nimport Transcode\nimport qualified Wire.Generated as G\n\n"
        f"main :: IO ()\nmain = run (Map.fromList [\n{roots}])\n"
    )
    done = ghc("-O0", f"-i{folder}:{folder / 'generated'}:{ROOT / 'tests' / 'wire'}", "-outputdir", folder / "made",
               "-o", folder / "transcode", folder / "Main.hs")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "transcode"


def answers(transcoder: Path, lines: list[str]) -> list[str]:
    done = subprocess.run(
        [str(transcoder)], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
        env=os.environ | {"LD_LIBRARY_PATH": str(BUILD / "lib")}, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_codecs_run_the_vectors(transcoder: Path) -> None:
    assert wrong(partial(answers, transcoder)) == []


def test_damaged_messages_are_values_or_errors_as_in_python(transcoder: Path, codecs) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    damaged = damaged_messages()
    expected = [transcoded(codecs[name], Wire[wire.upper()], bytes_of(text)) for name, wire, text in damaged]
    found = answers(transcoder, [" ".join(message) for message in damaged])
    assert differences(damaged, expected, found)[:9] == []

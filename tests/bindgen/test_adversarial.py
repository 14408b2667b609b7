# SPDX-License-Identifier: BSD-3-Clause
"""Whatever names an interface has, what `ferry bindgen` writes compiles, in every language and without a warning.

FERRY_ADVERSARIAL is how many random interfaces there are (`make stress STRESS=bindgen` has more), FERRY_SEED the first
one's seed, which a failure names. Those that hold every word of the tables are there each time.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bindgen import adversarial, instances
from ferry.bindgen import c, cpp, generate, names, provider_c, provider_haskell, provider_rust, python, rust
from ferry.bindgen.language import Language, Options
from ferry.bindgen.model import Interface
from haskell_library import echo, ghc, needs_ghc
from paths import BUILD, CARGO, ROOT

SECONDS = 600
COUNT = int(os.environ.get("FERRY_ADVERSARIAL", "3"))
SEED = int(os.environ.get("FERRY_SEED", random.SystemRandom().randrange(1 << 32)))
RUNTIME = {
    "python": ROOT / "hosts" / "python" / "src",
    "rust": ROOT / "hosts" / "rust" / "ferry-ingress",
    "provider_rust": ROOT / "hosts" / "rust" / "ferry-ingress-provider",
}
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable")


def interfaces() -> list[Interface]:
    """The interfaces, of which no library's name begins another's: all of their headers are read together."""
    libraries = random.Random(SEED).sample(adversarial.LIBRARIES, COUNT * 4)
    words = [*adversarial.OWN, *adversarial.MADE_SNAKES]
    # clang compiles no object of more than 256 fields in C++, unless it is told to
    found = [adversarial.crowded("zz_made", words[::2]), adversarial.crowded("zz_other", words[1::2])]
    for number in range(COUNT):
        taken = [f"{each.name}_" for each in found]
        free = [
            name for name in libraries if not any(f"{name}_".startswith(t) or t.startswith(f"{name}_") for t in taken)
        ]
        found.append(adversarial.interface(random.Random(SEED + number), free[0]))
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Language, str], Path]:
    """Write the bindings of every interface, each in a folder of its library's name; unformatted, which is quicker."""

    def write(language: Language, runtime: str = "") -> Path:
        folder = tmp_path_factory.mktemp(language.name)
        for number, interface in enumerate(interfaces()):
            options = Options(("c", "cbor")[number % 2], "MIT", "any.json", runtime)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(generate, "_format", lambda output, text, unformatted: text)
                generate.write(generate.render(interface, language, options), folder / interface.name)
        return folder

    return write


def run(*command: str | Path, **environment: str) -> None:
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, env=os.environ | environment)
    assert done.returncode == 0, f"FERRY_SEED={SEED}\n{done.stdout[-6000:]}{done.stderr[-6000:]}"


def headers(folder: Path, ending: str) -> tuple[list[str], list[str]]:
    """Where headers are looked for, and lines that include all of them."""
    folders = sorted(folder.glob("*/include"))
    calls = [path for each in folders for path in sorted(each.glob(f"*{ending}"))]
    return [f"-I{ROOT / 'include'}", *(f"-I{each}" for each in folders)], [
        f'#include "{path.name}"\n' for path in calls
    ]


def test_a_library_in_c_compiles(written: Callable[[Language], Path]) -> None:
    for source in sorted(written(provider_c.LANGUAGE).glob("**/*.c")):
        run("gcc", "-std=gnu11", *WARNINGS, f"-I{ROOT / 'include'}", "-fsyntax-only", source)


@needs_ghc
def test_a_library_in_haskell_compiles(written: Callable[[Language], Path]) -> None:
    echo()
    for folder in sorted(written(provider_haskell.LANGUAGE).iterdir()):
        (export,) = folder.glob("generated/*/Export.hs")
        done = ghc("-fno-code", "-Wall", "-Werror", f"-i{folder / 'src'}:{folder / 'generated'}", export)
        assert done.returncode == 0, f"FERRY_SEED={SEED}\n{done.stderr[:6000]}"


def test_c_compiles(written: Callable[[Language], Path], tmp_path: Path) -> None:
    folder = written(c.LANGUAGE)
    include, lines = headers(folder, ".h")
    # a system header that the library's would hide, afterwards and before
    (tmp_path / "all.c").write_text("".join(lines) + "#include <time.h>\n#include <signal.h>\n#include <math.h>\n")
    for compiler in ("gcc", "clang"):
        run(compiler, "-std=gnu11", *WARNINGS, *include, "-fsyntax-only", tmp_path / "all.c")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_cpp_compiles(written: Callable[[Language], Path], tmp_path: Path, compiler: str) -> None:
    folder = written(cpp.LANGUAGE)
    include, lines = headers(folder, ".hpp")
    before = "#include <cmath>\n#include <csignal>\n#include <cstdio>\n#include <climits>\n#include <cfloat>\n"
    every = "".join(map(instances.of, sorted(folder.glob("*/include/*.hpp"))))
    (tmp_path / "all.cpp").write_text(before + "".join(lines) + every)
    run(compiler, "-std=gnu++17", *WARNINGS, "-Wconversion", *include, "-fsyntax-only", tmp_path / "all.cpp")


@pytest.mark.parametrize("language", [rust.LANGUAGE, provider_rust.LANGUAGE], ids=["bindings", "library"])
def test_rust_compiles(written: Callable[[Language, str], Path], language: Language) -> None:
    folder = written(language, str(RUNTIME[language.name]))
    crates = sorted(path.name for path in folder.iterdir())
    # one crate has all of them as dependencies, and names them by their paths
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").write_text("")
    quoted = "".join(f'  "{name}",\n' for name in crates)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "every-binding"\nversion = "0.1.0"\nedition = "2021"\n\n'
        f"[workspace]\nmembers = [\n{quoted}]\n"
    )
    flags = "-Dwarnings"
    script = CARGO
    run(script, BUILD, "check", "--quiet", "--workspace", "--manifest-path", folder / "Cargo.toml", RUSTFLAGS=flags)


def test_python_is_imported_and_typed(written: Callable[[Language], Path], tmp_path: Path) -> None:
    folder = written(python.LANGUAGE)
    sources = sorted(folder.glob("*/src"))
    packages = [next(path.name for path in source.iterdir() if path.is_dir()) for source in sources]
    path = ":".join(map(str, [RUNTIME["python"], *sources]))
    code = "".join(f"import {package}, {package}.aio, {package}.blocking\n" for package in packages)
    run(sys.executable, "-W", "error", "-c", code, PYTHONPATH=path)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary"]
    run(*command, *(f"-p{package}" for package in packages), MYPYPATH=path)


def test_a_method_that_yields_has_no_parameter_that_is_refused_there() -> None:
    """In these interfaces a word of the tables that streams take was to be a parameter of a method that yields."""
    for seed in (2640, 3287, 3670):
        assert adversarial.interface(random.Random(seed)).streams


def test_one_name_in_every_place_is_one_name_in_none() -> None:
    """Whatever the scopes of a language give out is given out once."""
    for number in range(50):
        made = adversarial.interface(random.Random(SEED + number))
        writer = c.Writer(made)
        assert len(set(writer.macros.values())) == len(writer.macros), SEED + number
        for found in (rust, python):
            listeners = [name for pair in found.event_names(made).values() for name in pair]
            assert len(set(listeners)) == len(listeners), SEED + number


def test_a_scope_appends_until_nothing_is_met() -> None:
    scope = names.Scope(("a", "a_"), frozenset({"b"}))
    assert scope.one("a") == "a__"
    assert scope.one("b") == "b_"
    assert scope.take("c", "b", "try_c") == ("c__", "b__", "try_c__")
    assert scope.take("c") == ("c",)

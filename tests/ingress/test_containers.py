# SPDX-License-Identifier: BSD-3-Clause
"""Every container of every kind of element, from a library in Nim; and handles in containers from every host language.

The libraries are those of containers.py, each compiled in the ways of nim_compiler.py. C code is not optimised: what is
asked is whether it compiles and what it does, and there is much of it.
"""

import importlib
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ferry.bindgen import c, cpp, generate, python, reader, rust
from ferry.bindgen.language import Language, Options
from nim_compiler import EACH_WAY, WAYS, Way, compile_nim
from paths import BUILD, CARGO, ROOT

from ingress import containers

sys.path.insert(0, str(ROOT / "hosts" / "python" / "src"))

from ferry_ingress import BadHandleError, FailedError, Wire
from ferry_ingress import Options as ContextOptions

SHELF = ROOT / "tests" / "ingress" / "shelf"
#: The element kinds that a library for host languages other than Python has.
HANDLES = ("handle", "holder")
PATIENCE_S = 600


def library(name: str, elements: tuple[str, ...], way: Way) -> Path:
    """Compile a library; its description is beside it."""
    folder = BUILD / "nim" / "containers" / str(way)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name}.nim"
    source.write_text(containers.source(name, elements))
    options = ("--app:lib", "-d:release", "-d:noSignalHandler")
    description = f"-d:ferryInterface:{folder / name}.json"
    malloc = ("-d:useMalloc",) if way.suite == "bookworm" else ()
    where = f"--passL:-L{BUILD}/lib -lferryingress"
    return compile_nim(way, source, folder / f"lib{name}.so", *options, *malloc, description, where)


def bindings(built: Path, language: Language, folder: Path, wire: str = "c", runtime: str = "") -> Path:
    """Generate the bindings of a library."""
    name = built.stem.removeprefix("lib")
    interface = reader.read(built.parent / f"{name}.json")
    options = Options(wire, "BSD-3-Clause", f"{name}.json", runtime)
    generate.write(generate.render(interface, language, options, set()), folder)
    return folder


@pytest.fixture(scope="module", params=WAYS if EACH_WAY else WAYS[-1:], ids=str)
def matrix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The Python package of a library with the whole matrix."""
    built = library("matrix", tuple(containers.ELEMENTS), request.param)
    folder = bindings(built, python.LANGUAGE, tmp_path_factory.mktemp("matrix"), "cbor") / "src"
    os.environ |= {
        "MATRIX_LIBRARY": str(built),
        "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
    }
    sys.path.insert(0, str(folder))
    yield importlib.import_module("matrix")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "matrix"]:
        del sys.modules[name]


def samples(matrix: Any, shelf: Any, element: str) -> tuple[Any, Any, Any]:
    """Three values of an element."""
    if element in containers.SAMPLES:
        first, second, third = containers.SAMPLES[element]
        return first, second, third
    if element == "enum":
        return matrix.Colour.RED, matrix.Colour.GREEN, matrix.Colour.BLUE
    if element == "object":
        return matrix.Point(-128, ""), matrix.Point(0, "ö"), matrix.Point(127, "x" * 100)
    things = [shelf.make(name) for name in "abc"]
    if element == "handle":
        return things[0], things[1], things[2]
    a, b, c = things
    return matrix.Holder(a, [], None), matrix.Holder(b, [a, b], c), matrix.Holder(a, [c, c], a)


@pytest.mark.parametrize("wire", list(Wire), ids=lambda wire: wire.name)
def test_every_container_of_every_element(matrix: Any, wire: Wire) -> None:
    with matrix.Matrix.create(options=ContextOptions(wire=wire), timeout=PATIENCE_S) as shelf:
        for element in containers.ELEMENTS:
            three = samples(matrix, shelf, element)
            for container, (_, makers) in containers.CONTAINERS.items():
                for make in makers:
                    value = make(*three)
                    # a sequence of u8 is bytes, wherever it is
                    if element == "u8" and "list" in container and container not in ("list_option", "list_by_name"):
                        value = as_bytes(value)
                    assert getattr(shelf, containers.method(container, element))(value) == value, (element, container)


def as_bytes(value: Any) -> Any:
    """Lists of integers as bytes."""
    if isinstance(value, dict):
        return {key: as_bytes(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_bytes(item) for item in value] if value and isinstance(value[0], list) else bytes(value)
    return value


@pytest.mark.parametrize("wire", list(Wire), ids=lambda wire: wire.name)
def test_fields_and_events_carry_containers(matrix: Any, wire: Wire) -> None:
    with matrix.Matrix.create(options=ContextOptions(wire=wire), timeout=PATIENCE_S) as shelf:
        for element in containers.WHOLE:
            three = samples(matrix, shelf, element)
            whole = getattr(matrix, f"All{element.capitalize()}")
            events = getattr(shelf, f"told_{element}_events")()
            makers = {name: made for name, (_, made) in containers.CONTAINERS.items()}
            for number in range(max(map(len, makers.values()))):
                value = whole(**{name: each[min(number, len(each) - 1)](*three) for name, each in makers.items()})
                assert getattr(shelf, f"all_{element}")(value) == value
                assert next(iter(events)).value == value


@pytest.mark.parametrize("wire", list(Wire), ids=lambda wire: wire.name)
def test_a_closed_handle_is_refused_wherever_it_is(matrix: Any, wire: Wire) -> None:
    with matrix.Matrix.create(options=ContextOptions(wire=wire), timeout=PATIENCE_S) as shelf:
        a, b, closed = (shelf.make(name) for name in "abc")
        assert shelf.names([a, None, closed]) == ["a", "-", "c"]
        shelf.close(closed)
        for container, (_, makers) in containers.CONTAINERS.items():
            for make, three in itertools.product(makers, itertools.permutations((a, b, closed))):
                value = make(*three)
                if closed in flat(value):
                    with pytest.raises(BadHandleError, match=r"^value.*: no open Thing has this handle$"):
                        getattr(shelf, containers.method(container, "handle"))(value)
        with pytest.raises(FailedError, match="a handle that is nil"):
            shelf.hollow([a, b])
        assert shelf.handle_list([a, b, a]) == [a, b, a]


def flat(value: Any) -> list[Any]:
    """Every handle in a value."""
    if isinstance(value, dict):
        value = list(value.values())
    return [each for item in value for each in flat(item)] if isinstance(value, list) else [value]


@pytest.fixture(scope="module")
def shelf() -> Path:
    """A library with handles in containers, for hosts that are compiled."""
    return library("shelf", HANDLES, WAYS[-1])


def run(*command: str | Path, **environment: str) -> None:
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, env=os.environ | environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("wire", ["c", "cbor"])
def test_handles_in_containers_from_c(shelf: Path, tmp_path: Path, wire: str) -> None:
    folder = bindings(shelf, c.LANGUAGE, tmp_path, wire)
    include = (f"-I{ROOT / 'include'}", f"-I{folder / 'include'}")
    libraries = (f"-L{shelf.parent}", "-lshelf", f"-L{BUILD / 'lib'}", "-lferryingress", "-pthread")
    run(
        "gcc",
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        *include,
        SHELF / "host.c",
        "-o",
        tmp_path / "host",
        *libraries,
    )
    run(tmp_path / "host", LD_LIBRARY_PATH=f"{shelf.parent}:{BUILD / 'lib'}")


def test_handles_in_containers_from_cpp(shelf: Path, tmp_path: Path) -> None:
    folder = bindings(shelf, cpp.LANGUAGE, tmp_path)
    include = (f"-I{ROOT / 'include'}", f"-I{folder / 'include'}")
    libraries = (f"-L{shelf.parent}", "-lshelf", f"-L{BUILD / 'lib'}", "-lferryingress", "-pthread")
    run(
        "g++",
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Werror",
        *include,
        SHELF / "host.cpp",
        "-o",
        tmp_path / "host",
        *libraries,
    )
    run(tmp_path / "host", LD_LIBRARY_PATH=f"{shelf.parent}:{BUILD / 'lib'}")


def test_handles_in_containers_from_rust(shelf: Path, tmp_path: Path) -> None:
    runtime = ROOT / "hosts" / "rust" / "ferry-ingress"
    bindings(shelf, rust.LANGUAGE, tmp_path / "shelf", runtime=str(runtime))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text((SHELF / "host.rs").read_text())
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "host-of-shelf"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n'
        f'shelf = {{ path = "shelf" }}\nferry-ingress = {{ path = "{runtime}" }}\n'
    )
    run(
        CARGO, BUILD, "run", "--quiet", "--manifest-path", tmp_path / "Cargo.toml",
        SHELF_LIB_DIR=str(shelf.parent), LD_LIBRARY_PATH=f"{shelf.parent}:{BUILD / 'lib'}",
    )  # fmt: skip

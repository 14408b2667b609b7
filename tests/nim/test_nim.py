# SPDX-License-Identifier: BSD-3-Clause
"""The Nim provider: its codecs, what it does with requests, what it refuses to compile, and a library made with it.

Two compilers, two memory managers and two modes make eight ways; two of them have each once, and are compiled without
optimization. FERRY_NIM_WAYS=all runs the eight as a user compiles them (`make stress STRESS=ingress`).
"""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from ferry.bindgen.model import Interface, Scalar, text
from ferry.bindgen.reader import read
from native import make, native_environment
from nim_compiler import COMPILE_TIMEOUT_S, WAYS, Way, compile_nim, compiler
from paths import BUILD, ROOT

RUN_TIMEOUT_S = 900
REFUSED = sorted((ROOT / "nim/tests").rglob("refused/*.nim"))
LIBRARY = ROOT / "examples/echo/echo.nim"
#: Programs that run with any libecho.so.
HOSTS = ("test_cpp_conformance", "test_c_conformance", "test_c_conformance_cbor")
#: What the annotations of one library leave for the next, when several are compiled at once.
FORGET = """static:
  declaredTypes = @[]
  constants = @[]
  methods = @[]
  events = @[]
  questions = @[]
  isLibraryDeclared = false
  translation.libraryName = ""
  translation.isWhole = false
"""


@pytest.fixture(scope="module")
def hosts() -> list[Path]:
    """The conformance programs in C++ and C, built."""
    programs = [BUILD / "tests" / name for name in HOSTS]
    make(BUILD, *programs)
    return programs


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        env=native_environment() | environment,
        timeout=RUN_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("program", ["wire", "serve"])
def test_program(way: Way, program: str) -> None:
    output = BUILD / "nim/tests" / f"{program}-{way}"
    compile_nim(way, ROOT / f"nim/tests/{program}.nim", output)
    assert "ok" in run(output, FERRY_ROUNDS="25" if way.mode == "debug" else "100")


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_vectors(way: Way) -> None:
    output = compile_nim(way, ROOT / "nim/tests/vectors.nim", BUILD / "nim/tests" / f"vectors-{way}")
    assert "ok" in run(output, ROOT / "spec/wire")


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_library_conforms(way: Way, hosts: list[Path]) -> None:
    """The conformance programs in C++ and C, against the library in Nim; all bindings are of its description."""
    description = BUILD / "nim/lib" / str(way) / "echo.json"
    library = compile_nim(
        way,
        LIBRARY,
        description.parent / "libecho.so",
        f"-d:ferryInterface:{description}",
        f"--passL:-L{BUILD}/lib -lferryingress",
    )
    assert json.loads(description.read_text()) == json.loads((ROOT / "examples/echo/echo.json").read_text())
    assert read(description).name == "echo"
    for host in hosts:
        output = run(host, LD_LIBRARY_PATH=f"{library.parent}:{BUILD}/lib")
        assert "not ok" not in output
        assert output.count("\nok ") > 10


def described(folder: Path, suite: str, source: str) -> Interface:
    """Compile a library `tiny`, and read the description that the compiler writes."""
    (folder / "tiny.nim").write_text(source)
    description = folder / "tiny.json"
    flags = ("--compileOnly", "--hints:off", "--threads:on", "--app:lib", f"--nimcache:{folder}/cache")
    about = ("-d:useMalloc", f"-p:{ROOT}/nim/src", f"-d:ferryInterface:{description}")
    run(compiler(suite), "c", *flags, *about, folder / "tiny.nim")
    return read(description)


def test_a_method_is_declared_idempotent(tmp_path: Path) -> None:
    """The description says so of that method alone, and the hash that the compiler makes is the reader's."""
    interface = described(
        tmp_path,
        "forky",
        "import ferry\n"
        "proc twice(x: int32): int32 {.ferryStatic, ferryIdempotent.} = 2 * x\n"
        "proc once(x: int32): int32 {.ferryStatic.} = x\n"
        'ferryLibrary(tiny, "0.1.0")\n',
    )
    assert [method.idempotent for method in interface.methods] == [True, False]


def test_a_method_that_yields_is_described(tmp_path: Path) -> None:
    """As its author declared it; what comes with it (S1) is the reader's, whose hash is that of the compiler."""
    interface = described(
        tmp_path,
        "forky",
        "import std/asyncdispatch\n"
        "import ferry\n"
        "type Book = ref object\n"
        "proc open(): Book {.ferryConstructor.} = Book()\n"
        "proc close(book: Book) {.ferryDestructor.} = discard\n"
        "proc readLines(book: Book; first: int32; into: FerryStream[seq[string]]) {.ferryMethod, async.} = discard\n"
        "proc last(book: Book) {.ferryMethod.} = discard\n"
        'ferryLibrary(tiny, "0.1.0")\n',
    )
    (opening,) = interface.streams
    assert opening.stream is not None
    assert text(opening.stream.yields) == "seq of string"
    assert [field.name for field in opening.params] == ["first", "credits"]
    assert [(method.name, method.number) for method in interface.methods[2:]] == [
        ("read_lines", 2),
        ("read_lines_next", 3),
        ("read_lines_close", 4),
        ("last", 5),
    ]


@pytest.mark.parametrize("suite", ["bookworm", "forky"])
def test_a_default_is_written_as_the_compiler_allows(tmp_path: Path, suite: str) -> None:
    """As a pragma, and where Nim has defaults as one of those; any constant of the type will do."""
    field = "stars*: uint8 = few + 1" if suite == "forky" else "stars* {.ferryDefault: few + 1.}: uint8"
    interface = described(
        tmp_path,
        suite,
        "import ferry\n"
        "const few = 2\n"
        "type\n"
        "  Kind* {.ferryEnum.} = enum plain = -1, veryFine = 4\n"
        "  Page* {.ferryType.} = object\n"
        f"    {field}\n"
        "    left*, right* {.ferryDefault: -0.25.}: float32\n"
        "    kind* {.ferryDefault: veryFine.}: Kind\n"
        '    said* {.ferryDefault: "a \\"b\\"\\n".}: string\n'
        "proc last*(page: Page): Page {.ferryStatic.} = page\n"
        'ferryLibrary(tiny, "0.1.0")\n',
    )
    fields = interface.object("Page").fields
    assert [field.default for field in fields] == [3, None, -0.25, "very_fine", 'a "b"\n']


def test_types_that_travel_as_another_are_described_by_that(tmp_path: Path) -> None:
    interface = described(
        tmp_path,
        "forky",
        "import std/times\n"
        "import ferry\n"
        "type\n"
        "  Kind* {.ferryEnum.} = enum plain, fine\n"
        "  Id* {.ferryType.} = distinct uint32\n"
        "  Ids* {.ferryType.} = seq[Id]\n"
        "  Point* {.ferryType.} = tuple[x, y: float64]\n"
        "proc all(\n"
        "  ids: Ids; point: Point; points: array[2, Point]; key: array[4, byte]; share: range[0'u8 .. 9'u8];\n"
        "  kinds: set[Kind]; at: Time): Duration {.ferryStatic.} = initDuration()\n"
        'ferryLibrary(tiny, "0.1.0")\n',
    )
    assert [declared.name for declared in interface.types] == ["Kind", "Point"]
    (method,) = interface.methods
    assert [text(field.type) for field in method.params] == [
        "seq of u32", "Point", "seq of Point", "bytes", "u8", "seq of Kind", "i64",
    ]  # fmt: skip
    assert method.returns == Scalar("i64")


@cache
def said_of_mistakes() -> str:
    """What the compiler says when it reads all of REFUSED, one after the other, in one process."""
    everything = BUILD / "nim/tests/refused.nim"
    everything.parent.mkdir(parents=True, exist_ok=True)
    everything.write_text(
        "import ferry/[compat/translation, registry]\n"
        + "".join(f'import "{path.with_suffix("")}"\n{FORGET}' for path in REFUSED)
    )
    done = subprocess.run(
        [
            compiler("forky"), "check", "--hints:off", "--errorMax:0", "--threads:on", f"-p:{ROOT}/nim/src",
            f"-p:{ROOT}/nim/src/ferry/compat", "-d:asyncBackend:asyncdispatch", everything,
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=COMPILE_TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


@pytest.mark.parametrize("source", REFUSED, ids=lambda path: path.stem)
def test_mistake_is_refused(source: Path) -> None:
    """The first line of each says what the compiler has to say about it."""
    expected = source.read_text().splitlines()[0].removeprefix("# refused: ")
    lines = said_of_mistakes().splitlines()
    # an error inside of what an annotation made comes after the line of the annotation
    said = [
        line
        for before, line in zip(["", *lines], lines, strict=False)
        if f"{source}(" in before + line and " Error: " in line and expected in line
    ]
    assert said, said_of_mistakes()


def test_benchmark_prints_the_common_lines() -> None:
    way = Way("forky", "orc", "danger")
    program = compile_nim(way, ROOT / "nim/bench/codec.nim", BUILD / "nim/tests/codec", f"--passC:-I{ROOT}/bench")
    lines = [json.loads(line) for line in run(program, "--repetitions", "1", "--n", "1").splitlines()]
    assert lines[0]["type"] == "machine"
    variants = {line["variant"] for line in lines if line["type"] == "sample"}
    assert {"nim-cbor:echo_request", "nim-c:complex_request", "nim-c:bytes_1m"} <= variants

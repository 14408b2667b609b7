# SPDX-License-Identifier: BSD-3-Clause
"""Chains from Python: a batch gives what the same calls one after another give, whatever fails in the middle.

tests/network/test_chains.py runs this with the library behind a NATS server. long: all cases of one host.
"""

import asyncio
import contextlib
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from go_module import write_go_mod
from paths import BUILD, GO, ROOT

#: As in test_echo_python.py: a process opens one library, and one worker may run both files.
os.environ.setdefault("ECHO_LIBRARY", str(BUILD / "nim" / "lib" / "libecho.so"))
os.environ.setdefault("FERRY_INGRESS_LIBRARY", str(BUILD / "lib" / "libferryingress.so.0"))
PATHS = [str(ROOT / "hosts" / "python" / "src"), str(ROOT / "build" / "echo" / "python" / "src")]
sys.path[:0] = PATHS

from echo import (  # noqa: E402 - after its path
    AllTypes,
    AsyncEcho,
    Color,
    ComplexRequest,
    Drawing,
    DrawingByIsColoredFalseCase,
    DrawingByIsColoredTrueCase,
    DrawingTrue,
    Echo,
    EchoBatch,
    EchoRequest,
    Options,
    RaisedDivideError,
    ShapeCaptionCase,
    ShapeGroup,
    ShapeGroupCase,
    ShapeLabel,
    ShapeLabelCase,
    ShapeNothingCase,
    Tree,
    Wire,
)
from ferry_ingress import (  # noqa: E402
    BadHandleError,
    BadPayloadError,
    CancelledError,
    ClosedError,
    DeadlineError,
    EncodeError,
    FailedError,
    IngressError,
    Promise,
    QueueFullError,
    SkippedError,
    Status,
)

PATIENCE = 60.0


@pytest.fixture(params=list(Wire), ids=lambda wire: wire.name.lower())
def echo(request: pytest.FixtureRequest) -> Iterator[Echo]:
    """A context; chains have their own format, whatever its other calls have."""
    with Echo.create("p ", options=Options(wire=request.param), timeout=PATIENCE) as made:
        yield made


def all_types() -> AllTypes:
    fields: dict[str, Any] = {
        "a_bool": True, "a_string": "s", "some_bytes": b"12", "a_color": Color.BLUE, "an_object": text("given", 7),
        "maybe_number": None, "maybe_text": None, "maybe_object": None, "maybe_color": None, "numbers": [], "flags": [],
        "colors": [], "rows": [], "maybe_words": [], "blobs": [], "text_by_number": {}, "number_by_text": {},
        "objects_by_text": {}, "an_f32": 0.5, "an_f64": 0.25,
    }  # fmt: skip
    fields |= {f"a{n}_{kind}{bits}": 1 for n, kind in (("", "u"), ("n", "i")) for bits in (8, 16, 32, 64)}
    return AllTypes(**fields)


def text(value: str, delay_ms: int = 0) -> EchoRequest:
    return EchoRequest(value, delay_ms)


def test_a_handle_is_opened_read_and_closed(echo: Echo) -> None:
    batch = echo.batch()
    reader = batch.open("hello")
    first = batch.read(reader, 3)
    rest = batch.read(reader, 100)
    none = batch.read(reader, 1)
    batch.close(reader)
    batch.submit(PATIENCE)
    assert (first.result(), rest.result(), none.result()) == ("hel", "lo", None)
    with pytest.raises(BadHandleError):
        echo.read(reader.result(), 1, timeout=PATIENCE)


def test_fields_inside_objects_are_taken_and_given(echo: Echo) -> None:
    batch = echo.batch()
    some = batch.complex(ComplexRequest([text("one"), text("two")], ["t", "u"], None, None))
    # promises stand in fields of objects and in sequences, which only the annotations do not know
    inner: Any = some.summary
    other = batch.complex(ComplexRequest([EchoRequest(inner, 0), text("last")], [inner], inner, None))
    count = batch.sum(some.item_count, other.item_count)
    batch.submit(PATIENCE)
    summary = some.result().summary
    expected = echo.complex(ComplexRequest([text(summary), text("last")], [summary], summary, None), timeout=PATIENCE)
    assert other.result() == expected
    assert count.result() == some.result().item_count + expected.item_count
    assert inner.result() == summary


def test_promises_stand_in_maps(echo: Echo) -> None:
    batch = echo.batch()
    said: Any = batch.echo(text("x")).echoed
    number: Any = batch.sum(40, 2)
    inner: Any = batch.all(all_types())
    value = all_types()
    # as they travel the keys are 5, 300, -1: what is promised stands between others
    value.text_by_number = {-1: "minus", 300: said, 5: "five"}
    value.number_by_text = {"longer": 1, "n": number}
    value.objects_by_text = {"whole": inner.an_object, "of": EchoRequest(said, number)}
    given = batch.all(value)
    wrong: Any = all_types()
    wrong.number_by_text = {"n": said}
    refused = batch.all(wrong)
    taken: Any = given
    again = batch.echo(EchoRequest(taken.objects_by_text["of"].message, taken.number_by_text["n"]))
    gone = batch.sum(taken.number_by_text["gone"], 1)
    batch.submit(PATIENCE)
    expected = all_types()
    expected.text_by_number = {-1: "minus", 300: "p x", 5: "five"}
    expected.number_by_text = {"longer": 1, "n": 42}
    expected.objects_by_text = {"whole": expected.an_object, "of": EchoRequest("p x", 42)}
    assert given.result() == expected
    with pytest.raises(BadPayloadError, match="number_by_text"):
        refused.result()
    assert again.result().echoed == "p p x"
    assert (taken.number_by_text["n"].result(), taken.objects_by_text["of"].message.result()) == (42, "p x")
    for promise in (gone, taken.number_by_text["gone"]):
        with pytest.raises(BadPayloadError, match=r"number_by_text\.gone: missing$"):
            promise.result()
    for key in ("", "a.b", "a[0]", "]", "\0"):
        with pytest.raises(KeyError, match="a promise leads to no key"):
            _ = taken.number_by_text[key]
    # the core's paths have texts alone
    for number_key in ("5", 5):
        with pytest.raises((AttributeError, IndexError), match="what is promised has no"):
            _ = taken.text_by_number[number_key]


def test_a_chain_reaches_into_variants(echo: Echo) -> None:
    """What a case carries is taken and given; a result of another case fails what takes it, as an absent field does."""
    blue = DrawingByIsColoredTrueCase(DrawingTrue(Color.BLUE))
    label = ShapeLabelCase(ShapeLabel("x"))
    batch = echo.batch()
    drawn: Any = batch.draw(Drawing("d", [label, ShapeNothingCase()], blue), None)
    name = drawn.group.parts[0].caption.text
    inside = ShapeGroupCase(ShapeGroup([ShapeCaptionCase(ShapeLabel(name)), drawn.group.parts[1], drawn]))
    again: Any = batch.draw(Drawing(name, [inside], blue), drawn.group.parts[1])
    other = batch.draw(Drawing("o", [], blue), ShapeLabelCase(drawn.group.parts[0].caption))
    wrong = drawn.group.parts[0].label.text
    beyond = drawn.group.parts[2].circle
    opened = batch.open(wrong)
    failed = (opened, batch.draw(Drawing("w", [ShapeLabelCase(beyond)], blue), None), batch.maybe(wrong))
    skipped = batch.close(opened)
    batch.submit(PATIENCE)
    first = ShapeCaptionCase(ShapeLabel("d 7"))
    assert (name.result(), drawn.group.parts[1].label.result()) == ("d 7", ShapeLabel("x"))
    whole = ShapeGroupCase(ShapeGroup([first, label, drawn.result()]))
    assert again.result() == ShapeGroupCase(ShapeGroup([ShapeCaptionCase(ShapeLabel("d 7 7")), whole, label]))
    assert other.result() == ShapeGroupCase(
        ShapeGroup([ShapeCaptionCase(ShapeLabel("o 7")), ShapeLabelCase(ShapeLabel("d 7"))])
    )
    text, circle = r"group\.parts\[0\]\.label\.text: missing$", r"group\.parts\[2\]\.circle: missing$"
    for promise, message in zip((*failed, beyond), (text, circle, text, circle), strict=True):
        with pytest.raises(BadPayloadError, match=message):
            promise.result()
    with pytest.raises(BadPayloadError, match=r"^group\.parts\[0\]\.label: missing$"):
        wrong.result()
    with pytest.raises(SkippedError):
        skipped.result()
    with pytest.raises(AttributeError, match="no field 'nothing'"):
        _ = drawn.nothing


def test_what_failed_is_named_and_the_rest_runs(echo: Echo) -> None:
    batch = echo.batch()
    divided = batch.divide(1, 0)
    summed = batch.sum(divided, 1)
    version = batch.version(after=summed)
    failed = batch.fail("no")
    alone = batch.sum(1, 2)
    reader = batch.open("x")
    batch.close(reader)
    closed = batch.read(reader, 1)
    batch.submit(PATIENCE)
    with pytest.raises(RaisedDivideError):
        divided.result()
    for skipped in (summed, version):
        with pytest.raises(SkippedError, match="^request 0 of the chain failed, so this one did not run$"):
            skipped.result()
    with pytest.raises(FailedError, match="no"):
        failed.result()
    with pytest.raises(BadHandleError):
        closed.result()
    assert alone.result() == 3


def test_errors_name_the_request_and_the_field(echo: Echo) -> None:
    batch = echo.batch()
    nothing: Any = batch.maybe(None)
    wrong: Any = batch.bytes(b"12")
    tree: Any = batch.tree(Tree("root", []))
    beyond = tree.children[0].name
    batch.open(beyond)
    into_text = batch.open(wrong)
    missing = batch.open(nothing)
    batch.submit(PATIENCE)
    with pytest.raises(BadPayloadError, match="^text: wrong type$"):
        into_text.result()
    with pytest.raises(BadPayloadError, match="^text: missing$"):
        missing.result()
    with pytest.raises(BadPayloadError, match=r"^children\[0\]: missing$"):
        beyond.result()


def test_wrong_promises_are_refused(echo: Echo) -> None:
    batch, other = echo.batch(), echo.batch()
    reader = other.open("x")
    with pytest.raises(ValueError, match="another batch"):
        batch.read(reader, 1)
    with pytest.raises(AttributeError, match="no field 'none'"):
        _ = reader.none
    with pytest.raises(IndexError, match="no element 0"):
        _ = reader[0]
    with pytest.raises(EncodeError):
        batch.sum("one", 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not submitted"):
        reader.result()
    other.submit(PATIENCE)
    with pytest.raises(ValueError, match="make another"):
        other.open("y")
    for _ in range(65):
        batch.version()
    with pytest.raises(IngressError, match="1 to 64 requests"):
        batch.submit(PATIENCE)
    echo.batch().submit()


def test_a_deadline_ends_a_chain(echo: Echo) -> None:
    batch = echo.batch()
    slow = batch.spin(400)
    late = batch.sum(1, 2)
    skipped = batch.sum(late, 1)
    batch.submit(0.1)
    for promise in (late, skipped):
        with pytest.raises((DeadlineError, SkippedError)):
            promise.result()
    assert slow._call.is_answered
    assert echo.sum(1, 1, timeout=PATIENCE) == 2


def test_asyncio(echo: Echo) -> None:
    async def run() -> None:
        async with await AsyncEcho.create("q ", options=Options(wire=echo._wire)) as other:
            batch = other.batch()
            reader = batch.open("hello")
            read = batch.read(reader, 9)
            batch.close(reader)
            await batch.submit()
            assert read.result() == "hello"
            batch = other.batch()
            batch.nap(30_000)
            batch.sum(1, 2)
            task = asyncio.create_task(batch.submit())
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            # the library gives up the one that runs, so this one is not behind 30 s of it
            async with asyncio.timeout(20):
                while await other.cancellations() == 0:
                    await asyncio.sleep(0.02)

    asyncio.run(run())


def test_of_a_cancelled_batch_nothing_begins(echo: Echo) -> None:
    async def run() -> None:
        options = Options(wire=echo._wire)
        async with await AsyncEcho.create("q ", options=options) as other, other.echoed_events() as echoes:
            for _ in range(20):
                batch = other.batch()
                batch.spin(60_000)
                for _ in range(40):
                    batch.echo(text("late"))
                task = asyncio.create_task(batch.submit())
                await asyncio.sleep(0.005)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await other.echo(text("you"))
                event = await echoes.next()
                assert event is not None
                assert event.value.echoed == "q you"

    asyncio.run(run())


def test_a_context_that_ends_answers_its_chains(echo: Echo) -> None:
    other = Echo.create("p ", options=Options(destroy_timeout=0.3), timeout=PATIENCE)
    batch = other.batch()
    slow = batch.nap(30_000)
    after = batch.sum(1, 2)
    thread = threading.Thread(target=batch.submit)
    thread.start()
    time.sleep(0.3)
    with contextlib.suppress(DeadlineError):
        other.destroy(timeout=0.3)
    thread.join(PATIENCE)
    assert not thread.is_alive()
    for promise in (slow, after):
        with pytest.raises((ClosedError, CancelledError)):
            promise.result()


def test_the_program_of_the_page_runs() -> None:
    (found,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "ingress-chains.md").read_text(), re.M | re.S)
    path = os.pathsep.join(PATHS)
    done = subprocess.run(
        [sys.executable, "-c", found], capture_output=True, text=True, timeout=PATIENCE, check=False,
        env=os.environ | {"PYTHONPATH": path},
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("a text\n", 0), done.stderr


@pytest.mark.parametrize(
    ("language", "command"), [("c", ["cc", "-std=gnu11"]), ("cpp", ["c++", "-std=c++17"])], ids=["in_c", "in_cpp"]
)
def test_the_program_of_the_page_compiles_and_runs(language: str, command: list[str], tmp_path: Path) -> None:
    page = (ROOT / "docs" / "ingress-chains.md").read_text()
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)
    program = tmp_path / f"chain.{language}"
    program.write_text(found)
    library = Path(os.environ["ECHO_LIBRARY"]).parent
    folders = [library, BUILD / "lib"]
    subprocess.run(
        [*command, "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", program, "-o", tmp_path / "chain",
         f"-I{ROOT / 'include'}", f"-I{ROOT / 'build/echo' / language / 'include'}",
         *(f"-L{folder}" for folder in folders), "-lferryingress", "-lecho"],
        check=True, timeout=300,
    )  # fmt: skip
    paths = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [tmp_path / "chain"], capture_output=True, text=True, timeout=PATIENCE, check=False,
        env=os.environ | {"LD_LIBRARY_PATH": paths},
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("a text\n", 0), done.stderr


def test_the_program_of_the_page_runs_in_go(tmp_path: Path) -> None:
    (found,) = re.findall(r"^```go\n(.*?)^```", (ROOT / "docs" / "ingress-chains.md").read_text(), re.M | re.S)
    (tmp_path / "chain.go").write_text(found)
    write_go_mod(tmp_path, "chain")
    go = [GO, BUILD]
    subprocess.run([*go, "vet", "."], cwd=tmp_path, check=True, timeout=300)
    done = subprocess.run([*go, "run", "."], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("a text\n", 0), done.stderr


# ---- by chance -------------------------------------------------------------------------------------------------------

#: The way to a part of a value: names of fields and of cases, and places of elements.
Way = tuple[str | int, ...]


class Take(NamedTuple):
    """A part of the result of an earlier step, which stands in an argument."""

    step: int
    path: Way = ()
    #: Whether it stands where nothing may be.
    is_option: bool = False


class Draft(NamedTuple):
    """A value whose parts may be taken."""

    make: Callable[..., Any]
    parts: tuple[Any, ...]


CASES: dict[str, type[Any]] = {"label": ShapeLabelCase, "caption": ShapeCaptionCase, "group": ShapeGroupCase}
#: Where a drawn shape may have a shape, a label and a text: its name comes first, and then what it was drawn of.
SHAPES: tuple[Way, ...] = ((), ("group", "parts", 0), ("group", "parts", 1), ("group", "parts", 2))
LABELS: tuple[Way, ...] = tuple((*SHAPES[at], case) for at, case in ((1, "caption"), (1, "label"), (2, "label")))
TEXTS: tuple[Way, ...] = tuple((*path, "text") for path in LABELS)
#: Where a value of every type has a text, and a number, in its maps; one of the keys is not there.
MAPS = ("objects_by_text", "number_by_text")
MAP_TEXTS: tuple[Way, ...] = tuple((MAPS[0], key, "message") for key in ("kept", "kept", "gone"))
MAP_NUMBERS: tuple[Way, ...] = tuple((MAPS[1], key) for key in ("ü", "ü", "gone"))
NAMES = (
    "text", "number", "quotient", "open", "read", "read", "close", "close", "fail", "length", "noted", *("shape",) * 4,
    *("map",) * 2,
)  # fmt: skip
#: What a step gives, where it is no number.
KINDS = {"open": "handle", "read": "text", "text": "text", "shape": "shape", "noted": "flag", "map": "map"}
#: How often shapes that were drawn stand in each other: a message has at most 32 levels.
NESTED_MAX = 4


def walked(argument: Any) -> Iterator[Take]:
    """Yield what is taken in an argument."""
    if isinstance(argument, Take):
        yield argument
    elif isinstance(argument, Draft | list):
        for part in argument.parts if isinstance(argument, Draft) else argument:
            yield from walked(part)


def filled(argument: Any, take: Callable[[Take], Any]) -> Any:
    """Return the argument with something in the place of each part that is taken."""
    if isinstance(argument, Take):
        return take(argument)
    if isinstance(argument, Draft):
        return argument.make(*(filled(part, take) for part in argument.parts))
    return [filled(part, take) for part in argument] if isinstance(argument, list) else argument


def with_maps(request: EchoRequest, number: int) -> AllTypes:
    value = all_types()
    value.objects_by_text = {"kept": request}
    value.number_by_text = {"more": 7, "ü": number}
    return value


class Program:
    """A program by chance, of calls whose arguments are constants, results of earlier calls, and drafts of these."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.steps: list[tuple[str, tuple[Any, ...]]] = []
        self.kinds: list[str] = []
        #: How often drawn shapes stand in each other, by the step.
        self.nested: list[int] = []
        for _ in range(self.draw.randint(1, 24)):
            name = self.draw.choice(NAMES)
            args = self._arguments(name)
            if args == (None,):
                continue
            self.nested.append(1 + max((self.nested[take.step] for arg in args for take in walked(arg)), default=0))
            self.steps.append((name, args))
            self.kinds.append(KINDS.get(name, "number"))

    def _arguments(self, name: str) -> tuple[Any, ...]:
        draw = self.draw
        if name == "text":
            return (Draft(EchoRequest, (self._text(draw.choice(("", "a", "ü" * 40))), draw.choice((0, 0, 1)))),)
        if name in ("number", "quotient"):
            return self._number(draw.randint(-5, 5)), self._number(draw.choice((0, 1, 3)))
        if name == "map":
            kept = Draft(EchoRequest, (self._text("kept"), 0))
            return (Draft(with_maps, (kept, self._number(1))),)
        if name == "length":
            return (Draft(ComplexRequest, ([], [self._text("some"), self._text("b")], None, None)),)
        if name == "noted":
            return (Draft(ComplexRequest, ([], [], self._text(None, is_option=True), None)),)
        if name == "shape":
            return self._drawing(), draw.choice((None, self._shape(), self._taken("shape", None, SHAPES)))
        return (self._text("some") if name in ("open", "fail") else self._taken("handle", None),)

    def _taken(self, kind: str, constant: Any, paths: tuple[Way, ...] = ((),), *, is_option: bool = False) -> Any:
        """Take a part of an earlier result of a kind, if there is one, or the constant."""
        earlier = [step for step, found in enumerate(self.kinds) if found == kind and self.nested[step] <= NESTED_MAX]
        if not earlier or self.draw.random() < 0.3:
            return constant
        return Take(self.draw.choice(earlier), self.draw.choice(paths), is_option)

    def _number(self, constant: int) -> Any:
        if self.draw.random() < 0.3:
            return self._taken("map", constant, MAP_NUMBERS)
        return self._taken("number", constant)

    def _text(self, constant: str | None, *, is_option: bool = False) -> Any:
        kind = self.draw.random()
        if kind < 0.2:
            return self._taken("map", constant, MAP_TEXTS, is_option=is_option)
        if kind < 0.5:
            return self._taken("shape", constant, TEXTS, is_option=is_option)
        return self._taken("text", constant, is_option=is_option)

    def _shape(self) -> Any:
        """Draw a shape of which parts, or all of it, may be taken."""
        kind = self.draw.choice(("taken", "label", "caption", "carried", "group"))
        if kind == "group":
            return Draft(ShapeGroupCase, (Draft(ShapeGroup, ([self._shape(), ShapeNothingCase()],)),))
        label = Draft(ShapeLabel, (self._text("x"),))
        if kind == "carried":
            return Draft(ShapeLabelCase, (self._taken("shape", label, LABELS),))
        whole = Draft(CASES.get(kind, ShapeLabelCase), (label,))
        return self._taken("shape", whole, SHAPES) if kind == "taken" else whole

    def _drawing(self) -> Draft:
        color = self.draw.choice((DrawingByIsColoredFalseCase(), DrawingByIsColoredTrueCase(DrawingTrue(Color.BLUE))))
        return Draft(Drawing, (self._text("d"), [self._shape() for _ in range(self.draw.randint(0, 2))], color))

    def run(self, make: Callable[[str, tuple[Any, ...], list[Any]], Any]) -> list[Any]:
        """Make each call, by its name, its arguments and the results so far."""
        made: list[Any] = []
        for name, args in self.steps:
            made.append(make(name, args, made))
        return made


#: What the names call.
METHODS = {
    "number": "sum", "quotient": "divide", "shape": "draw", "text": "echo", "length": "complex", "noted": "complex",
    "map": "all",
}  # fmt: skip
#: The field of the result that is the step's.
FIELDS = {"text": "echoed", "length": "item_count", "noted": "has_note"}


def promised(made: list[Any], take: Take) -> Any:
    promise = made[take.step]
    for part in take.path:
        promise = promise[part]
    return promise


def make_in_batch(batch: EchoBatch) -> Callable[[str, tuple[Any, ...], list[Any]], Promise[Any]]:
    def make(name: str, args: tuple[Any, ...], made: list[Any]) -> Promise[Any]:
        arguments = [filled(arg, lambda take: promised(made, take)) for arg in args]
        promise: Promise[Any] = getattr(batch, METHODS.get(name, name))(*arguments, *((2,) if name == "read" else ()))
        return getattr(promise, FIELDS[name]) if name in FIELDS else promise

    return make


class Failed:
    """What a call in turn failed with, which is what the calls that need it fail with."""

    def __init__(self, status: Status) -> None:
        self.status = status


def part_of(value: Any, path: Way) -> Any:
    """Return a part of a value, None where there is none."""
    for part in path:
        if isinstance(part, int):
            value = value[part] if part < len(value) else None
        elif part in CASES:
            value = value.value if isinstance(value, CASES[part]) else None
        elif isinstance(value, dict):
            value = value.get(part)
        else:
            value = getattr(value, part)
        if value is None:
            return None
    return value


def make_in_turn(echo: Echo) -> Callable[[str, tuple[Any, ...], list[Any]], Any]:
    def make(name: str, args: tuple[Any, ...], made: list[Any]) -> Any:
        wrong: set[Status] = set()

        def take(taken: Take) -> Any:
            value = made[taken.step]
            if isinstance(value, Failed):
                wrong.add(Status.SKIPPED)
                return None
            found = part_of(value, taken.path)
            # a whole result that is an option may be given where one may be; a part that is not there is missing
            if found is None and (taken.path or not taken.is_option):
                wrong.add(Status.BAD_PAYLOAD)
            return found

        arguments = [filled(arg, take) for arg in args]
        if wrong:
            return Failed(Status.SKIPPED if Status.SKIPPED in wrong else Status.BAD_PAYLOAD)
        try:
            method = getattr(echo, METHODS.get(name, name))
            value = method(*arguments, *((2,) if name == "read" else ()), timeout=PATIENCE)
            return getattr(value, FIELDS[name]) if name in FIELDS else value
        except IngressError as error:
            return Failed(Status(error.status))

    return make


def outcome(promise: Promise[Any]) -> Any:
    try:
        return promise.result()
    except IngressError as error:
        return Failed(Status(error.status))


def comparable(name: str, value: Any) -> Any:
    if isinstance(value, Failed):
        return value.status
    return "a handle" if name == "open" else value


@pytest.mark.parametrize("part", range(4))
def test_a_chain_gives_what_calls_in_turn_give(echo: Echo, part: int) -> None:
    seen: dict[Any, int] = {}
    for seed in range(part * 60, part * 60 + 60):
        program = Program(seed)
        batch = echo.batch()
        promises = program.run(make_in_batch(batch))
        batch.submit(PATIENCE)
        expected = program.run(make_in_turn(echo))
        for (name, args), promise, value in zip(program.steps, promises, expected, strict=True):
            assert comparable(name, outcome(promise)) == comparable(name, value), (seed, program.steps)
            status = value.status if isinstance(value, Failed) else Status.OK
            of_map = any(take.path and take.path[0] in MAPS for arg in args for take in walked(arg))
            for what in {name, "of a map" if of_map else name}:
                seen[what, status] = seen.get((what, status), 0) + 1
    assert {status for _, status in seen} >= {Status.FAILED, Status.RAISED, Status.SKIPPED, Status.BAD_HANDLE}
    # drafts come to something, and also to what is not there
    assert min(seen["shape", status] for status in (Status.OK, Status.RAISED, Status.SKIPPED, Status.BAD_PAYLOAD)) >= 10
    assert min(seen["of a map", status] for status in (Status.OK, Status.SKIPPED, Status.BAD_PAYLOAD)) >= 10


def test_chains_of_many_threads(echo: Echo) -> None:
    """Each thread's chains are answered in full, beside the others."""
    done: list[int] = []

    def run(number: int) -> None:
        for round_ in range(40):
            batch = echo.batch()
            reader = batch.open(f"{number} {round_}")
            read = batch.read(reader, 99)
            batch.close(reader)
            try:
                batch.submit(PATIENCE)
            except QueueFullError:
                continue
            assert read.result() == f"{number} {round_}"
        done.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(done) == [0, 1, 2, 3]

# SPDX-License-Identifier: BSD-3-Clause
"""The conformance program in Python: everything that examples/echo/echo.json offers, blocking and by asyncio, in both
wire formats. What C, C++ and Rust check, this does.

long: one list of cases.
"""

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from paths import BUILD, ROOT

HOST = ROOT / "hosts" / "python" / "src"
PACKAGE = ROOT / "build" / "echo" / "python" / "src"
#: How the program finds the libraries and the packages; test_providers.py has it call others than the library in Nim.
ENVIRONMENT = {
    "ECHO_LIBRARY": os.environ.get("ECHO_LIBRARY", str(BUILD / "nim" / "lib" / "libecho.so")),
    "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
}
os.environ.update(ENVIRONMENT)
sys.path[:0] = [str(HOST), str(PACKAGE)]

import echo  # noqa: E402 - after its path
from echo import (  # noqa: E402
    LOWEST,
    AsyncEcho,
    Chorus,
    Color,
    ComplexRequest,
    Consultation,
    CountError,
    CountRequest,
    Counts,
    DivideError,
    DrawErrorEmptyCase,
    DrawErrorTooMany,
    DrawErrorTooManyCase,
    Drawing,
    DrawingByIsColoredFalseCase,
    DrawingByIsColoredTrueCase,
    DrawingTrue,
    Echo,
    EchoRequest,
    Options,
    ParseError,
    PickAsked,
    PickError,
    RaisedCountError,
    RaisedDivideError,
    RaisedDrawError,
    RaisedParseError,
    RaisedPickError,
    Shape,
    ShapeCaptionCase,
    ShapeCircle,
    ShapeCircleCase,
    ShapeGroup,
    ShapeGroupCase,
    ShapeLabel,
    ShapeLabelCase,
    ShapeNothingCase,
    ShapeSquare,
    ShapeSquareCase,
    Wire,
)
from ferry_ingress import (  # noqa: E402
    BadHandleError,
    BadPayloadError,
    ClosedError,
    DeadlineError,
    EncodeError,
    Event,
    FailedError,
    IngressError,
    QueueFullError,
    RaisedError,
    ReentrantError,
    Status,
    TooLargeError,
    core,
)

T = TypeVar("T")
#: Waits for what other threads do are bounded, so that a fault is a failure and not a hang.
PATIENCE = 60.0
NOTHING = EchoRequest("", 0)
#: The number of the method `ticks`.
TICKS = 9


@pytest.fixture(params=list(Wire), ids=lambda wire: wire.name)
def wire(request: pytest.FixtureRequest) -> Wire:
    assert isinstance(request.param, Wire)
    return request.param


@pytest.fixture
def host(wire: Wire) -> Iterator[Echo]:
    with Echo.create("hi ", options=Options(wire=wire), timeout=PATIENCE) as made:
        yield made


def run(made: Callable[[AsyncEcho], Awaitable[T]], options: Options | None = None) -> T:
    """Run a coroutine function with a context of its own."""

    async def main() -> T:
        async with asyncio.timeout(PATIENCE), await AsyncEcho.create("hi ", options=options) as host:
            return await made(host)

    return asyncio.run(main())


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def all_types() -> echo.AllTypes:
    return echo.AllTypes(
        True, -128, -32768, -(1 << 31), -(1 << 63), 255, 65535, (1 << 32) - 1, (1 << 64) - 1, 1.5, 1e300, "wörld\0",
        bytes(range(256)), echo.Color.BLUE, EchoRequest("inside", 7),
        [0.1, -2.0, float("inf")], [True, False], [echo.Color.RED], [[1, 2], [], [-3]], ["a", None, ""], [b"", b"\0"],
        {-1: "minus", 5: "five"}, {"b": 1, "aa": 2, "": 3}, {"k": EchoRequest("v", -1)},
        maybe_text="some", maybe_color=echo.Color.NONE,
    )  # fmt: skip


def test_constants() -> None:
    assert (echo.MAX_DELAY_MS, echo.GREETING, echo.HALF, echo.DEBUG) == (60_000, 'hello, "wörld"', 0.5, False)
    assert echo.LOWEST == -(1 << 63)


def test_statics_need_no_context() -> None:
    async def both() -> tuple[str, int]:
        return await AsyncEcho.version(), await AsyncEcho.sum(echo.LOWEST, -1)

    assert Echo.version(timeout=PATIENCE) == "0.1.0"
    assert Echo.sum(-5, 47) == 42
    assert asyncio.run(both()) == ("0.1.0", (1 << 63) - 1)


def test_another_interface_is_refused() -> None:
    other = core.Library("echo", 1)
    with pytest.raises(IngressError) as caught:
        other.static_context()
    assert caught.value.status == Status.WRONG_INTERFACE


def test_echo_in_every_form(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        assert (await host.echo(EchoRequest("you", 0))).echoed == "hi you"
        assert (await host.echo(EchoRequest("later", 30))).echoed == "hi later"

    assert host.echo(EchoRequest("you", 0)).echoed == "hi you"
    assert host.echo(EchoRequest("later", 30), timeout=PATIENCE).echoed == "hi later"
    run(other, Options(wire=wire))


def test_values_of_every_type(host: Echo, wire: Wire) -> None:
    value = all_types()
    root = echo.Tree("root", [echo.Tree("leaf", []), echo.Tree("", [echo.Tree("deep", [])])])

    async def other(host: AsyncEcho) -> None:
        assert await host.all(value) == value
        assert await host.tree(root) == root
        assert await host.maybe(None) is None

    assert host.all(value) == value
    assert host.tree(root) == root
    assert [host.maybe(text) for text in (None, "", "some")] == [None, "", "some"]
    run(other, Options(wire=wire))


def test_trees_are_bounded(host: Echo) -> None:
    def levels(count: int) -> echo.Tree:
        # a tree and the sequence in it are two levels, the parameters are one
        tree = echo.Tree("t", [])
        for _ in range(count - 1):
            tree = echo.Tree("t", [tree])
        return tree

    assert host.tree(levels(15)) == levels(15)
    with pytest.raises(EncodeError, match="nested too deep"):
        host.tree(levels(17))
    assert host.maybe("still here") == "still here"


def test_complex(host: Echo) -> None:
    several = ComplexRequest([EchoRequest("a", 1), EchoRequest("b", 2)], ["x", "y"], "note", None)
    assert host.complex(several) == echo.ComplexResponse("a,b;x,y", 4, True, -1)
    assert host.complex(ComplexRequest([], [], None, 7)) == echo.ComplexResponse(";", 0, False, 7)


def test_bytes_of_every_size(host: Echo, wire: Wire) -> None:
    sizes = (0, 1, 100, 511, 512, 513, 65_536, 1 << 20)

    async def other(host: AsyncEcho) -> None:
        for size in sizes:
            assert await host.bytes(bytes(size)) == bytes(size)

    for size in sizes:
        blob = bytes(index * 7 & 255 for index in range(size))
        assert host.bytes(blob) == blob
    run(other, Options(wire=wire))


def test_failures_have_their_status_and_message(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        with pytest.raises(FailedError, match="^wöy$"):
            await host.fail("wöy")

    with pytest.raises(FailedError, match="^wöy$") as caught:
        host.fail("wöy")
    assert caught.value.status == Status.FAILED
    run(other, Options(wire=wire))


def test_a_variant_has_one_of_its_cases(host: Echo, wire: Wire) -> None:
    def label(text: str) -> Shape:
        return ShapeLabelCase(ShapeLabel(text))

    nested = ShapeGroupCase(ShapeGroup([label("l"), ShapeGroupCase(ShapeGroup([]))]))
    shapes: list[Shape] = [
        *(ShapeCircleCase(ShapeCircle(1.5)), ShapeSquareCase(ShapeSquare(2, 45)), ShapeNothingCase()),
        *(ShapeCaptionCase(ShapeLabel("c")), nested),
    ]
    drawing = Drawing("d", shapes, DrawingByIsColoredTrueCase(DrawingTrue(Color.BLUE)))
    whole = ShapeGroupCase(ShapeGroup([ShapeCaptionCase(ShapeLabel("d 7")), *shapes, label("x")]))
    with host.drawn_events() as events:
        assert host.draw(drawing, label("x")) == whole
        assert next(iter(events)).value == whole
    match host.draw(Drawing("d", shapes, DrawingByIsColoredFalseCase()), None):
        case ShapeGroupCase(ShapeGroup([ShapeLabelCase(ShapeLabel(text)), *_])):
            assert text == "d"
        case other:
            pytest.fail(f"draw gave {other}")
    with pytest.raises(RaisedDrawError) as raised:
        host.draw(Drawing("d", [], DrawingByIsColoredFalseCase()), None)
    assert raised.value.value == DrawErrorEmptyCase()
    with pytest.raises(RaisedDrawError) as raised:
        host.draw(Drawing("d", [ShapeNothingCase()] * 101, DrawingByIsColoredFalseCase()), None)
    assert raised.value.value == DrawErrorTooManyCase(DrawErrorTooMany(101))
    with pytest.raises(EncodeError, match="is no case of its variant"):
        host.draw(Drawing("d", [ShapeLabel("x")], DrawingByIsColoredFalseCase()), None)  # type: ignore[list-item]


def test_errors_have_their_type(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        with pytest.raises(RaisedDivideError) as caught:
            await host.divide(7, 0)
        assert caught.value.value is DivideError.BY_ZERO
        with pytest.raises(RaisedParseError):
            await AsyncEcho.parse("x")

    with pytest.raises(RaisedDivideError, match="BY_ZERO") as divided:
        host.divide(7, 0)
    assert divided.value.status == Status.RAISED
    assert divided.value.value is DivideError.BY_ZERO
    with pytest.raises(RaisedError, match="OVERFLOW"):
        host.divide(LOWEST, -1)
    assert host.divide(7, -2) == -3
    with pytest.raises(RaisedParseError) as parsed:
        Echo.parse("12x")
    assert parsed.value.value == ParseError("no digit", 2)
    with pytest.raises(FailedError, match="^there is no text$"):
        Echo.parse("")
    assert Echo.parse("12") == 12
    run(other, Options(wire=wire))


def test_what_is_left_out_has_its_default(host: Echo) -> None:
    assert Echo.sing(Chorus("ho")) == "ho, ho, ho! 7"
    assert Echo.sing(Chorus("ho", times=4)) == "ho, ho, ho, ho, ho, ho! 7"
    whole = Chorus("a", 2.0, "-", False, echo.Color.NONE, remark="so: ", times=1)
    assert Echo.sing(whole) == "so: a-a -1"
    assert host.echo(EchoRequest("you")).echoed == "hi you"
    assert ComplexRequest([], []) == ComplexRequest([], [], note=None, retries=None)
    with pytest.raises(TypeError, match="text"):
        Chorus(times=1)  # type: ignore[call-arg]


def test_a_constructor_that_fails_leaves_nothing(wire: Wire) -> None:
    options = Options(wire=wire)

    async def other() -> None:
        with pytest.raises(FailedError, match="the prefix says to fail"):
            await AsyncEcho.create("fail", options=options)

    for _ in range(100):
        with pytest.raises(FailedError, match="the prefix says to fail"):
            Echo.create("fail", options=options)
    for _ in range(20):
        asyncio.run(other())
    with Echo.create("fine ") as host:
        assert host.echo(EchoRequest("so", 0)).echoed == "fine so"


def test_a_payload_that_is_no_value_is_refused_with_its_path(host: Echo) -> None:
    bad = b"\xa1\x67request\xa2\x67message\x61\xff\x68delay_ms\x00"
    with pytest.raises(BadPayloadError, match=r"^request\.message: invalid UTF-8$"):
        core.ask(host._token, 2, Wire.CBOR, bad, core.FOREVER)


def test_deadlines(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(host.echo(EchoRequest("late", 300)), 0.02)
        assert (await host.echo(EchoRequest("still here", 0))).echoed == "hi still here"
        # the late reply is dropped, and nobody is told
        await asyncio.sleep(0.4)

    with pytest.raises(DeadlineError):
        host.echo(EchoRequest("late", 300), timeout=0.02)
    with pytest.raises(TimeoutError):
        host.echo(EchoRequest("late", 300), timeout=0.02)
    assert host.echo(EchoRequest("still here", 0)).echoed == "hi still here"
    run(other, Options(wire=wire))


def test_a_cancelled_call_is_seen_by_the_library(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        events = host.echoed_events()
        tasks = [asyncio.create_task(host.nap(60_000)), asyncio.create_task(host.spin(60_000))]
        await asyncio.sleep(0.02)
        tasks.append(asyncio.create_task(host.echo(EchoRequest("never", 0))))  # type: ignore[arg-type]
        await asyncio.sleep(0.02)
        for task in reversed(tasks):
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in done)
        while await host.cancellations() < 2:
            await asyncio.sleep(0.001)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(host.nap(60_000), 0.02)
        while await host.cancellations() < 3:
            await asyncio.sleep(0.001)
        assert (await host.echo(EchoRequest("you", 0))).echoed == "hi you"
        event = await events.next()
        assert event is not None
        assert event.value.echoed == "hi you"

    # a handler that asks sees that nobody waits any more
    with pytest.raises(DeadlineError):
        host.spin(60_000, timeout=0.02)
    assert host.cancellations() == 1
    run(other, Options(wire=wire))


def test_a_running_request_says_so() -> None:
    told: list[int] = []

    async def ending() -> None:
        host = await AsyncEcho.create("", options=Options(stale=0.02, on_stale=told.append))
        slow = asyncio.create_task(host.echo(EchoRequest("slow", 60_000)))
        while len(told) < 2:
            await asyncio.sleep(0.01)
        with pytest.raises(DeadlineError):
            await host.destroy(0.001)
        with pytest.raises(ClosedError):
            await slow

    asyncio.run(ending())
    assert set(told) == {2}


def test_a_full_queue_is_refused() -> None:
    async def full(host: AsyncEcho) -> None:
        held = [asyncio.create_task(host.echo(EchoRequest("wait", 200))) for _ in range(8)]
        await asyncio.sleep(0)
        with pytest.raises(QueueFullError):
            await host.echo(NOTHING)
        assert {response.echoed for response in await asyncio.gather(*held)} == {"hi wait"}
        assert (await host.echo(EchoRequest("again", 0))).echoed == "hi again"

    run(full, Options(queue_depth=8))


def test_a_payload_over_the_limit_is_refused(wire: Wire) -> None:
    with Echo.create("", options=Options(wire=wire, payload_bytes=2000)) as host:
        with pytest.raises(TooLargeError):
            host.bytes(bytes(4000))
        assert len(host.bytes(bytes(1000))) == 1000


def test_what_waits_when_a_context_ends_is_told(wire: Wire) -> None:
    async def ending() -> list[object]:
        host = await AsyncEcho.create("", options=Options(wire=wire))
        held = [asyncio.create_task(host.echo(EchoRequest("slow", 60_000))) for _ in range(20)]
        # in order, so those run when this is answered
        await asyncio.create_task(host.echo(NOTHING))
        with pytest.raises(DeadlineError):
            await host.destroy(0.05)
        with pytest.raises(ClosedError):
            await host.echo(NOTHING)
        return list(await asyncio.gather(*held, return_exceptions=True))

    results = asyncio.run(ending())
    assert {type(result) for result in results} == {ClosedError}


def test_contexts_end_with_their_owner(wire: Wire) -> None:
    for count in range(100):
        host = Echo.create("x", options=Options(wire=wire))
        assert host.echo(EchoRequest(str(count), 0)).echoed == f"x{count}"
        token = host._token
        if count % 2:
            host.destroy()
        del host
        with pytest.raises(ClosedError):
            core.ask(token, 2, wire, b"", core.FOREVER)


def test_a_closed_reader_is_never_another(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        reader = await host.open("abc")
        assert await host.read(reader, 10) == "abc"
        await host.close(reader)
        with pytest.raises(BadHandleError):
            await host.read(reader, 1)

    reader = host.open("abcdef")
    assert [host.read(reader, 4) for _ in range(3)] == ["abcd", "ef", None]
    host.close(reader)
    uses: list[Callable[[], object]] = [
        lambda: host.read(reader, 1),
        lambda: host.close(reader),
        lambda: host.read(echo.Reader(0), 1),
    ]
    for use in uses:
        with pytest.raises(BadHandleError):
            use()
    second = host.open("second")
    assert second != reader
    with Echo.create("") as stranger, pytest.raises(BadHandleError):
        stranger.read(second, 1)
    run(other, Options(wire=wire))


#: A count without an end that a test would reach.
ENDLESS = CountRequest(1 << 31)
MINUTE_MS = 60_000


def test_streams_give_every_value(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        for count in (0, 1, 255, 256, 257, 1000):
            assert [each.number async for each in host.count(CountRequest(count))] == list(range(count))
        assert [each.number async for each in host.count(CountRequest(50), credits=1)] == list(range(50))

    for count in (0, 1, 255, 256, 257, 1000):
        assert [each.number for each in host.count(CountRequest(count), timeout=PATIENCE)] == list(range(count))
    assert [each.number for each in host.count(CountRequest(50), credits=1)] == list(range(50))
    large = CountRequest(50, text_bytes=10_000)
    assert [each.text for each in host.count(large)] == ["x" * 10_000] * 50
    assert [each.number for each in host.count(CountRequest(3, delay_ms=1))] == [0, 1, 2]
    run(other, Options(wire=wire))


def test_a_stream_may_fail_midway(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        stream = host.count(CountRequest(1000, fail_at=500))
        assert [(await anext(stream)).number for _ in range(500)] == list(range(500))
        with pytest.raises(RaisedCountError):
            await anext(stream)
        assert (await host.counting()).running == 0

    for failing in (500, 0):
        stream = host.count(CountRequest(1000, fail_at=failing), timeout=PATIENCE)
        assert [next(stream).number for _ in range(failing)] == list(range(failing))
        with pytest.raises(RaisedCountError) as caught:
            next(stream)
        assert caught.value.value is CountError.TOO_FAR
        assert list(stream) == []
    with pytest.raises(FailedError, match="the delay has to be"):
        next(host.count(CountRequest(1, delay_ms=-1)))
    for delay_ms in (-1, 60001, 2**63 - 1):
        with pytest.raises(FailedError, match="the delay has to be"):
            host.echo(EchoRequest("", delay_ms))
    assert host.counting() == Counts(running=0, stopped=0, given=500)
    run(other, Options(wire=wire))


def test_a_stream_that_is_left_is_seen_by_the_library(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        async with host.count(ENDLESS) as stream:
            assert [(await anext(stream)).number for _ in range(20)] == list(range(20))
        silent = host.count(CountRequest(1, delay_ms=MINUTE_MS))
        assert (await host.counting()).running > 0
        silent.close()
        with pytest.raises(StopAsyncIteration):
            await anext(silent)
        last = host.count(ENDLESS)
        await anext(last)
        del last
        gc.collect()
        while (await host.counting()).running > 0:
            await asyncio.sleep(0.001)
        assert (await host.counting()).stopped == 3

    with host.count(ENDLESS, timeout=PATIENCE) as stream:
        assert [next(stream).number for _ in range(20)] == list(range(20))
    silent = host.count(CountRequest(1, delay_ms=MINUTE_MS), timeout=0.02)
    with pytest.raises(DeadlineError):
        next(silent)
    silent.close()
    assert list(silent) == []
    last = host.count(ENDLESS)
    next(last)
    del last
    gc.collect()
    until(lambda: host.counting().running == 0)
    assert host.counting().stopped == 3
    run(other, Options(wire=wire))


def test_a_slow_host_holds_a_stream_up(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        async with host.count(ENDLESS, credits=16) as stream:
            await anext(stream)
            await asyncio.sleep(0.02)
            assert (await host.counting()).given <= 33
            assert (await host.echo(EchoRequest("beside"))).echoed == "hi beside"

    with host.count(ENDLESS, credits=16, timeout=PATIENCE) as stream:
        next(stream)
        time.sleep(0.02)
        assert host.counting().given <= 33
        assert host.echo(EchoRequest("beside")).echoed == "hi beside"
    before = host.counting().given
    with host.count(CountRequest(1 << 31, text_bytes=30_000), timeout=PATIENCE) as stream:
        next(stream)
        time.sleep(0.02)
        assert host.counting().given - before <= 8
    run(other, Options(wire=wire))


def test_a_deadline_of_a_stream_loses_nothing(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        stream = host.count(CountRequest(2, delay_ms=100))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await anext(stream)
        assert [each.number async for each in stream] == [0, 1]

    stream = host.count(CountRequest(2, delay_ms=100), timeout=0.02)
    found: list[int] = []
    late = 0
    while len(found) < 2:
        try:
            found.append(next(stream).number)
        except DeadlineError:
            late += 1
    assert found == [0, 1]
    assert late > 0
    assert list(stream) == []
    run(other, Options(wire=wire))


def test_streams_go_side_by_side(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        async def sum_of(count: int) -> int:
            return sum([each.number async for each in host.count(CountRequest(count), credits=7)])

        assert tuple(await asyncio.gather(sum_of(300), sum_of(400))) == (300 * 299 // 2, 400 * 399 // 2)

    first = host.count(CountRequest(300), credits=7, timeout=PATIENCE)
    second = host.count(CountRequest(300), timeout=PATIENCE)
    for number, (one, two) in enumerate(zip(first, second, strict=True)):
        assert one.number == two.number == number
        if number % 50 == 0:
            assert host.echo(EchoRequest(str(number))).echoed == f"hi {number}"
    with ThreadPoolExecutor(4) as threads:
        sums = threads.map(lambda _: sum(each.number for each in host.count(CountRequest(1000), credits=9)), range(8))
        assert list(sums) == [1000 * 999 // 2] * 8
    run(other, Options(wire=wire))


def test_a_stream_of_values_ends_with_its_context(wire: Wire) -> None:
    async def ending() -> None:
        host = await AsyncEcho.create("", options=Options(wire=wire))
        stream, silent = host.count(ENDLESS), host.count(CountRequest(1, delay_ms=MINUTE_MS))
        await anext(stream)
        waiting = asyncio.ensure_future(anext(silent))
        await asyncio.sleep(0.01)
        await host.destroy(PATIENCE)
        with pytest.raises(ClosedError):
            await waiting
        with pytest.raises(ClosedError):
            async for _ in stream:
                pass
        with pytest.raises(ClosedError):
            host.count(ENDLESS)

    host = Echo.create("", options=Options(wire=wire), timeout=PATIENCE)
    stream, silent = host.count(ENDLESS), host.count(CountRequest(1, delay_ms=MINUTE_MS))
    next(stream)
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(next, silent)
        time.sleep(0.01)
        host.destroy(PATIENCE)
        with pytest.raises(ClosedError):
            waiting.result(PATIENCE)
    with pytest.raises(ClosedError):
        list(stream)
    with pytest.raises(ClosedError):
        host.count(ENDLESS)
    stream.close()
    asyncio.run(ending())


CHOICES = ["tea", "coffee"]
WAIT_MS = int(1000 * PATIENCE)


def picked(asked: PickAsked) -> int:
    """What the host's function does: it answers, refuses or fails, as the title says."""
    if asked.title == "refuse":
        raise RaisedPickError(PickError.NONE_FITS)
    if asked.title == "fail":
        raise RuntimeError("no idea")
    return asked.choices.index(asked.title)


def test_questions_are_answered(host: Echo, wire: Wire) -> None:
    with host.answer_pick(picked):
        for _ in range(3):
            answered = host.consult("coffee", CHOICES, WAIT_MS, timeout=PATIENCE)
            assert (answered.outcome, answered.text) == (Consultation.ANSWERED, "coffee")
            assert host.consult("refuse", CHOICES, WAIT_MS).outcome == Consultation.REFUSED
            failed = host.consult("fail", CHOICES, WAIT_MS)
            assert (failed.outcome, failed.text) == (Consultation.FAILED, "no idea")
    with host.answer_pick(lambda asked: -1):  # no u32
        failed = host.consult("coffee", CHOICES, WAIT_MS)
        assert failed.outcome == Consultation.FAILED
        assert "value" in failed.text
    assert host.asking() == 0

    async def slowly(asked: PickAsked) -> int:
        await asyncio.sleep(0.001)
        return picked(asked)

    async def awaited(host: AsyncEcho) -> list[Consultation]:
        async with host.answer_pick(slowly):
            titles = ("tea", "refuse", "fail")
            found = await asyncio.gather(*(host.consult(title, CHOICES, WAIT_MS) for title in titles))
        async with host.answer_pick(picked):
            found.append(await host.consult("tea", CHOICES, WAIT_MS))
        return [each.outcome for each in found]

    outcomes = [Consultation.ANSWERED, Consultation.REFUSED, Consultation.FAILED, Consultation.ANSWERED]
    assert run(awaited, Options(wire=wire)) == outcomes


def test_questions_that_nobody_answers_end(host: Echo) -> None:
    assert host.consult("tea", CHOICES, WAIT_MS).outcome == Consultation.UNHEARD
    with host.pick_events() as questions:
        assert host.consult("tea", CHOICES, 20).outcome == Consultation.TOO_LATE
        late = questions.wait(PATIENCE)
        assert late
        with pytest.raises(BadHandleError):
            host.pick_return(late.value.question, 0)
        with ThreadPoolExecutor() as pool:
            left = pool.submit(host.consult, "tea", CHOICES, WAIT_MS)
            assert questions.wait(PATIENCE)
            questions.close()
            assert left.result(PATIENCE).outcome == Consultation.UNHEARD
    assert host.asking() == 0


def test_a_question_is_answered_once(host: Echo, wire: Wire) -> None:
    other = Echo.create("", options=Options(wire=wire))
    with ThreadPoolExecutor() as pool, host.pick_events() as questions, other as by:
        calls = {title: pool.submit(host.consult, title, CHOICES, WAIT_MS) for title in CHOICES}
        heard = [event.value for event in (questions.wait(PATIENCE), questions.wait(PATIENCE)) if event]
        assert sorted(each.title for each in heard) == sorted(CHOICES)
        with pytest.raises(BadHandleError):
            by.pick_return(heard[0].question, 0)
        for asked in reversed(heard):
            pool.submit(host.pick_return, asked.question, picked(asked)).result(PATIENCE)
            with pytest.raises(BadHandleError):
                host.pick_return(asked.question, 0)
            with pytest.raises(BadHandleError):
                host.pick_raise(asked.question, PickError.NONE_FITS)
            with pytest.raises(BadHandleError):
                host.pick_fail(asked.question, "again")
        assert {title: call.result(PATIENCE).text for title, call in calls.items()} == {each: each for each in CHOICES}


def test_a_question_ends_with_its_call(host: Echo, wire: Wire) -> None:
    async def cancelled(host: AsyncEcho) -> None:
        questions = host.pick_events()
        call = asyncio.create_task(host.consult("tea", CHOICES, WAIT_MS))
        event = await questions.next()
        assert event
        assert await host.asking() == 1
        call.cancel()
        while await host.asking():
            await asyncio.sleep(0.001)
        with pytest.raises(BadHandleError):
            await host.pick_return(event.value.question, 0)

    run(cancelled, Options(wire=wire))
    with host.pick_events() as questions:
        # a library in Haskell does not see that a caller has left, so the question ends at its own deadline there
        wait_ms = 300 if "haskell" in ENVIRONMENT["ECHO_LIBRARY"] else WAIT_MS
        with pytest.raises(DeadlineError):
            host.consult("tea", CHOICES, wait_ms, timeout=0.02)
        event = questions.wait(PATIENCE)
        assert event
        until(lambda: host.asking() == 0)
        with pytest.raises(BadHandleError):
            host.pick_return(event.value.question, 0)


def test_questions_are_bounded(wire: Wire) -> None:
    async def many(host: AsyncEcho) -> None:
        questions = host.pick_events()
        calls = [asyncio.create_task(host.consult("tea", CHOICES, WAIT_MS)) for _ in range(65)]
        done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        assert [call.result().outcome for call in done] == [Consultation.TOO_MANY]
        for _ in range(64):
            event = await questions.next()
            assert event
            await host.pick_return(event.value.question, 0)
        found = [(await call).outcome for call in calls]
        assert (found.count(Consultation.ANSWERED), found.count(Consultation.TOO_MANY)) == (64, 1)
        questions.close()
        async with host.answer_pick(picked):
            assert (await host.consult("tea", CHOICES, WAIT_MS)).text == "tea"

    run(many, Options(wire=wire))


def test_a_function_that_answers_may_call(host: Echo, wire: Wire) -> None:
    def calling(asked: PickAsked) -> int:
        assert host.echo(EchoRequest("inside", 1), timeout=PATIENCE).echoed == "hi inside"
        return picked(asked)

    with host.answer_pick(calling):
        assert host.consult("tea", CHOICES, WAIT_MS).text == "tea"

    async def nested(host: AsyncEcho) -> None:
        async def calling(asked: PickAsked) -> int:
            if asked.title == "coffee":
                # a question in the course of a question
                assert (await host.consult("tea", CHOICES, WAIT_MS)).text == "tea"
            assert (await host.echo(EchoRequest("inside", 1))).echoed == "hi inside"
            return picked(asked)

        async with host.answer_pick(calling):
            assert (await host.consult("coffee", CHOICES, WAIT_MS)).text == "coffee"

    run(nested, Options(wire=wire))


def test_a_context_ends_amid_a_question(wire: Wire) -> None:
    entered, leave = threading.Event(), threading.Event()

    def stuck(asked: PickAsked) -> int:
        entered.set()
        leave.wait(0.05)
        return 0

    host = Echo.create("", options=Options(wire=wire), timeout=PATIENCE)
    host.answer_pick(stuck)
    with ThreadPoolExecutor() as pool:
        call = pool.submit(host.consult, "tea", CHOICES, WAIT_MS)
        assert entered.wait(PATIENCE)
        host.destroy(PATIENCE)
        with contextlib.suppress(ClosedError):
            assert call.result(PATIENCE).outcome in (Consultation.ANSWERED, Consultation.UNHEARD)

    async def amid(host: AsyncEcho) -> None:
        asked = asyncio.Event()

        async def never(_: PickAsked) -> int:
            asked.set()
            await asyncio.sleep(PATIENCE)
            return 0

        host.answer_pick(never)
        call = asyncio.create_task(host.consult("tea", CHOICES, WAIT_MS))
        await asked.wait()
        await host.destroy(PATIENCE)
        with contextlib.suppress(ClosedError):
            assert (await call).outcome == Consultation.UNHEARD

    run(amid, Options(wire=wire))


def test_events_reach_their_listeners(host: Echo, wire: Wire) -> None:
    ticks: list[Event[None]] = []
    echoes: list[str] = []
    with host.on_tick(ticks.append), host.on_echoed(lambda event: echoes.append(event.value.echoed)):
        host.ticks(100)
        until(lambda: sum(1 + tick.lost for tick in ticks) == 100)
        host.echo(EchoRequest("heard", 0))
        until(lambda: echoes == ["hi heard"])
    host.ticks(10)
    host.echo(NOTHING)
    assert sum(1 + tick.lost for tick in ticks) == 100


def test_events_are_iterated(host: Echo, wire: Wire) -> None:
    async def other(host: AsyncEcho) -> None:
        async with host.echoed_events() as echoes:
            await asyncio.gather(*(host.echo(EchoRequest(str(index), 0)) for index in range(50)))
            seen = []
            async for event in echoes:
                seen.append(event.value.echoed)
                if len(seen) == 50:
                    break
        assert seen == [f"hi {index}" for index in range(50)]

    with host.echoed_events() as echoes:
        with pytest.raises(DeadlineError):
            echoes.wait(0.01)
        for index in range(20):
            host.echo(EchoRequest(str(index), 0))
        events = [echoes.wait(PATIENCE) for _ in range(20)]
    assert [event.value.echoed for event in events if event] == [f"hi {index}" for index in range(20)]
    run(other, Options(wire=wire))


def test_streams_end_with_their_context() -> None:
    async def ending() -> list[int]:
        async with await AsyncEcho.create("") as host:
            ticks = host.tick_events()

            async def count() -> int:
                return len([tick async for tick in ticks])

            counting = asyncio.create_task(count())
            await host.ticks(3)
            while len(ticks._events) == 0 and not counting.done():
                await asyncio.sleep(0.001)
                break
        return [await counting]

    assert asyncio.run(ending())[0] <= 3
    host = Echo.create("")
    events = host.tick_events()
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(len(list(events))))
    thread.start()
    host.destroy()
    thread.join(PATIENCE)
    assert found == [0]


def test_an_overflowing_listener_counts_what_it_lost_and_recovers() -> None:
    gate = threading.Lock()
    ticks: list[Event[None]] = []

    def slow(tick: Event[None]) -> None:
        with gate:
            ticks.append(tick)

    with Echo.create("", options=Options(event_depth=4)) as host, host.on_tick(slow):
        with gate:
            host.ticks(1000)
        until(lambda: len(ticks) >= 4)
        while sum(1 + tick.lost for tick in ticks) < 1000:
            before = len(ticks)
            host.ticks(1)
            until(lambda before=before: len(ticks) > before)  # type: ignore[misc]
        assert len(ticks) < 900


def test_a_listener_may_end_itself_and_call(host: Echo) -> None:
    seen: list[str] = []
    ready = threading.Event()

    def once(_: Event[None]) -> None:
        ready.wait(PATIENCE)
        subscription.close()
        seen.append(host.echo(EchoRequest("from here", 0)).echoed)

    subscription = host.on_tick(once)
    ready.set()
    host.ticks(5)
    until(lambda: len(seen) == 1)
    host.echo(NOTHING)
    assert seen == ["hi from here"]


def test_a_context_is_not_destroyed_in_its_own_callback(host: Echo) -> None:
    caught: list[BaseException] = []

    def end(_: Event[None]) -> None:
        try:
            host.destroy()
        except ReentrantError as error:
            caught.append(error)

    with host.on_tick(end):
        host.ticks(1)
        until(lambda: len(caught) == 1)
    # it is as before, and can be destroyed where that may wait
    assert host.echo(NOTHING).echoed == "hi "
    host.destroy()
    with pytest.raises(ClosedError):
        host.echo(NOTHING)


def test_the_last_owner_of_a_context_may_be_its_callback() -> None:
    owners = [Echo.create("", timeout=PATIENCE)]
    token = owners[0]._token
    began = len(core._notified)
    subscription = owners[0].on_tick(lambda _: owners.clear())
    assert len(core._notified) == began + 1
    owners[0].ticks(3)
    until(lambda: owners == [])

    def has_ended() -> bool:
        try:
            core.submit(token, TICKS, Wire.C, b"", inbox.handle, 0)
        except ClosedError:
            return True
        return False

    inbox = core.Inbox()
    until(has_ended)
    inbox.close()
    # nobody closed the subscription: it went with its context
    until(lambda: len(core._notified) == began)
    subscription.close()


def test_an_on_stale_that_fails_loses_no_reply(wire: Wire) -> None:
    async def both() -> list[str]:
        def fail(_: int) -> None:
            raise ValueError("a fault of the host's")

        told: list[str] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(context["message"]))
        async with await AsyncEcho.create("", options=Options(wire=wire, stale=0.02, on_stale=fail)) as host:
            await asyncio.gather(*(host.echo(EchoRequest("slow", 200)) for _ in range(4)))
        return told

    assert "on_stale failed" in asyncio.run(asyncio.wait_for(both(), PATIENCE))


def test_many_threads_get_their_own_replies(host: Echo) -> None:
    wrong: list[object] = []

    def one(number: int) -> None:
        for index in range(200):
            text = f"{number}.{index}"
            try:
                response = host.echo(EchoRequest(text, 0), timeout=PATIENCE)
            except QueueFullError:
                continue
            if response.echoed != f"hi {text}":
                wrong.append(response)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(8)))
    assert wrong == []


def test_many_at_once_and_no_thread_for_any() -> None:
    async def many(host: AsyncEcho) -> None:
        before = threading.active_count()
        calls = [asyncio.create_task(host.echo(EchoRequest(str(index), 0))) for index in range(500)]
        responses = await asyncio.gather(*calls)
        assert [response.echoed for response in responses] == [f"hi {index}" for index in range(500)]
        assert threading.active_count() == before
        # some are cancelled while their replies are under way
        calls = [asyncio.create_task(host.echo(EchoRequest(str(index), 5))) for index in range(100)]
        await asyncio.sleep(0)
        for call in calls[::2]:
            call.cancel()
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(result, asyncio.CancelledError) for result in results) == 50

    run(many, Options(queue_depth=1024))


def test_contexts_live_side_by_side() -> None:
    wrong: list[object] = []

    def one(number: int) -> None:
        for index in range(20):
            options = Options(wire=list(Wire)[(number + index) % 2])
            with Echo.create(f"{number} ", options=options, timeout=PATIENCE) as host:
                reader = host.open("abc")
                found = (host.echo(EchoRequest("you", 0)).echoed, host.read(reader, 10))
            if found != (f"{number} you", "abc"):
                wrong.append(found)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert wrong == []


def test_two_loops_of_one_context() -> None:
    async def other(host: AsyncEcho) -> str:
        return (await host.echo(EchoRequest("there", 0))).echoed

    async def here(host: AsyncEcho) -> None:
        there = asyncio.to_thread(lambda: asyncio.run(other(host)))
        assert (await host.echo(EchoRequest("here", 0))).echoed == "hi here"
        assert await there == "hi there"

    run(here)


def test_an_interpreter_that_ends_with_contexts_ends() -> None:
    code = (
        "import echo\n"
        "host = echo.Echo.create('x')\n"
        "subscription = host.on_tick(lambda tick: None)\n"
        "host.ticks(1000)\n"
        "print(host.echo(echo.EchoRequest('y', 0)).echoed)\n"
    )
    environment = os.environ | ENVIRONMENT | {"PYTHONPATH": f"{HOST}:{PACKAGE}"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=environment, timeout=600
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "xy\n", "")

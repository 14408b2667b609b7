# SPDX-License-Identifier: BSD-3-Clause
"""Write one run as a C program that builds it as a batch and runs it.

The trace shows one course of events. The program follows it, and says what to do where events take another: a search
(the same call failing until it succeeds) goes on at its first success; a call that fails between opening and closing
a descriptor goes to the close, if nothing after the close needs what was skipped; anything else that turns out
otherwise than in the trace ends the batch. What a trace cannot show (descriptors the program had open, structs and
addresses in its memory) is listed in the program, which refuses to run until it is filled in.

Calls in a row that differ in numbers, texts and buffers alone are added by a loop; so is a group of calls that comes
over and over.
"""

import re
from dataclasses import dataclass, field

from ferry.advise import loops, signatures
from ferry.advise.arguments_c import Argument, argument_c, quote
from ferry.advise.dataflow import RESULT, Feed
from ferry.advise.errors import AdviseError
from ferry.advise.runs import Run
from ferry.spec import TYPED

#: Calls that are written with their typed builder: those whose arguments are known.
BUILDERS = TYPED & signatures.SIGNATURES.keys()

#: calls of a run that is written out; a longer one is no skeleton for reading
EMIT_CALLS_MAX = 256

#: errors that make a search look in the next place
_NOT_FOUND = frozenset({"ENOENT", "ENOTDIR", "EACCES", "ELOOP"})

_HEADERS = (
    *("fcntl.h", "signal.h", "stdio.h", "string.h", "sys/file.h", "sys/ioctl.h", "sys/mman.h", "sys/random.h"),
    *("sys/socket.h", "sys/stat.h", "sys/types.h", "time.h", "unistd.h"),
)


@dataclass
class _Call:
    """One call of the run on its way to C."""

    index: int
    name: str
    constant: str
    letters: str
    arguments: list[Argument]
    #: where control goes when the outcome is not the trace's: "stop", a label, or "" for on
    surprise: str = "stop"
    #: the last call of the search this one belongs to, or its own index
    search_end: int = -1
    #: whether a loop adds it, which tells its name too
    is_looped: bool = False

    @property
    def value(self) -> str:
        """The variable of the value that it gives."""
        return f"{self.name}_{self.index}"


@dataclass
class _Program:
    """The run, analysed, and the lines it becomes."""

    run: Run
    calls: list[_Call] = field(default_factory=list)
    declarations: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    #: labels by the call before which they are placed; the count of calls means the end
    labels: dict[int, str] = field(default_factory=dict)
    slots: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def label(self, before: int) -> str:
        """Name the label placed before this call."""
        count = len(self.calls)
        return self.labels.setdefault(before, "finish" if before >= count else f"before_{before}")


def emit_c(run: Run, title: str) -> str:
    """Write `run` as a C program; `title` says in its first comment what it is."""
    program = _Program(run)
    _take_calls(program)
    _take_searches(program)
    _take_surprises(program)
    cut = list(loops.stretches(run, program.calls, program.labels))
    shown = sum(stretch.period for stretch in cut)
    if shown > EMIT_CALLS_MAX:
        raise AdviseError(
            f"--run: this run has {shown} calls, loops counted once, and a skeleton at most {EMIT_CALLS_MAX}:"
            " choose another",
            2,
        )
    for stretch in cut:
        if stretch.is_loop:
            _build_loop(program, stretch)
        else:
            _build_call(program, program.calls[stretch.first])
    return _source(program, title)


def _build_loop(program: _Program, stretch: loops.Stretch) -> None:
    """Write the lines of the first repetition, in a loop that adds them all."""
    members = program.calls[stretch.first : stretch.end]
    group = members[: stretch.period]
    arrays: list[str] = []
    for place, first in enumerate(group):
        slots = members[place :: stretch.period]
        fed = {feed.argument for feed in program.run.feeds[first.index]}
        made = loops.looped(slots, fed)
        _declare_looped(program, slots, made)
        first.arguments = made.arguments
        arrays += made.arrays
    for slot in members:
        slot.is_looped = True
    inner = _inner_labels(program, stretch)
    if stretch.first in program.labels:
        # what jumps to the loop jumps to its first repetition
        program.lines.append(f"batch_builder_label(&builder, &{program.labels[stretch.first]});")
    outer, slots_before = (program.lines, program.labels), len(program.slots)
    program.lines, program.labels = [], inner
    for slot in group:
        _build_call(program, slot)
    body = program.lines
    program.lines, program.labels = outer
    if stretch.first + stretch.period in inner:
        body.append(f"batch_builder_label(&builder, &{inner[stretch.first + stretch.period]});")
    counter, width = loops.COUNTER, len(program.slots) - slots_before
    step = counter if width == 1 else f"{counter} * {width}"
    body += [f'names[{slot.constant}] = "{slot.name}";' for slot in group]
    for slot in group:
        body = [re.sub(rf"\b{slot.constant}\b", f"{slot.constant} + {step}", line) for line in body]
    for name in arrays:
        body = [loops.element(line, name) for line in body]
    program.lines += [
        f"for (long {counter} = 0; {counter} < {stretch.count}; {counter}++) {{",
        *(f"\tstruct batch_label {name} = BATCH_LABEL_INIT;" for name in inner.values()),
        *(f"\t{line}" for line in _without_unused(body)),
        "}",
    ]
    program.slots += [""] * (width * (stretch.count - 1))


def _declare_looped(program: _Program, slots: list[_Call], made: loops.Looped) -> None:
    """Declare what a call needs in a loop, in place of what it needed in each repetition."""
    first = slots[0]
    for argument in [argument for slot in slots for argument in slot.arguments if argument.declaration]:
        if argument.name and not argument.missing and argument.declaration in program.declarations:
            program.declarations.remove(argument.declaration)
    kept = [one.declaration for one, looped in zip(first.arguments, made.arguments, strict=True) if one is looped]
    program.declarations += [line for line in [*kept, *made.declarations] if line and line not in program.declarations]
    told = {loops.without_numbers(argument.missing) for argument in first.arguments}
    for argument in [argument for slot in slots[1:] for argument in slot.arguments]:
        if argument.missing and argument.missing in program.missing and loops.without_numbers(argument.missing) in told:
            program.missing.remove(argument.missing)
            told.add(loops.without_numbers(argument.missing))


def _inner_labels(program: _Program, stretch: loops.Stretch) -> dict[int, str]:
    """Take the labels that each repetition has for itself out of the program's; return the first repetition's."""
    target = {name: index for index, name in program.labels.items()}
    inner = {
        target[slot.surprise]: slot.surprise
        for slot in program.calls[stretch.first : stretch.first + stretch.period]
        if stretch.first < target.get(slot.surprise, -1) <= stretch.first + stretch.period
    }
    own = range(stretch.first, stretch.end)
    used = {slot.surprise for slot in program.calls if slot.index not in own}
    used |= {program.labels[slot.search_end + 1] for slot in program.calls if slot.search_end != slot.index}
    # and where all repetitions go when they leave the loop
    used |= {slot.surprise for slot in program.calls[stretch.first : stretch.first + stretch.period]} - {
        *inner.values()
    }
    for index in range(stretch.first, stretch.end + 1):
        if program.labels.get(index) not in used:
            program.labels.pop(index, None)
    return inner


def _take_calls(program: _Program) -> None:
    for index, call in enumerate(program.run.calls):
        letters = signatures.SIGNATURES.get(call.name, "")
        if call.name not in BUILDERS:
            letters = signatures.signature(call.name, len(call.arguments)) or ""
        program.calls.append(
            _Call(index, call.name, f"CALL_{index}_{call.name.upper()}", letters, [], search_end=index)
        )
    for index, call in enumerate(program.run.calls):
        slot = program.calls[index]
        width = len(slot.letters) if call.name in BUILDERS else len(call.arguments)
        fed = {feed.argument: feed for feed in program.run.feeds[index]}
        for place in range(width):
            argument = argument_c(call, index, place, slot.letters, fed)
            slot.arguments.append(argument)
            if argument.declaration and argument.declaration not in program.declarations:
                program.declarations.append(argument.declaration)
            if argument.missing and argument.missing not in program.missing:
                program.missing.append(argument.missing)


def _take_searches(program: _Program) -> None:
    """Find searches: a call on a path that finds none, then the same call until one succeeds."""
    calls = program.run.calls
    for end in range(1, len(calls)):
        begin = end
        while begin > 0 and calls[begin - 1].name == calls[end].name and calls[begin - 1].error in _NOT_FOUND:
            begin -= 1
        if calls[end].failed or begin == end or "p" not in program.calls[end].letters:
            continue
        for index in range(begin, end):
            program.calls[index].search_end = end


def _closes(program: _Program) -> dict[int, int]:
    """Which call closes the descriptor that each call opened."""
    return {
        feed.source: index
        for index, call in enumerate(program.run.calls)
        if call.name == "close"
        for feed in program.run.feeds[index]
    }


def _needed_after(program: _Program, first: int, last: int) -> bool:
    """Whether a call after `last` takes a word from one of the calls first…last."""
    return any(
        first <= feed.source <= last
        for index in range(last + 1, len(program.calls))
        for feed in program.run.feeds[index]
    )


def _take_surprises(program: _Program) -> None:
    """Decide where each call goes when it turns out otherwise than in the trace."""
    closes = _closes(program)
    for slot, call in zip(program.calls, program.run.calls, strict=True):
        index = slot.index
        if slot.search_end != index or (call.name == "close" and not call.failed):
            slot.surprise = ""
        elif not call.failed and index in closes:
            if not _needed_after(program, index, closes[index]):
                slot.surprise = program.label(closes[index] + 1)
        elif not call.failed:
            open_now = [opener for opener, close in closes.items() if opener < index < close]
            if open_now and not _needed_after(program, index, closes[max(open_now)] - 1):
                slot.surprise = program.label(closes[max(open_now)])
    for slot in program.calls:
        if slot.search_end != slot.index:
            program.label(slot.search_end + 1)


def _add(program: _Program, constant: str, line: str) -> None:
    program.slots.append(constant)
    program.lines.append(line)


def _build_call(program: _Program, slot: _Call) -> None:
    """Write the lines that add one call: its label, its word copies, the call, its jumps."""
    if slot.index in program.labels:
        program.lines.append(f"batch_builder_label(&builder, &{program.labels[slot.index]});")
    feeds = program.run.feeds[slot.index]
    texts = [argument.text for argument in slot.arguments]
    for feed in feeds:
        texts[feed.argument] = _value_text(program, feed)
        program.slots.append("")
    words = ", ".join(["&builder", *([] if slot.name in BUILDERS else [f"__NR_{slot.name}"]), *texts])
    function = slot.name if slot.name in BUILDERS else "add"
    _add(program, slot.constant, f"struct batch_value {slot.value} = batch_builder_{function}({words});")
    _jump_lines(program, slot)


def _value_text(program: _Program, feed: Feed) -> str:
    """Write an argument that an earlier call gives: its value, or the word that is loaded where that one may not be."""
    source = program.calls[feed.source]
    if feed.word == RESULT:
        found_earlier = any(call.search_end == source.index != call.index for call in program.calls)
        return f"batch_builder_load(&builder, &rets[{source.constant}])" if found_earlier else source.value
    letter = {"st_size": "s", "stx_size": "x"}.get(feed.word, "t")
    name = source.arguments[source.letters.index(letter)].name
    if letter == "t":  # an int of two: the kernel takes the lower half of the word
        return f"batch_builder_load_word(&builder, &{name}{feed.word.removeprefix('pair')})"
    return f"batch_builder_load(&builder, &{name}.{feed.word})"


def _jump_lines(program: _Program, slot: _Call) -> None:
    call = program.run.calls[slot.index]
    if slot.search_end != slot.index:
        return _search_lines(program, slot)
    outcomes = ("ZERO", "POSITIVE") if call.failed else ("FAIL",)
    for outcome in outcomes if slot.surprise else ():
        if slot.surprise == "stop":
            program.lines.append(f"batch_builder_stop(&builder, {slot.value}, BATCH_ON_{outcome});")
        else:
            program.lines.append(f"batch_builder_jump(&builder, {slot.value}, BATCH_ON_{outcome}, &{slot.surprise});")
    return None


def _search_lines(program: _Program, slot: _Call) -> None:
    """End a search where it succeeds: the result becomes the last member's, whose slot is jumped over."""
    end = program.calls[slot.search_end]
    needed = any(feed.source == end.index for feeds in program.run.feeds for feed in feeds)
    found = program.label(end.index + 1)
    if not needed:
        for outcome in ("ZERO", "POSITIVE"):
            program.lines.append(f"batch_builder_jump(&builder, {slot.value}, BATCH_ON_{outcome}, &{found});")
        return
    following = program.label(slot.index + 1)
    program.lines.append(f"batch_builder_jump(&builder, {slot.value}, BATCH_ON_FAIL, &{following});")
    copy = f"copy_{slot.index}"
    line = f"batch_builder_copy(&builder, &rets[{end.constant}], &rets[{slot.constant}]);"
    _add(program, "", f"struct batch_value {copy} = {line}")
    program.lines.append(f"batch_builder_jump(&builder, {copy}, BATCH_ON_ZERO, &{found});")


def _source(program: _Program, title: str) -> str:
    if len(program.calls) in program.labels:
        program.lines.append(f"batch_builder_label(&builder, &{program.labels[len(program.calls)]});")
    parts = [
        "/*",
        f" * {_comment(title)}",
        " *",
        " * A skeleton written by ferry advise from one trace. It makes the calls of the trace again, with the same",
        " * arguments: read it before you run it. Compile: cc skeleton.c $(pkg-config --cflags --libs ferry)",
        " */",
        "#define _GNU_SOURCE",
        *(f"#include <{header}>" for header in _HEADERS),
        "",
        "#include <ferry/batch.h>",
        "",
        "/* Where each call stands in the batch; word copies stand before the call they feed. */",
        "enum {",
        *(f"\t{constant} = {index}," for index, constant in enumerate(program.slots) if constant),
        f"\tSLOT_COUNT = {len(program.slots)}",
        "};",
        "",
        "static struct batch_slot slots[SLOT_COUNT];",
        "static long rets[SLOT_COUNT];",
        *program.declarations,
        "",
        *_names(program),
        "",
        *_missing(program),
        *_build(program),
        "",
        _MAIN_MISSING if program.missing else _MAIN,
    ]
    return "\n".join(parts) + "\n"


def _comment(text: str) -> str:
    """Make text that cannot end a comment or continue a line."""
    return "".join(c if c.isprintable() else "?" for c in text).replace("*/", "* /").replace("/*", "/ *").rstrip("\\")


def _names(program: _Program) -> list[str]:
    named = [f'\t[{call.constant}] = "{call.name}",' for call in program.calls if not call.is_looped]
    # loops name theirs as they add them
    constant = "" if len(named) < len(program.calls) else "const "
    return [f"static const char *{constant}names[SLOT_COUNT] = {{", *(named or ["\tNULL"]), "};"]


def _missing(program: _Program) -> list[str]:
    if not program.missing:
        return []
    return [
        "/* What the trace does not show. Fill each in where it is used, and remove its line here. */",
        "static const char *const missing[] = {",
        *(f"\t{quote(what.encode('latin-1', 'replace'))}," for what in program.missing),
        "\tNULL",
        "};",
        "",
    ]


def _build(program: _Program) -> list[str]:
    return [
        "static long build(struct batch_error *error)",
        "{",
        *(f"\tstruct batch_label {label} = BATCH_LABEL_INIT;" for _, label in sorted(program.labels.items())),
        "\tstruct batch_builder builder;",
        "",
        "\tbatch_builder_init(&builder, slots, rets, SLOT_COUNT);",
        *(f"\t{line}" for line in _without_unused(program.lines)),
        "\treturn batch_builder_finish(&builder, error);",
        "}",
    ]


def _without_unused(lines: list[str]) -> list[str]:
    """Leave out the variables of values that nothing uses."""
    used = set(re.findall(r"\w+", " ".join(line.partition(" = ")[2] or line for line in lines)))
    out = []
    for line in lines:
        declared = re.match(r"struct batch_value (\w+) = (.*)", line)
        out.append(declared[2] if declared and declared[1] not in used else line)
    return out


_RUN = """\
	struct batch_error error = { 0 };
	char text[200];
	long last;
"""

_BODY = """\
	last = build(&error);
	if (last >= 0)
		last = batch_run(&batch_executor_loop, rets, slots, SLOT_COUNT, 0, &error);
	if (last < 0) {
		batch_error_format(&error, text, sizeof(text));
		fprintf(stderr, "the batch was refused: %s\\n", text);
		return 1;
	}
	for (long i = 0; i >= 0; i = batch_result_next(slots, rets, last, i))
		if (names[i] && rets[i] < 0)
			printf("slot %ld: %s: %s\\n", i, names[i], strerror((int)-rets[i]));
		else if (names[i])
			printf("slot %ld: %s: %ld\\n", i, names[i], rets[i]);
	return 0;
}"""

_MAIN = "int main(void)\n{\n" + _RUN + "\n" + _BODY

_MAIN_MISSING = (
    "int main(void)\n{\n"
    + _RUN
    + """
	for (size_t i = 0; missing[i]; i++)
		fprintf(stderr, "fill in: %s\\n", missing[i]);
	if (missing[0])
		return 2;
"""
    + _BODY
)

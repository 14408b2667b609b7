# SPDX-License-Identifier: BSD-3-Clause
"""What a test of GCC's testsuite says about itself: its DejaGnu directives, for one machine and one language.

A directive is a Tcl list in a comment, on one line: `{ dg-do run { target { tls_runtime && ! c++ } } }`. Only those are
read that decide how a test is compiled, run and judged; the rest (scans of the compiler's dumps, expected warnings) are
about the compiler and are passed over.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

TRIPLET = "x86_64-pc-linux-gnu"
DIRECTIVE = re.compile(r"\{\s+(dg-[-a-z]+)(.*)\}")
#: Effective targets of an x86-64 GNU/Linux host with GCC; the processor's own extensions are added by `targets_of`.
HOST_TARGETS = frozenset(
    {
        *("__float128", "alias", "fpic", "large_long_double", "lp64", "lto", "native", "shared", "size20plus"),
        *("size32plus", "sse2_runtime", "sync_int_long", "tls", "tls_runtime", "vect_simd_clones"),
    }
)


class DirectiveError(ValueError):
    """A directive that cannot be read; the message quotes it."""


@dataclass
class Directives:
    """What one test asks for, in one language on this machine."""

    do: str = "run"
    #: Why the test does not apply here; empty when it does.
    skip: str = ""
    options: list[str] = field(default_factory=lambda: ["-O2"])
    sources: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    output: list[str] = field(default_factory=list)
    should_fail: bool = False


def unescape(text: str) -> str:
    """Undo Tcl's backslashes in a quoted word."""
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t", "r": "\r"}.get(match[1], match[1]), text)


def split_list(text: str) -> list[str]:
    """Split a Tcl list into its words; a word in braces keeps what is inside as it is."""
    words, position = [], 0
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text[position] == "{":
            end = closing_brace(text, position)
            words.append(text[position + 1 : end])
            position = end + 1
        elif text[position] == '"':
            match = re.compile(r'"((?:[^"\\]|\\.)*)"').match(text, position)
            if not match:
                raise DirectiveError(f"a quote is not closed: {text}")
            words.append(unescape(match[1]))
            position = match.end()
        else:
            match = re.compile(r"[^\s{}]+").match(text, position)
            if not match:
                raise DirectiveError(f"a brace is not opened: {text}")
            words.append(match[0])
            position = match.end()
    return words


def closing_brace(text: str, start: int) -> int:
    """Return where the brace that opens at `start` closes."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise DirectiveError(f"a brace is not closed: {text}")


def selected(expression: str, has: Callable[[str], bool]) -> bool:
    """Tell whether a selector holds: names and triplets joined by blanks (any of them), &&, || and !."""
    return selected_words(split_list(expression), has)


def selected_words(words: list[str], has: Callable[[str], bool]) -> bool:
    """Tell whether a selector already split into words holds."""
    for operator, combine in (("||", any), ("&&", all)):
        if operator in words:
            at = words.index(operator)
            return combine(selected_words(part, has) for part in (words[:at], words[at + 1 :]))
    if words[:1] == ["!"]:
        return not selected_words(words[1:], has)
    return any(selected(word, has) if re.search(r"\s", word) else matches(word, has) for word in words)


def matches(name: str, has: Callable[[str], bool]) -> bool:
    """Tell whether one name holds: a triplet's pattern, or a capability."""
    if name.startswith("!"):
        return not matches(name[1:], has)
    return fnmatch.fnmatchcase(TRIPLET, name) if name.count("-") >= 2 else has(name)


def directives_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each directive's name and words."""
    for line in text.splitlines():
        match = DIRECTIVE.search(line)
        if match:
            start = match.start()
            words = split_list(line[start + 1 : closing_brace(line, start)])
            yield words[0], words[1:]


def applies(words: list[str], has: Callable[[str], bool]) -> bool:
    """Tell whether a directive's last word, `target …`, holds; without one it always does."""
    last = words[-1].split(maxsplit=1) if words else []
    if last[:1] != ["target"]:
        return True
    return selected("".join(last[1:]), has)


def parse(text: str, language: str, targets: frozenset[str]) -> Directives:
    """Read a test's directives for a language (`c`, `c++` or `fortran`)."""

    def has(name: str) -> bool:
        return name in targets or name == language

    found = Directives()
    additional: list[str] = []
    for name, words in directives_in(text):
        holds = applies(words, has)
        if name == "dg-do":
            found.do = words[0]
            found.skip = found.skip or ("" if holds else f"needs {words[-1].split(maxsplit=1)[1].strip()}")
        elif name == "dg-options" and holds:
            found.options = words[0].split()
        elif name == "dg-additional-options" and holds:
            additional += words[0].split()
        else:
            apply_directive(found, name, words, holds, has)
    found.options += additional
    return found


def apply_directive(found: Directives, name: str, words: list[str], holds: bool, has: Callable[[str], bool]) -> None:
    """Take a directive other than those about options into account."""
    if name == "dg-require-effective-target" and not selected(words[0], has):
        found.skip = found.skip or f"needs {words[0]}"
    elif name in ("dg-skip-if", "dg-xfail-if", "dg-xfail-run-if") and selected(words[1], has):
        found.skip = found.skip or f"{name} {words[1].strip()}"
    elif name == "dg-error" and holds:
        found.do = "compile"
    elif name == "dg-set-target-env-var":
        found.environment[words[0]] = words[1]
    elif name == "dg-output" and holds:
        found.output.append(words[0])
    elif name == "dg-shouldfail" and holds:
        found.should_fail = True
    elif name == "dg-additional-sources":
        found.sources += words[0].split()


def targets_of(processor_flags: frozenset[str]) -> frozenset[str]:
    """Return the effective targets of this host, by the flags of its processor."""
    return HOST_TARGETS | ({"avx_runtime"} if "avx" in processor_flags else set())

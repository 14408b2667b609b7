# SPDX-License-Identifier: BSD-3-Clause
"""Docstrings and comments of generated Python, from doc comments that were written for no language in particular."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

COLUMNS = 120
#: Where a sentence ends. What goes on with a small letter was an abbreviation.
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?![a-z])")
#: Lines that mean something as they are: indented, a list, a quotation, a table, a fence.
_AS_IT_IS = re.compile(r"\s|[-*+>|#]|\d+[.)] |```|~~~")


def _wrap(text: str, width: int, further: str = "") -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent=further, break_long_words=False, break_on_hyphens=False, tabsize=4
    )


def _fill(lines: list[str], width: int) -> list[str]:
    """Fill a paragraph; one that is not plain prose keeps its lines, where they are not too long."""
    if not any(_AS_IT_IS.match(line) for line in lines):
        return _wrap(" ".join(lines), width)
    filled: list[str] = []
    for line in lines:
        further = " " * (len(line) - len(line.lstrip()))
        filled += [line] if len(line) <= width else _wrap(line, width, further)
    return filled


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Yield what stands between empty lines, and a fenced block as one, whatever is in it."""
    paragraph: list[str] = []
    is_fenced = False
    for line in lines:
        is_fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.strip() or is_fenced:
            paragraph.append(line.rstrip())
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _summary(paragraph: list[str], width: int) -> tuple[str, str] | None:
    """Split off the first sentence, if it can be a summary: a single line that begins with no quotation mark."""
    if any(_AS_IT_IS.match(line) for line in paragraph):
        return None
    first, *rest = _SENTENCE_END.split(" ".join(paragraph), maxsplit=1)
    first = first[:1].upper() + first[1:] + ("" if first[-1:] in ".!?" else ".")
    return (first, "".join(rest)) if len(first) <= width and not first.startswith('"') else None


def docstring(text: str, otherwise: str, indent: int, params: Iterable[tuple[str, str]] = ()) -> str:
    """Write a docstring that stands `indent` columns in.

    Its first line is the text's first sentence, or `otherwise` where there is none that fits a line; then comes what
    is left of the text, and `params`, names and what they are.
    """
    width = COLUMNS - indent
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    paragraphs = list(_paragraphs(escaped.expandtabs(4).splitlines()))
    blocks: list[list[str]] = []
    # quotation marks on both sides
    summary = _summary(paragraphs[0], width - 6) if paragraphs else None
    if summary:
        blocks.append([summary[0]])
        if summary[1]:
            blocks.append(_wrap(summary[1], width))
        paragraphs = paragraphs[1:]
    else:
        blocks.append([otherwise])
    blocks += [_fill(paragraph, width) for paragraph in paragraphs]
    described = [line for name, what in params for line in _wrap(f"{name}: {_flat(what)}", width, "    ")]
    if described:
        blocks.append(described)
    if len(blocks) == 1:
        return f'"""{blocks[0][0]}"""'
    lines = [line for block in blocks for line in ["", *block]][1:]
    inside = " " * indent
    return "\n".join([f'"""{lines[0]}', *(inside + line if line else "" for line in lines[1:]), f'{inside}"""'])


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def comment(text: str, indent: int) -> str:
    """Write the comment of a field or constant: lines that begin with `#:`, `indent` columns in."""
    prefix = " " * indent + "#: "
    blocks = [_fill(paragraph, COLUMNS - len(prefix)) for paragraph in _paragraphs(text.expandtabs(4).splitlines())]
    lines = [line for block in blocks for line in ["", *block]][1:]
    return "\n".join((prefix + line).rstrip() for line in lines)

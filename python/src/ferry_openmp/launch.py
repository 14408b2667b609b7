# SPDX-License-Identifier: BSD-3-Clause
"""Run a Python program with Ferry's runtime: start the interpreter again, with the runtime preloaded.

The program cannot tell it from a plain start: the interpreter is executed in this process's place, so it keeps the
process's number, its standard streams, its arguments and its exit status.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ferry_openmp.files import serving

#: The interpreter's options that have an argument, which may stand by itself.
WITH_ARGUMENT = ("-W", "-X", "--check-hash-based-pycs")


def interpreter_options(given: Sequence[str]) -> list[str]:
    """Return the options that stand before `-m ferry_openmp` in a command line; none where it was started otherwise."""
    words = list(given[1:])
    kept: list[str] = []
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word == "-m" or word.startswith("-m"):
            return kept
        if word.endswith("m") and not word.startswith(("--", "-W", "-X")):  # as in -um
            return [*kept, word[:-1]]
        kept.append(word)
        if word in WITH_ARGUMENT and words:
            kept.append(words.pop(0))
    return []


def run(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by an interpreter that has these arguments. Raises OSError and ValueError."""
    environment = serving(os.environ)
    options = interpreter_options(getattr(sys, "orig_argv", []))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *options, *arguments], environment)

# SPDX-License-Identifier: BSD-3-Clause
"""Run a Python program with Ferry's runtime: start the interpreter again, with the runtime preloaded.

To the program this looks like a plain start: the new interpreter replaces this process, so the process id, the standard
streams, the arguments and the exit status stay the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ferry_openmp.files import serving

#: The interpreter's options that take an argument, which may be the next word.
WITH_ARGUMENT = ("-W", "-X", "--check-hash-based-pycs")


def interpreter_options(given: Sequence[str]) -> list[str]:
    """Return the options before `-m ferry_openmp` in a command line; none if the package was started in another way."""
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

# SPDX-License-Identifier: BSD-3-Clause
"""Progress on standard error: bars on a terminal; elsewhere plain lines, two for a boundary and one a minute."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

#: Called with how many steps of how many are done.
Advance = Callable[[int, int], None]


#: Where there is no terminal a line says so often how far a boundary is.
LINE_S = 60.0


class Reporter:
    """Shows which boundary is being measured and how far that is."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def note(self, text: str) -> None:
        """Say something that is not progress."""
        self.console.print(text, soft_wrap=True, highlight=False, markup=False)

    @contextmanager
    def boundary(self, name: str, title: str) -> Iterator[Advance]:
        """Show one boundary's measuring; yields the function to report steps with."""
        if self.console.is_terminal:
            with self._bar(name, title) as advance:
                yield advance
        else:
            started = time.monotonic()
            self.note(f"measuring {name} ({title})")
            yield self._lines(name, started)
            seconds = time.monotonic() - started
            self.note(f"measured {name} in {seconds:.1f} s")

    def _lines(self, name: str, started: float) -> Advance:
        """Return what says every minute how much of a boundary is done, and about how long the rest takes."""
        said = started

        def advance(done: int, total: int) -> None:
            nonlocal said
            now = time.monotonic()
            if now - said >= LINE_S and 0 < done < total:
                said = now
                left = (now - started) / done * (total - done)
                self.note(f"measuring {name}: {done} of {total} done, about {left / 60:.0f} min left")

        return advance

    @contextmanager
    def _bar(self, name: str, title: str) -> Iterator[Advance]:
        columns = (
            TextColumn("{task.description:<10}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[title]}"),
        )
        with Progress(*columns, console=self.console) as progress:
            task = progress.add_task(name, total=None, title=title)
            yield lambda done, total: progress.update(task, completed=done, total=total)

# SPDX-License-Identifier: BSD-3-Clause
"""Progress on standard error: bars on a terminal, one plain line per boundary elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

#: Called with how many steps of how many are done.
Advance = Callable[[int, int], None]


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
            yield lambda done, total: None
            seconds = time.monotonic() - started
            self.note(f"measured {name} in {seconds:.1f} s")

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

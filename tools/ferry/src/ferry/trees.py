# SPDX-License-Identifier: BSD-3-Clause
"""Find subtrees with rising numbers of entries, so that a program that walks trees can be measured as T(n)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

#: Smaller trees say more about starting a process than about walking.
ENTRIES_MIN = 100


@dataclass(frozen=True)
class Tree:
    """A directory and the number of entries below it."""

    path: str
    entries: int


@dataclass
class _Folder:
    path: str
    parent: int
    entries: int = 0
    readable: bool = True


def _scan(folder: _Folder) -> list[str]:
    """Count a folder's entries and return its subfolders; symbolic links are not followed."""
    try:
        with os.scandir(folder.path) as entries:
            below = []
            for entry in entries:
                folder.entries += 1
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.path)
            return below
    except OSError:
        folder.readable = False
        return []


def count_trees(root: Path) -> list[Tree]:
    """Every readable subtree of root. One with an unreadable folder is left out: programs would end with an error."""
    folders = [_Folder(str(root), -1)]
    index = 0
    while index < len(folders):  # appends while it goes: parents always come before their children
        folders += [_Folder(path, index) for path in _scan(folders[index])]
        index += 1
    for folder in reversed(folders):
        if folder.parent >= 0:
            parent = folders[folder.parent]
            parent.entries += folder.entries
            parent.readable = parent.readable and folder.readable
    return [Tree(folder.path, folder.entries) for folder in folders if folder.readable]


def choose_trees(trees: Iterable[Tree], sizes: int) -> list[Tree]:
    """Choose at most `sizes` trees, evenly spread in the logarithm of their entries, smallest first."""
    candidates = sorted((tree for tree in trees if tree.entries >= ENTRIES_MIN), key=lambda tree: tree.entries)
    if not candidates:
        return []
    low, high = math.log(candidates[0].entries), math.log(candidates[-1].entries)
    chosen: dict[int, Tree] = {}
    for k in range(sizes):
        target = low + (high - low) * k / max(sizes - 1, 1)
        best = min(candidates, key=lambda tree: abs(math.log(tree.entries) - target))
        chosen[best.entries] = best
    return sorted(chosen.values(), key=lambda tree: tree.entries)

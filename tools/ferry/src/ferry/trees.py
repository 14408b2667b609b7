# SPDX-License-Identifier: BSD-3-Clause
"""Find subtrees with rising numbers of entries, so that a program that walks trees can be measured as T(n).

A folder costs more than a file. So that T(n) can be a line at all, subtrees are preferred whose share of folders is
near that of the whole tree.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

#: Smaller trees say more about starting a process than about walking.
ENTRIES_MIN = 100
#: A subtree within this factor of the wanted size may be taken for its share of folders.
SIZE_FACTOR = 1.5


@dataclass(frozen=True)
class Tree:
    """A directory, the number of entries below it, and how many of those are folders."""

    path: str
    entries: int
    folders: int = 0

    @property
    def share(self) -> float:
        """Logarithm of the share of folders; the root counts as one, so there is always some."""
        return math.log((self.folders + 1) / (self.entries + 1))


@dataclass
class _Folder:
    path: str
    parent: int
    entries: int = 0
    folders: int = 0
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
            folder.folders = len(below)
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
            parent.folders += folder.folders
            parent.readable = parent.readable and folder.readable
    return [Tree(folder.path, folder.entries, folder.folders) for folder in folders if folder.readable]


def choose_trees(trees: Iterable[Tree], sizes: int) -> list[Tree]:
    """Choose at most `sizes` trees, evenly spread in the logarithm of their entries, smallest first."""
    candidates = sorted((tree for tree in trees if tree.entries >= ENTRIES_MIN), key=lambda tree: tree.entries)
    if not candidates:
        return []
    whole = candidates[-1]
    low, high = math.log(candidates[0].entries), math.log(candidates[-1].entries)
    chosen: dict[int, Tree] = {}
    for k in range(sizes):
        target = low + (high - low) * k / max(sizes - 1, 1)
        near = [tree for tree in candidates if abs(math.log(tree.entries) - target) <= math.log(SIZE_FACTOR)]
        if near and 0 < k < sizes - 1:
            best = min(near, key=lambda tree: abs(tree.share - whole.share))
        else:
            best = min(
                candidates, key=lambda tree: (abs(math.log(tree.entries) - target), abs(tree.share - whole.share))
            )
        chosen[best.entries] = best
    return sorted(chosen.values(), key=lambda tree: tree.entries)

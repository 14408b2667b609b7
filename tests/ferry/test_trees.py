# SPDX-License-Identifier: BSD-3-Clause
"""Counting and choosing subtrees."""

import itertools
import math
import os
import subprocess
from pathlib import Path

from ferry import trees
from ferry.trees import ENTRIES_MIN, Tree, choose_trees, count_trees
from hypothesis import given
from hypothesis import strategies as st


def fill(folder: Path, files: int) -> Path:
    folder.mkdir(parents=True)
    for k in range(files):
        (folder / f"{k}").touch()
    return folder


def test_entries_are_those_below(tmp_path: Path) -> None:
    fill(tmp_path / "a", 3)
    fill(tmp_path / "a" / "b", 4)
    (tmp_path / "a" / "link").symlink_to(tmp_path / "a" / "b")
    counted = {tree.path: tree.entries for tree in count_trees(tmp_path)}
    assert counted == {str(tmp_path): 10, str(tmp_path / "a"): 9, str(tmp_path / "a" / "b"): 4}


def test_a_tree_deeper_than_recursion_allows(tmp_path: Path) -> None:
    depth = 1500
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    deepest = max(tree.entries for tree in count_trees(tmp_path))
    # what removes tmp_path later goes down by recursion
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)
    assert deepest == depth


def test_an_unreadable_folder_leaves_out_the_trees_around_it(tmp_path: Path, monkeypatch: object) -> None:
    fill(tmp_path / "open", 2)
    fill(tmp_path / "shut", 2)
    # root reads every folder, so the refusal is made here
    scan = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(trees.os, "scandir", refuse)  # type: ignore[attr-defined]
    assert [tree.path for tree in count_trees(tmp_path)] == [str(tmp_path / "open")]


@given(st.lists(st.integers(0, 10**6)), st.integers(1, 10))
def test_chosen_trees_rise(entries: list[int], sizes: int) -> None:
    chosen = choose_trees([Tree(f"/{k}", count) for k, count in enumerate(entries)], sizes)
    counts = [tree.entries for tree in chosen]
    large = [count for count in entries if count >= ENTRIES_MIN]
    assert counts == sorted(set(counts))
    assert len(counts) <= sizes
    assert bool(counts) == bool(large)
    if len(counts) > 1:
        assert (counts[0], counts[-1]) == (min(large), max(large))


def test_chosen_trees_are_spread_in_the_logarithm() -> None:
    chosen = choose_trees([Tree(f"/{k}", round(100 * 1.01**k)) for k in range(700)], 5)
    steps = [math.log(b.entries / a.entries) for a, b in itertools.pairwise(chosen)]
    assert max(steps) < 2 * min(steps)


def test_a_tree_of_the_same_kind_is_preferred() -> None:
    root = Tree("/", 10_000, 1_000)
    same, nearer = Tree("/same", 1_100, 110), Tree("/nearer", 1_000, 1)
    assert choose_trees([root, same, nearer, Tree("/least", 100, 10)], 3)[1] == same

# SPDX-License-Identifier: BSD-3-Clause
"""Options that name a folder to be filled; and that every option that names an output has a row."""

import argparse
import ast
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from ferry.cli import main
from outputs import (
    FILES,
    FOLDERS,
    OBEYING,
    OLD,
    Row,
    World,
    each_folder,
    make_device,
    names,
    run,
)
from paths import ROOT


@each_folder
def test_a_folder_is_made_and_filled(row: Row, world: World) -> None:
    path = world.folder / "new" / "folder"
    done = run(row, world, path)
    assert done.returncode == 0, done.stderr
    assert any(file.is_file() for file in path.rglob("*"))


@each_folder
@pytest.mark.parametrize("kind", ["file", "fifo", "device", "link", "dangling"])
def test_what_is_no_folder_is_refused_and_stays(row: Row, world: World, kind: str) -> None:
    path = world.folder / "there"
    if kind == "device":
        make_device(path, 7, "/dev/full")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "file":
        path.write_text(OLD)
    else:
        path.symlink_to("target")
        if kind == "link":
            (world.folder / "target").write_text(OLD)
    before = path.lstat()
    done = run(row, world, path)
    assert done.returncode in (1, 2)
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
    assert path.lstat().st_ino == before.st_ino
    assert path.lstat().st_mode == before.st_mode


@each_folder
def test_several_files_do_not_go_to_standard_output(row: Row, world: World) -> None:
    done = run(row, world, "-", cwd=world.folder)
    assert done.returncode == 1
    assert f"{row.option} -: several files are written" in done.stderr
    assert names(world.folder) == []


@each_folder
def test_a_file_in_a_folder_is_replaced_as_any(row: Row, world: World) -> None:
    path = world.folder / "filled"
    assert run(row, world, path).returncode == 0
    file = sorted(file for file in path.rglob("*") if file.is_file())[0]
    shutil.move(file, world.folder / "target")
    file.symlink_to(world.folder / "target")
    (world.folder / "target").write_text(OLD)
    assert run(row, world, path).returncode == 0
    assert file.is_symlink()
    assert OLD not in file.read_text()


@each_folder
def test_a_file_in_a_folder_that_cannot_be_written_is_named(row: Row, world: World) -> None:
    path = world.folder / "filled"
    path.mkdir(mode=0o555)
    done = run(row, world, path, OBEYING)
    assert done.returncode == 1
    assert f"{row.option} {path}/" in done.stderr
    assert "Permission denied; give a folder to write to" in done.stderr
    assert names(path) == []


#: Options and arguments of ferry's commands that name what is read.
READ = {
    ("report", "measurement"),
    ("bindgen", "description"),
    ("advise", "--strace"),
    ("advise", "--measurement"),
    ("advise", "--compiled"),
    ("measure", "--tree"),
    ("measure", "--check"),
    ("bindgen", "--runtime"),
    *(("serve", option) for option in ("library", "--credentials", "--ca", "--cert", "--key")),
}
#: The same of the scripts; and folders of what is built or kept.
SCRIPT_READ = {"--build", "--folder", "--ours", "--list", "--root"}
SCRIPTS = [
    *sorted(path for path in (ROOT / "bench").glob("*.py")),
    ROOT / "tests" / "openmp" / "conformance" / "__main__.py",
    ROOT / "kernel" / "vm" / "__main__.py",
]


def test_every_option_of_ferry_that_names_an_output_has_a_row() -> None:
    rows = {(row.command.removeprefix("ferry "), row.option) for row in [*FILES, *FOLDERS]}
    for name, command in main.commands.items():
        for parameter in command.params:
            known = {(name, option) for option in [*parameter.opts, parameter.name or ""]}
            if isinstance(parameter.type, click.Path | click.File) and not known & READ:
                assert known & rows, f"ferry {name} {parameter.opts[0]} names an output: give it a row above"
            if parameter.metavar in ("FILE", "FOLDER", "PATH"):
                assert known & (rows | READ), f"ferry {name} {parameter.opts[0]}: is it an output? give it a row above"


def path_arguments(script: Path) -> Iterator[str]:
    """The arguments of a script that are paths, or say in their metavar that they are."""
    for node in ast.walk(ast.parse(script.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr != "add_argument":
            continue
        words = {word.arg: ast.unparse(word.value) for word in node.keywords}
        if words.get("type") in ("Path", "argparse.FileType") or "FILE" in words.get("metavar", ""):
            yield (
                words.get("metavar", "").strip("'\"")
                if not ast.literal_eval(node.args[0]).startswith("-")
                else str(ast.literal_eval(node.args[0]))
            )


def test_every_option_of_a_script_that_names_an_output_has_a_row() -> None:
    rows = {(row.script, row.option) for row in FILES}
    found = 0
    for script in SCRIPTS:
        for name in set(path_arguments(script)) - SCRIPT_READ:
            found += 1
            assert (str(script.relative_to(ROOT)), name) in rows, f"{script.name} {name}: give it a row above"
    assert found == sum(1 for row in FILES if row.script)


def test_the_walks_find_what_they_are_for(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("parser.add_argument('--save', type=Path)\nparser.add_argument('file', metavar='FILE')\n")
    assert sorted(path_arguments(script)) == ["--save", "FILE"]
    assert argparse.ArgumentParser().add_argument("file", metavar="FILE").metavar == "FILE"

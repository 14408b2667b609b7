# SPDX-License-Identifier: BSD-3-Clause
"""The series for mainline is what kernel/core is, applies to Debian's sources, and pleases checkpatch."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from patches import content
from patches.series import HERE, changed_files, kernel_series, man_series, message, without_hashes
from paths import BUILD
from vm.debian import Archive
from vm.kernels import PATCHED, Release
from vm.say import UnavailableError

SERIES = [release.series for release in PATCHED]
CHECKPATCH = ["scripts/checkpatch.pl", "scripts/spelling.txt", "scripts/const_structs.checkpatch"]
#: What checkpatch says that is no fault here, and why.
ACCEPTED = {
    # a slot whose call there is not: what the code means, and what tests of it expect
    "ENOSYS": r"\+\s+return -ENOSYS;|rets\[\w+\] == -ENOSYS|same\(rets\[\d\], |-EBADF : -ENOSYS",
    # a test's flag that a handler or another thread sets, and slots that another thread writes over
    "VOLATILE": r"volatile (?:sig_atomic_t|bool|struct batch_slot)",
    # a label of asm goto, %l[name], taken for an operator; the kernel's own headers have the same
    "SPACING": r"_ASM_EXTABLE_UA\(\w+, %l\[\w+\]\)",
    # what a run returned is a variable; a macro of C for user space has no other way to look at it twice
    "MACRO_ARG_REUSE": r"#define BATCH_RUN_NEXT\(result\)",
    # the first patch of the series has the entry
    "FILE_PATH_CHANGES": "",
    # looked up in the history, which a source package does not have
    "UNKNOWN_COMMIT_ID": "",
}


def committed(folder: str) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((HERE / folder).iterdir())}


def new_files(patch: str) -> dict[str, str]:
    """Return the files that a patch makes, by name."""
    parts = re.split(r"^diff --git a/\S+ b/(\S+)\n", patch, flags=re.M)[1:]
    return {
        name: "".join(line[1:] + "\n" for line in diff.split("\n") if re.match(r"\+(?!\+\+ b/)", line))
        for name, diff in zip(parts[::2], parts[1::2], strict=True)
        if diff.startswith("new file")
    }


@pytest.fixture(scope="module", params=PATCHED, ids=SERIES)
def release(request: pytest.FixtureRequest) -> Release:
    found = request.param
    assert isinstance(found, Release)
    return found


@pytest.fixture
def source(release: Release) -> Path:
    """The files of Debian's source that the series changes."""
    try:
        return Archive(BUILD / "kernel").source_files(release, [*changed_files(), *CHECKPATCH])
    except UnavailableError as error:
        pytest.skip(str(error).splitlines()[0])


@pytest.mark.parametrize("series", SERIES)
def test_the_series_is_made_of_the_core(series: str) -> None:
    cover, *texts = committed(series).values()
    assert cover.startswith("From 0000000000000000000000000000000000000000")
    for text, patch in zip(texts, content.patches(), strict=True):
        assert new_files(text) == patch.new, "run: PYTHONPATH=kernel python3 -m patches"
        assert message(patch).partition("\n")[2].strip() in text


def test_the_man_page_is_in_step() -> None:
    assert committed("man-pages") == man_series(), "run: PYTHONPATH=kernel python3 -m patches"


def test_the_committed_series_is_what_the_sources_give(source: Path, release: Release) -> None:
    made = {name: without_hashes(text) for name, text in kernel_series(source).items()}
    there = {name: without_hashes(text) for name, text in committed(release.series).items()}
    assert there == made, "run: PYTHONPATH=kernel python3 -m patches"


def test_a_patch_that_fits_both_kernels_exists_once() -> None:
    first, *others = (HERE / series for series in SERIES)
    for other in others:
        for file in sorted(other.iterdir()):
            assert file.is_symlink() == (
                without_hashes(file.read_text()) == without_hashes((first / file.name).read_text())
            )


def test_the_series_applies(source: Path, release: Release, tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    for name in changed_files():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, tree / name)
    # in a repository of its own: `git apply` below another one passes over files that this ignores
    subprocess.run(["git", "init", "-q", tree], check=True)
    for patch in sorted((HERE / release.series).iterdir())[1:]:
        subprocess.run(["git", "-C", tree, "apply", patch], check=True)
    for part in content.patches():
        for name, text in part.new.items():
            assert (tree / name).read_text() == text


def complaints(source: Path, patch: Path) -> list[str]:
    """Return what checkpatch says of a patch, but for what is accepted."""
    command = ["perl", "scripts/checkpatch.pl", "--no-tree", "--strict", "--show-types", "--terse", "--showfile"]
    done = subprocess.run([*command, patch], cwd=source, capture_output=True, text=True)
    assert "lines checked" in done.stdout, done.stdout + done.stderr
    found = []
    for line in done.stdout.splitlines():
        kind = re.search(r": (?:ERROR|WARNING|CHECK):(\w+): ", line)
        if kind and not (kind[1] in ACCEPTED and accepted(patch, line, ACCEPTED[kind[1]])):
            found.append(line)
    return found


def accepted(patch: Path, line: str, pattern: str) -> bool:
    """Whether the line of the file that a complaint names is one of those it is accepted for."""
    place = re.match(r"(\S+):(\d+): ", line)
    if not pattern:
        return True
    files = new_files(patch.read_text())
    return bool(place and re.search(pattern, "+" + files[place[1]].splitlines()[int(place[2]) - 1]))


def test_checkpatch_has_nothing_to_say(source: Path, release: Release) -> None:
    for patch in sorted((HERE / release.series).iterdir())[1:]:
        assert complaints(source, patch) == []


def test_checkpatch_would_say_something(source: Path, release: Release, tmp_path: Path) -> None:
    core = sorted((HERE / release.series).iterdir())[1]
    bad = tmp_path / core.name
    bad.write_text(core.read_text().replace("+\treturn -ENOSYS;", "+\treturn(-ENOSYS) ;"))
    assert any("SPACING: space prohibited before semicolon" in line for line in complaints(source, bad))


def test_a_core_that_has_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    read = content.read
    monkeypatch.setattr(content, "read", lambda path: read(path).replace("batch_is_nested", "batch_nests"))
    with pytest.raises(content.DriftError, match="expected once, found 0 times"):
        content.core()

# SPDX-License-Identifier: BSD-3-Clause
"""The series for mainline is what kernel/core is, makes of Debian's sources what it should, and pleases checkpatch."""

import re
import subprocess
from pathlib import Path

import pytest
from patches import content, places
from patches.series import changed_files, kernel_series, man_series, message, on_files, write
from paths import BUILD
from vm.debian import Archive
from vm.kernels import PATCHED, Release
from vm.say import UnavailableError

SERIES = [release.series for release in PATCHED]
CHECKPATCH = ["scripts/checkpatch.pl", "scripts/spelling.txt", "scripts/const_structs.checkpatch"]
#: What checkpatch says that is no fault here, and why.
ACCEPTED = {
    # a slot whose call there is not: what the code means, and what tests of it expect; what the entry code has in ax
    "ENOSYS": r"\+\s+(?:return|to->ax =) -ENOSYS;|rets\[\w+\] == -ENOSYS|same\(rets\[\d\], |-EBADF : -ENOSYS"
    r"|trace_without_tracer, .*-ENOSYS",
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
        return Archive(BUILD / "kernel").source_files(release, [*changed_files(release.series), *CHECKPATCH])
    except UnavailableError as error:
        pytest.skip(str(error).splitlines()[0])


@pytest.fixture
def patches(release: Release, tmp_path: Path) -> list[Path]:
    """The series as it is written, without its cover letter."""
    return write(kernel_series(release.series), tmp_path / "patches")[1:]


@pytest.mark.parametrize("series", SERIES)
def test_the_series_is_made_of_the_core(series: str) -> None:
    cover, *texts = kernel_series(series).values()
    assert cover.startswith("From 0000000000000000000000000000000000000000")
    for text, patch in zip(texts, content.patches(series), strict=True):
        assert new_files(text) == patch.new
        assert message(patch).partition("\n")[2].strip() in text


def test_the_man_page_is_a_patch_of_its_own() -> None:
    (text,) = man_series().values()
    assert new_files(text) == content.man_page().new


@pytest.mark.parametrize("series", SERIES)
def test_the_places_say_enough_to_find_them_again(series: str) -> None:
    base = places.read(series)
    found = places.series_places(on_files(series, base, places.AROUND), base)
    assert {name: {n for n, line in enumerate(text.split("\n"), 1) if line} for name, text in base.items()} == {
        name: {n for n, line in lines.items() if line} for name, lines in found.items()
    }


def test_a_change_that_leaves_no_room_for_another_patch_is_refused() -> None:
    patch = "diff --git a/init/Kconfig b/init/Kconfig\n@@ -1,1 +1,2 @@\n one\n+two\n"
    with pytest.raises(RuntimeError, match="init/Kconfig is changed by two patches"):
        places.series_places({"0001": patch, "0002": patch}, {"init/Kconfig": "one\n"})


def test_git_am_makes_of_the_sources_what_the_series_means(
    source: Path, release: Release, patches: list[Path], tmp_path: Path
) -> None:
    tree = tmp_path / "linux"
    base = {name: (source / name).read_text() for name in changed_files(release.series)}
    for name, text in base.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    git = ["git", "-C", str(tree), "-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", release.series]):
        subprocess.run([*git, *command], check=True)
    done = subprocess.run([*git, "am", "-q", *patches], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stderr}\nrun: PYTHONPATH=kernel python3 -m patches --update"
    for part in content.patches(release.series):
        for name, text in part.new.items():
            assert (tree / name).read_text() == text
        for name, change in part.changes.items():
            assert (tree / name).read_text() == change(base[name])


def complaints(source: Path, patch: Path) -> list[str]:
    """Return what checkpatch says of a patch, but for what is accepted."""
    command = ["perl", "scripts/checkpatch.pl", "--no-tree", "--strict", "--show-types", "--terse", "--showfile"]
    done = subprocess.run([*command, patch], cwd=source, capture_output=True, text=True)
    # it says nothing at all of a patch without fault
    assert done.returncode == 0 or "lines checked" in done.stdout, done.stdout + done.stderr
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


def test_checkpatch_has_nothing_to_say(source: Path, patches: list[Path]) -> None:
    for patch in patches:
        assert complaints(source, patch) == []


def test_checkpatch_would_say_something(source: Path, patches: list[Path], tmp_path: Path) -> None:
    core = patches[1]
    bad = tmp_path / core.name
    bad.write_text(core.read_text().replace("+\treturn -ENOSYS;", "+\treturn(-ENOSYS) ;"))
    assert any("SPACING: space prohibited before semicolon" in line for line in complaints(source, bad))


def test_a_core_that_has_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    read = content.read
    monkeypatch.setattr(content, "read", lambda path: read(path).replace("batch_is_nested", "batch_nests"))
    with pytest.raises(content.DriftError, match="expected once, found 0 times"):
        content.core()

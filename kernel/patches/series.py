# SPDX-License-Identifier: GPL-2.0-only
"""The series for one version of the kernel: its content applied to that version's files, formatted by git.

Only the lines around each change are looked at (places.py). What comes out depends on nothing but those and our own
files: the times, the hashes and the version of git leave no trace in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from patches import places
from patches.content import MESSAGES, Patch, man_page, patches

#: A file's hashes before and after a change: not known, since no whole file is looked at, and not needed to apply it.
INDEX = re.compile(r"^index (?!0{12})[0-9a-f]+\.\.[0-9a-f]+ [0-7]+\n", re.M)
#: Whom the series is from: the author of Ferry's own commits.
AUTHOR = ("Seed dfaa8d0d maintainers", "maintainers@users.noreply.a-seed-dfaa8d0d.example")
#: When it was first written; a series is dated anew when it is sent.
DATE = "2026-11-21T12:00:00+00:00"


def changed_files(series: str) -> list[str]:
    """Return the kernel's files that the series changes."""
    return sorted({name for patch in patches(series) for name in patch.changes})


def _git(folder: Path, *arguments: str) -> str:
    name, email = AUTHOR
    identity = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", email), ("DATE", DATE))
    }
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["git", "-C", folder, *arguments], env=clean | identity, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def _apply(patch: Patch, folder: Path) -> None:
    for name, text in patch.new.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name, change in patch.changes.items():
        file = folder / name
        file.write_text(change(file.read_text()))


def message(patch: Patch) -> str:
    """Return a commit message, signed off."""
    name, email = AUTHOR
    return f"{(MESSAGES / patch.message).read_text().strip()}\n\nSigned-off-by: {name} <{email}>\n"


def _format(base: dict[str, str], series: list[Patch], cover: str, around: int = 3) -> dict[str, str]:
    """Have git format a series on top of some files, with a cover letter unless that is empty; files by name.

    Each change is shown with as many lines above and below it as `around` says.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder, out = Path(temporary) / "tree", Path(temporary) / "out"
        folder.mkdir()
        _apply(Patch("", new=base), folder)
        _git(folder, "init", "-q", "-b", "series")
        _git(folder, "config", "core.abbrev", "12")
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "--allow-empty", "-m", "base")
        for patch in series:
            _apply(patch, folder)
            _git(folder, "add", "-A")
            _git(folder, "commit", "-q", "-m", message(patch))
        options = ["--zero-commit", "--no-signature", "--no-renames", "--stat=80", f"-U{around}", f"-o{out}"]
        options += ["--cover-letter"] if cover else ["--subject-prefix=PATCH man"]
        _git(folder, "format-patch", "-q", *options, f"HEAD~{len(series)}")
        texts = {file.name: INDEX.sub("", file.read_text()) for file in sorted(out.iterdir())}
    subject, _, letter = cover.partition("\n")
    return {
        name: text.replace("*** SUBJECT HERE ***", subject).replace("*** BLURB HERE ***", letter.strip())
        for name, text in texts.items()
    }


def on_files(series: str, base: dict[str, str], around: int = 3) -> dict[str, str]:
    """Return the series for a kernel of a version that has these files, the cover letter first."""
    return _format(base, patches(series), (MESSAGES / "cover.txt").read_text(), around)


def kernel_series(series: str) -> dict[str, str]:
    """Return the series for a kernel by its version, as `6.12`: places/ has what it needs of it."""
    return on_files(series, places.read(series))


def man_series() -> dict[str, str]:
    """Return what goes to the man-pages project."""
    return _format({}, [man_page()], "")


def write(files: dict[str, str], to: Path) -> list[Path]:
    """Make `to` the folder of these files alone."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name, text in files.items():
        (to / name).write_text(text)
    return sorted(to.iterdir())

# SPDX-License-Identifier: GPL-2.0-only
"""Write the series for one version of the kernel: apply its content to that version's files, and have git format it.

Only the files that the series changes are looked at. What comes out depends on nothing but those and our own files: the
times, the hashes and the version of git leave no trace in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from patches.content import MESSAGES, Patch, patches

HERE = Path(__file__).parent
#: Whom the series is from: the author of Ferry's own commits.
AUTHOR = ("Seed dfaa8d0d maintainers", "maintainers@users.noreply.a-seed-dfaa8d0d.example")
#: When it was first written; a series is dated anew when it is sent.
DATE = "2026-11-21T12:00:00+00:00"


def changed_files() -> list[str]:
    """Return the kernel's files that the series changes."""
    return sorted({name for patch in patches() for name in patch.changes})


def _git(folder: Path, *arguments: str) -> str:
    name, email = AUTHOR
    identity = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
                (("NAME", name), ("EMAIL", email), ("DATE", DATE))}
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


def write(source: Path, to: Path) -> list[Path]:
    """Write the series for the kernel in `source` into `to`, and return its files, the cover letter first."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "linux"
        for name in changed_files():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, folder / name)
        _git(folder, "init", "-q", "-b", "series")
        _git(folder, "config", "core.abbrev", "12")
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", "base")
        for patch in patches():
            _apply(patch, folder)
            _git(folder, "add", "-A")
            _git(folder, "commit", "-q", "-m", message(patch))
        out = Path(temporary) / "out"
        options = ("--zero-commit", "--no-signature", "--cover-letter", "--no-renames", "--stat=80", f"-o{out}")
        _git(folder, "format-patch", "-q", *options, f"HEAD~{len(patches())}")
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        for file in sorted(out.iterdir()):
            text = file.read_text()
            if file.name.startswith("0000-"):
                subject, _, letter = (MESSAGES / "cover.txt").read_text().partition("\n")
                text = text.replace("*** SUBJECT HERE ***", subject).replace("*** BLURB HERE ***", letter.strip())
            (to / file.name).write_text(text)
    return sorted(to.iterdir())

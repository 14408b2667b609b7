# SPDX-License-Identifier: GPL-2.0-only
"""Fetch Debian's kernels, their headers and sources, into a folder and an apt state of their own.

The machine's own apt configuration is neither read nor changed, nothing is installed, and root is not needed. apt
checks each package against the signed lists. A package that was fetched is kept; which one is newest is asked once a
day.
"""

from __future__ import annotations

import fcntl
import lzma
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vm.kernels import Release
from vm.say import UnavailableError, VmError, run_logged, say

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MIRROR = "http://deb.debian.org/debian"
SUITES = ("bookworm", "bookworm-backports", "trixie", "trixie-backports")
LISTS_SECONDS = 24 * 3600
#: What tools built on Debian 13 need of it where this machine's libraries are older.
NEWER_LIBRARIES = ("libc6", "libelf1t64", "libssl3t64", "libzstd1", "zlib1g")
NEWER_SUITE = "trixie"


@dataclass(frozen=True)
class Fetched:
    """A kernel of Debian, unpacked."""

    #: As `uname -r` says it.
    version: str
    image: Path
    #: What a module is built against (make -C).
    headers: Path


class Archive:
    """Debian's archive as seen from one folder."""

    def __init__(self, folder: Path) -> None:
        """Keep everything in `folder`, which is made."""
        self.folder = folder.absolute()
        self.log = self.folder / "apt.log"
        self.listed = self.folder / "apt" / "listed"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time, of those that use this folder, fetch something into it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "archive.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def options(self) -> list[str]:
        """Return the options that keep apt to our folder."""
        apt = self.folder / "apt"
        return [
            *("-o", f"Dir::Etc::sourcelist={apt}/sources.list"),
            *("-o", "Dir::Etc::sourceparts=-"),
            *("-o", "Dir::Etc::preferencesparts=-"),
            *("-o", f"Dir::State::lists={apt}/lists"),
            *("-o", "Dir::State::status=/dev/null"),
            *("-o", f"Dir::Cache={apt}/cache"),
            *("-o", "APT::Sandbox::User=root"),
            *("-o", "APT::Architecture=amd64"),
            *("-o", "Acquire::Languages=none"),
        ]

    def update(self) -> None:
        """Fetch the lists, unless that was done today. Raises UnavailableError."""
        with self._alone():
            if not self.listed.exists() or time.time() - self.listed.stat().st_mtime >= LISTS_SECONDS:
                self._fetch_lists()

    def _fetch_lists(self) -> None:
        for program in ("apt-get", "dpkg-deb"):
            if not shutil.which(program):
                raise UnavailableError(f"there is no {program}: Debian's kernels are fetched with Debian's own tools")
        if not KEYRING.exists():
            raise UnavailableError(f"{KEYRING} is missing; install debian-archive-keyring")
        for folder in ("lists/partial", "cache/archives/partial"):
            (self.folder / "apt" / folder).mkdir(parents=True, exist_ok=True)
        lines = [f"deb [signed-by={KEYRING}] {MIRROR} {suite} main" for suite in SUITES]
        (self.folder / "apt" / "sources.list").write_text("\n".join(lines) + "\n")
        try:
            run_logged("Debian's lists of packages", ["apt-get", *self.options(), "-qq", "update"], self.log)
        except VmError as error:
            if self.listed.exists():
                say("Debian's lists could not be fetched; those fetched before are used")
                return
            raise UnavailableError(f"Debian's archive cannot be reached: {error}") from error
        self.listed.touch()

    def names(self, prefix: str) -> list[str]:
        """Return the packages whose names begin with `prefix`."""
        done = subprocess.run(
            ["apt-cache", *self.options(), "pkgnames", prefix], capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    def newest(self, release: Release) -> str:
        """Return the newest version of a kernel whose image and headers are both there, as `6.12.95+deb12`."""
        self.update()
        noted = self.folder / "apt" / f"newest-{release.series}"
        # apt-cache takes seconds, and gives the same until the lists are fetched anew
        if noted.exists() and noted.stat().st_mtime >= self.listed.stat().st_mtime:
            return noted.read_text()
        found: dict[str, set[str]] = {}
        for kind in ("image", "headers"):
            name = re.compile(rf"linux-{kind}-({release.pattern})-amd64")
            matches = (name.fullmatch(package) for package in self.names(f"linux-{kind}-{release.series}"))
            found[kind] = {match.group(1) for match in matches if match}
        both = found["image"] & found["headers"]
        if not both:
            raise UnavailableError(f"Debian's archive has no kernel {release.series} of {release.suite} any more")
        newest = max(both, key=lambda version: [int(digits) for digits in re.findall(r"\d+", version)])
        whole = noted.with_name(f"{noted.name}.{os.getpid()}")
        whole.write_text(newest)
        whole.replace(noted)
        return newest

    def fetch(self, package: str) -> Path:
        """Return a package's file, of the version that `NAME=VERSION` names or apt would take; fetch it if need be."""
        name, _, version = package.partition("=")
        debs = self.folder / "debs"
        debs.mkdir(parents=True, exist_ok=True)
        pattern = f"{name}_{version.replace(':', '%3a') or '*'}_*.deb"
        with self._alone():
            if not (kept := sorted(debs.glob(pattern))):
                self._download(package, debs)
                kept = sorted(debs.glob(pattern))
        if len(kept) != 1:
            raise VmError(f"{package}: {len(kept)} files in {debs}; remove that folder")
        return kept[0]

    def _download(self, package: str, debs: Path) -> None:
        partial = debs / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        command = ["apt-get", *self.options(), "-qq", "download", package]
        try:
            run_logged(f"fetching {package}", ["env", "-C", str(partial), *command], self.log)
        except VmError as error:
            raise UnavailableError(f"{package} cannot be fetched from Debian's archive: {error}") from error
        for file in partial.iterdir():
            file.replace(debs / file.name)

    def unpack(self, package: str, into: Path) -> None:
        """Unpack a package into a folder, once."""
        file = self.fetch(package)
        mark = into / f".unpacked-{file.name}"
        with self._alone():
            if not mark.exists():
                into.mkdir(parents=True, exist_ok=True)
                subprocess.run(["dpkg-deb", "-x", file, into], check=True)
                mark.touch()

    def depends(self, package: str) -> list[str]:
        """Return the packages that another depends on, each by the first of its alternatives."""
        done = subprocess.run(
            ["dpkg-deb", "-f", self.fetch(package), "Depends"], capture_output=True, text=True, check=True
        )
        return [clause.split("|")[0].split()[0] for clause in done.stdout.strip().split(",") if clause.strip()]

    def kernel(self, release: Release) -> Fetched:
        """Fetch the newest kernel of a series, with its headers. Raises UnavailableError."""
        version = self.newest(release)
        root = self.folder / f"debian-{release.series}-{version}"
        image = f"linux-image-{version}-amd64"
        vmlinuz = self._image(self._binary(image) or image, root / "vmlinuz")
        headers = f"linux-headers-{version}-amd64"
        for package in (headers, *self.depends(headers)):
            if package.startswith(("linux-headers-", "linux-kbuild-")):
                self.unpack(package, root)
        folder = root / "usr" / "src" / headers
        self._move_headers(folder)
        self._checker(root)
        self._tools(root)
        return Fetched(f"{version}-amd64", vmlinuz, folder)

    def _binary(self, image: str) -> str:
        """Return the package that has the image itself since 7.0, where the modules are in another; "" before."""
        return next((package for package in self.depends(image) if package.startswith("linux-binary-")), "")

    def _image(self, package: str, to: Path) -> Path:
        """Unpack nothing but the kernel image: its modules are 400 MB, and no test needs one."""
        return self._one_file(package, "*/vmlinuz*", to)

    def _one_file(self, package: str, pattern: str, to: Path) -> Path:
        if not to.exists():
            to.parent.mkdir(parents=True, exist_ok=True)
            partial = to.with_suffix(".partial")
            unpack: list[str | Path] = ["dpkg-deb", "--fsys-tarfile", self.fetch(package)]
            pick = ["tar", "-xO", "--wildcards", pattern]
            with subprocess.Popen(unpack, stdout=subprocess.PIPE) as whole, partial.open("wb") as file:
                subprocess.run(pick, stdin=whole.stdout, stdout=file, check=True)
            partial.replace(to)
        return to

    def modules(self, release: Release, names: Sequence[str]) -> dict[str, bytes]:
        """Return modules of a kernel by name, for a file system in a file. Raises UnavailableError."""
        version = self.newest(release)
        folder = self.folder / f"debian-{release.series}-{version}" / "modules"
        image = f"linux-image-{version}-amd64"
        if self._binary(image):
            raise UnavailableError(
                f"Debian's {release.series} has its modules in a package that is not fetched, and needs some for "
                "a file system in a file; take debian-6.12, or a minimal kernel"
            )
        return {
            name: lzma.decompress(self._one_file(image, f"*/{name}.ko.xz", folder / f"{name}.ko.xz").read_bytes())
            for name in names
        }

    def _move_headers(self, folder: Path) -> None:
        """Have the headers look for each other where they were unpacked."""
        makefile = folder / "Makefile"
        text = makefile.read_text()
        moved = re.sub(r"(?<![\w/.-])/usr/src/", f"{folder.parent}/", text)
        if moved != text:
            makefile.write_text(moved)

    def _checker(self, root: Path) -> None:
        """Have the headers take this machine's sparse: from 7.2 on they ask a script that Debian leaves out of them."""
        for makefile in root.glob("usr/src/linux-headers-*-common/Makefile"):
            script = makefile.parent / "scripts" / "checker-valid.sh"
            if "scripts/checker-valid.sh" in makefile.read_text() and not script.exists():
                script.write_text("#!/bin/sh\necho 1\n")
                script.chmod(0o755)

    def _tools(self, root: Path) -> None:
        """Give the build tools of a newer Debian its libraries, where this machine's are too old for them."""
        mark = root / ".tools"
        if mark.exists():
            return
        for tool in sorted(root.glob("usr/lib/linux-kbuild-*/**/*")):
            if tool.is_symlink() or not tool.is_file() or tool.suffix == ".elf" or tool.read_bytes()[:4] != b"\x7fELF":
                continue
            done = subprocess.run(["ldd", tool], capture_output=True, text=True)
            if "not found" not in done.stdout + done.stderr:
                continue
            libraries = self._newer_libraries()
            real = tool.with_name(tool.name + ".elf")
            tool.rename(real)
            tool.write_text(
                f'#!/bin/sh\nexec {libraries}/ld-linux-x86-64.so.2 --library-path {libraries} {real} "$@"\n'
            )
            tool.chmod(0o755)
        mark.touch()

    def _newer_libraries(self) -> Path:
        root = self.folder / NEWER_SUITE
        for package in NEWER_LIBRARIES:
            self.unpack(package, root)
        return root / "usr" / "lib" / "x86_64-linux-gnu"

    def _source_package(self, release: Release) -> str:
        """Return the package with the source that a kernel was built from, as NAME=VERSION."""
        headers = self.fetch(f"linux-headers-{self.newest(release)}-amd64")
        done = subprocess.run(["dpkg-deb", "-f", headers, "Version"], capture_output=True, text=True, check=True)
        return f"linux-source-{release.series}={done.stdout.strip()}"

    def source_files(self, release: Release, names: list[str]) -> Path:
        """Fetch a source and unpack no more than some of its files: seconds instead of a minute."""
        package = self._source_package(release)
        root = self.folder / f"files-{release.series}-{package.partition('=')[2]}"
        if any(not (root / name).exists() for name in names):
            self.unpack(package, root / "package")
            tar = next(root.glob("package/usr/src/*.tar.xz"))
            inside = [f"{tar.name.removesuffix('.tar.xz')}/{name}" for name in names]
            command: list[str | Path] = ["tar", "-xf", tar, "-C", root, "--strip-components=1", *inside]
            run_logged(f"unpacking {len(names)} files of {tar.name}", command, self.log)
            shutil.rmtree(root / "package")
        return root

    def source(self, release: Release) -> Path:
        """Fetch the source that a kernel was built from and unpack it; Debian's patches are applied in it."""
        package = self._source_package(release)
        name, _, version = package.partition("=")
        root = self.folder / f"source-{release.series}"
        mark = root / f".unpacked-{version}"
        if not mark.exists():
            shutil.rmtree(root, ignore_errors=True)
            self.unpack(package, root)
            tar = root / "usr" / "src" / f"{name}.tar.xz"
            run_logged(f"unpacking {tar.name}", ["tar", "-xf", tar, "-C", root], self.log)
            tar.unlink()
            mark.touch()
        return root / name

# SPDX-License-Identifier: BSD-3-Clause
"""Write the wheel of ferry-openmp: wheel.py TAG LIBRARY=FILE… FOLDER; print its path.

The package's Python code is the same on every machine, and its libraries come from `make`. So a wheel consists of these
files, the metadata from pyproject.toml, and a list of the files with their hashes. The same input gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "src"
#: The earliest time that a zip file can hold.
EPOCH = (1980, 1, 1, 0, 0, 0)
#: The modes of files in the wheel, by suffix: shared libraries are executable.
MODES = {".so": 0o755, ".0": 0o755}


def metadata(project: dict[str, object]) -> str:
    """Return METADATA, version 2.1."""
    classifiers = project["classifiers"]
    keywords = project["keywords"]
    licence = project["license"]
    assert isinstance(classifiers, list)
    assert isinstance(keywords, list)
    assert isinstance(licence, dict)
    head = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {licence['text']}",
        f"Keywords: {','.join(keywords)}",
        *(f"Classifier: {one}" for one in classifiers),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (HERE / str(project["readme"])).read_text()


def contents(project: dict[str, object], tag: str, libraries: dict[str, Path]) -> dict[str, bytes]:
    """Return the files of the wheel, by their paths in it, without RECORD."""
    info = f"ferry_openmp-{project['version']}.dist-info"
    scripts = project["scripts"]
    assert isinstance(scripts, dict)
    package = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".py", ".pth", ".typed"))
    found = {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in package}
    found |= {f"ferry_openmp/lib/{name}": path.resolve().read_bytes() for name, path in libraries.items()}
    points = "".join(f"{name} = {target}\n" for name, target in scripts.items())
    lines = ["Wheel-Version: 1.0", "Generator: ferry", "Root-Is-Purelib: false", f"Tag: py3-none-{tag}"]
    found[f"{info}/METADATA"] = metadata(project).encode()
    found[f"{info}/WHEEL"] = ("\n".join(lines) + "\n").encode()
    found[f"{info}/entry_points.txt"] = f"[console_scripts]\n{points}".encode()
    found[f"{info}/licenses/LICENSE"] = (HERE.parent / "LICENSES" / "BSD-3-Clause.txt").read_bytes()
    return found


def record(files: dict[str, bytes], name: str) -> bytes:
    """Return RECORD: every file with its hash and size, and RECORD itself without."""
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return ("\n".join([*lines, f"{name},,"]) + "\n").encode()


def write(path: Path, files: dict[str, bytes]) -> None:
    """Write the zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o100000 | MODES.get(Path(name).suffix, 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def main() -> None:
    """Write one wheel."""
    tag, *libraries, folder = sys.argv[1:]
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    pairs = (one.partition("=") for one in libraries)
    files = contents(project, tag, {name: Path(file) for name, _, file in pairs})
    name = f"ferry_openmp-{project['version']}.dist-info/RECORD"
    files[name] = record(files, name)
    Path(folder).mkdir(parents=True, exist_ok=True)
    path = Path(folder) / f"ferry_openmp-{project['version']}-py3-none-{tag}.whl"
    write(path, files)
    print(path)


if __name__ == "__main__":
    main()

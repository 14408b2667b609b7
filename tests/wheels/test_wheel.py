# SPDX-License-Identifier: BSD-3-Clause
"""The wheel of ferry-openmp: what is in it, and that its list is right."""

import base64
import csv
import hashlib
import io
import zipfile
from pathlib import Path

from paths import ROOT, VERSION
from wheels.installed import TAG, Installed, build_wheel

INFO = f"ferry_openmp-{VERSION}.dist-info"


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = build_wheel(tmp_path / "one"), build_wheel(tmp_path / "other")
    assert one.name == f"ferry_openmp-{VERSION}-py3-none-{TAG}.whl"
    assert one.read_bytes() == other.read_bytes()


def test_the_record_has_every_file_with_its_hash(tmp_path: Path) -> None:
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[f"{INFO}/RECORD"].decode()))}
    assert rows.keys() == files.keys()
    for name, (digest, size) in rows.items():
        if name != f"{INFO}/RECORD":
            found = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={found}", len(files[name])), name


def test_it_has_the_package_the_libraries_and_the_start_of_each_interpreter(tmp_path: Path) -> None:
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        names = set(wheel.namelist())
    sources = {path.relative_to(ROOT / "python" / "src").as_posix() for path in (ROOT / "python" / "src").rglob("*.py")}
    assert sources <= names
    assert {"ferry_openmp.pth", "ferry_openmp/lib/libferryomp.so.0", "ferry_openmp/lib/libferryblas.so"} <= names


def test_pip_knows_its_name_and_version(installed: Installed) -> None:
    code = (
        "import importlib.metadata as m; d = m.metadata('ferry-openmp'); print(d['Name'], d['Version'], d['License'])"
    )
    assert installed.output("-c", code) == f"ferry-openmp {VERSION} BSD-3-Clause\n"
    assert installed.output("-c", "import ferry_openmp; print(ferry_openmp.__version__)") == f"{VERSION}\n"

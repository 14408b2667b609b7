# SPDX-License-Identifier: BSD-3-Clause
"""docs/ingress-rust.md, followed line by line: its library is built, and a host in Python calls it."""

import json
import re
import sys
from pathlib import Path

from followed import block, run
from native import make
from paths import BUILD, CARGO, ROOT

TEXT = (ROOT / "docs" / "ingress-rust.md").read_text()
#: Where the page has an installed crate.
INSTALLED = "/usr/local/share/ferry/rust/"
HOST = """
from notes import AddError, Note, Notes, RaisedAddError

with Notes.open() as notes:
    notes.add(Note("tea", []))
    notes.add(Note("boat", [], due=5, stars=1))
    try:
        notes.add(Note("tea", []))
    except RaisedAddError as error:
        print(error.value.name)
    print(list(notes.titles()), notes.wait(5))
    with notes.answer_confirm(lambda asked: asked.title == "tea"):
        print(notes.remove("tea"), notes.remove("boat"), list(notes.titles()))
"""


def test_the_library_is_called(tmp_path: Path) -> None:
    make(BUILD, BUILD / "lib/libferryingress.so")
    crate = tmp_path / "notes"
    (crate / "src").mkdir(parents=True)
    assert INSTALLED in block(TEXT, "toml")
    (crate / "Cargo.toml").write_text(block(TEXT, "toml").replace(INSTALLED, f"{ROOT}/hosts/rust/"))
    (crate / "src" / "lib.rs").write_text("#![deny(warnings)]\n" + block(TEXT, "rust"))
    # where the crates that it needs are built already
    run(CARGO, BUILD, "build", "--quiet", "--manifest-path", crate / "Cargo.toml")
    library = BUILD / "rust" / "debug" / "libnotes.so"
    path = str(ROOT / "tools" / "ferry" / "src")
    run(sys.executable, "-m", "ferry", "bindgen", library, "--lang", "python", "--out", tmp_path, PYTHONPATH=path)
    core = f"{BUILD}/lib/libferryingress.so.0"
    path = f"{ROOT}/hosts/python/src:{tmp_path}/src"
    said = run(
        sys.executable, "-c", HOST, NOTES_LIBRARY=str(library), FERRY_INGRESS_LIBRARY=core, PYTHONPATH=path
    )  # fmt: skip
    assert said == "TWICE\n['tea', 'boat'] 2\nTrue False ['boat']\n"
    (extract,) = re.findall(r"^    (objcopy .*) target/release/libnotes.so notes.json$", TEXT, re.M)
    run(*extract.split(), library, tmp_path / "notes.json")
    assert json.loads((tmp_path / "notes.json").read_text())["library"]["doc"] == "Keeps notes."

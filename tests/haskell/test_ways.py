# SPDX-License-Identifier: BSD-3-Clause
"""The commands that print tables of docs/results/haskell.md: each cell is filled, in a form that tables.py reads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT

TIMEOUT_S = 300
TABLES = {
    "ways.py": {"conventions": 4, "batches": 7, "scaling": 2, "crossover": 6, "haskell": 3, "tasks": 5},
    "compilers.py": {"compilers": 24},
}


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    paths = f"{ROOT}/tools/ferry/src:{ROOT}/docs/results"
    return subprocess.run(
        [sys.executable, ROOT / "bench" / "haskell" / script, *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": paths},
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.parametrize(("script", "option"), [("ways.py", "--quick"), ("compilers.py", "--passes=1")])
def test_every_table_is_whole(script: str, option: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    done = run(script, BUILD / "bench", option, f"--results={file}")
    assert done.returncode == 0, done.stderr
    results = json.loads(file.read_text())
    assert f"bench/haskell/{script}" in results["command"]
    assert {name: len(table["rows"]) for name, table in results["tables"].items()} == TABLES[script]
    for table in results["tables"].values():
        for row in table["rows"]:
            assert len(row) == len(table["columns"])
            assert all(row)
            assert "| " + " | ".join(row) + " |" in done.stdout


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = run("ways.py", tmp_path)
    assert (done.returncode, done.stderr) == (3, f"ways.py: {tmp_path}/haskell is not there; run `make haskell`\n")

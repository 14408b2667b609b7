# SPDX-License-Identifier: BSD-3-Clause
"""The tables of numbers in the documents are what docs/results has."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

TABLES = ROOT / "docs" / "results" / "tables.py"
spec = importlib.util.spec_from_file_location("results_tables", TABLES)
assert spec is not None
assert spec.loader is not None
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

RESULTS = {
    "machine": "Fake, 2 cores",
    "command": "ferry measure",
    "tables": {"costs": {"columns": ["", "ns"], "rows": [["a call", "1.5"], ["none", ""]]}},
}
DOCUMENT = "Before.\n\n<!-- results fake costs -->\nold digits\n<!-- results end -->\n\nAfter.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "docs" / "results" / "fake.json").write_text(json.dumps(RESULTS))
    return tmp_path


def test_the_documents_have_the_tables_of_the_results() -> None:
    done = subprocess.run([sys.executable, TABLES, "--check"], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout


def test_the_picture_is_drawn_from_the_results() -> None:
    command = [sys.executable, str(ROOT / "docs/results/pictures.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_table_is_written_between_its_markers(root: Path) -> None:
    text = tables.updated(root, DOCUMENT)
    assert text == (
        "Before.\n\n<!-- results fake costs -->\n| | ns |\n|---|---|\n| a call | 1.5 |\n| none | |\n\n"
        "Fake, 2 cores; `ferry measure`.\n<!-- results end -->\n\nAfter.\n"
    )
    assert tables.updated(root, text) == text


def test_a_table_may_name_a_machine_and_a_command_of_its_own(root: Path) -> None:
    table = RESULTS["tables"]["costs"] | {"machine": "Other, 4 cores", "command": "ferry report"}  # type: ignore[index]
    (root / "docs" / "results" / "fake.json").write_text(json.dumps(RESULTS | {"tables": {"costs": table}}))
    assert "\nOther, 4 cores; `ferry report`.\n" in tables.updated(root, DOCUMENT)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (DOCUMENT.replace("fake", "nobody"), "nobody.json"),
        (DOCUMENT.replace(" costs", " prices"), "there is no table 'prices'; there are: costs"),
        (DOCUMENT.replace("<!-- results end -->", ""), "a marker is not closed"),
    ],
)
def test_a_wrong_marker_is_named(root: Path, document: str, message: str) -> None:
    with pytest.raises(tables.ResultsError, match=message):
        tables.updated(root, document)


@pytest.mark.parametrize("row", ["| a call | 1.5 | 0.7 |", "| a call | **1.50 to 1.62** | 0.7 µs |"])
def test_a_table_of_figures_outside_markers_is_refused(root: Path, row: str) -> None:
    with pytest.raises(tables.ResultsError, match="figures outside markers: . a call"):
        tables.updated(root, f"{DOCUMENT}\n| | ns | ratio |\n|---|---|---|\n{row}\n")


def test_limits_may_stand_outside_markers(root: Path) -> None:
    text = tables.updated(root, DOCUMENT) + "\n| | default | most |\n|---|---|---|\n| depth | 4,096 | 524,288 |\n"
    assert tables.updated(root, text) == text


def test_results_without_a_machine_are_refused(root: Path) -> None:
    (root / "docs" / "results" / "fake.json").write_text(json.dumps(RESULTS | {"machine": ""}))
    with pytest.raises(tables.ResultsError, match="'machine' is missing"):
        tables.updated(root, DOCUMENT)


def test_each_file_of_results_is_in_a_document() -> None:
    named = {
        (name, table)
        for path in tables.documents(ROOT)
        for _, name, table, *_ in tables.MARKED.findall(path.read_text())
    }
    for path in (ROOT / "docs" / "results").glob("*.json"):
        for table in tables.load(ROOT, path.stem)["tables"]:
            assert (path.stem, table) in named, f"no document shows {table} of {path.name}"

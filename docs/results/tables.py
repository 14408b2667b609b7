#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the tables of numbers in the documents from docs/results/*.json.

Usage: docs/results/tables.py [--check] [--summary MEASUREMENT…]

A document has `<!-- results FILE TABLE -->` and `<!-- results end -->`; what stands between them is written from
`tables.TABLE` of docs/results/FILE.json: its columns, its rows, and below them the machine and the command, the table's
own where it has them. A table of figures elsewhere is an error. --check writes nothing and fails where a document
differs. --summary first writes docs/results/summary.json from files of `ferry measure --beside 2 --json`, each with
other boundaries; that alone needs Ferry's Python environment (build/venv/bin/python).
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent.parent
DOCUMENTS = ("README.md", "docs/*.md", "docs/decisions/*.md", "docs/results/*.md")
MARKED = re.compile(r"(<!-- results (\S+) (\S+) -->\n)(.*?)(<!-- results end -->)", re.S)
OPENED = re.compile(r"<!-- results (?!end)")
#: A cell that was measured has a decimal point; a limit that somebody chose has none.
MEASURED = re.compile(r"\**[\d,]+\.\d+( (to|and) [\d.,]+)?\**( [a-zµ%×]+)?")


class ResultsError(ValueError):
    """A file of results or a marker is wrong; the message says where and what to do."""


def load(root: Path, name: str) -> dict[str, Any]:
    """Read one file of results. Raises ResultsError."""
    path = root / "docs" / "results" / f"{name}.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ResultsError(f"{path.name}: {error}; the marker names it") from error
    for key in ("machine", "command", "tables"):
        if not found.get(key):
            raise ResultsError(f"{path.name}: '{key}' is missing; a table names its machine and its command")
    return found


def render(results: dict[str, Any], table: str) -> str:
    """Return a table in Markdown. Raises ResultsError."""
    if table not in results["tables"]:
        raise ResultsError(f"there is no table '{table}'; there are: {', '.join(results['tables'])}")
    columns, rows = (results["tables"][table][key] for key in ("columns", "rows"))
    for row in rows:
        if len(row) != len(columns):
            raise ResultsError(f"table '{table}': a row has {len(row)} cells, not {len(columns)}: {row}")
    lines = [columns, ["---"] * len(columns), *rows]
    text = "\n".join("|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|" for line in lines)
    return text.replace("| --- ", "|---").replace("---|---", "---|---").replace("--- |", "---|") + "\n"


def caption(results: dict[str, Any], table: str) -> str:
    """Return the line below a table: its own machine and command, or the file's."""
    one = results | results["tables"][table]
    return f"\n{one['machine']}; `{one['command']}`.\n"


def updated(root: Path, text: str) -> str:
    """Return a document's text with its tables as the results have them. Raises ResultsError."""
    if len(OPENED.findall(text)) != len(MARKED.findall(text)):
        raise ResultsError("a marker is not closed; write `<!-- results end -->` below its table")

    for line in MARKED.sub("", text).splitlines():
        cells = [cell.strip() for cell in line.split("|")[2:-1]] if line.startswith("|") else []
        if sum(bool(MEASURED.fullmatch(cell)) for cell in cells) > 1:
            raise ResultsError(f"figures outside markers: {line}\nput them into a file of docs/results")

    def one(found: re.Match[str]) -> str:
        results = load(root, found[2])
        return found[1] + render(results, found[3]) + caption(results, found[3]) + found[5]

    return MARKED.sub(one, text)


def documents(root: Path) -> list[Path]:
    """Return the documents that may have tables."""
    return sorted(path for pattern in DOCUMENTS for path in root.glob(pattern))


def write_summary(measurements: list[Path], command: str) -> None:
    """Write summary.json from measurements of one machine, as `ferry measure` sums them up."""
    sys.path.insert(0, str(ROOT / "tools" / "ferry" / "src"))
    from ferry.measurement import Measurement
    from ferry.measurement import load as load_measurement
    from ferry.quantity import plain_cost
    from ferry.summary import from_text, summary, times_text

    parts = [load_measurement(path) for path in measurements]
    measured = Measurement(parts[0].machine, tuple(result for part in parts for result in part.results), ())
    machine, worlds = measured.machine, measured.worlds()
    columns = ["", "without Ferry", "with Ferry", "floor", "times as fast", "worth it"]
    columns[5:5] = [world.words for world in worlds]
    rows = []
    for line in summary(measured):
        row = [
            line.text,
            f"{line.without_text}: {plain_cost(line.without, line.unit)}",
            plain_cost(line.ferry, line.unit),
        ]
        row += [plain_cost(line.floor, line.unit) if line.floor is not None else "", times_text(line.times)]
        row += [times_text(line.beside[world]) if world in line.beside else "" for world in worlds]
        rows.append([*row, from_text(line.from_n)])
    words = ", ".join(str(machine[key]) for key in ("cpu", "kernel", "compiler"))
    results = {
        "machine": f"{words}, {machine['cores']} cores",
        "command": command,
        "tables": {"summary": {"columns": columns, "rows": rows}},
    }
    text = json.dumps(results, ensure_ascii=False, indent=1) + "\n"
    (RESULTS / "summary.json").write_text(text, encoding="utf-8")


def main() -> int:
    """Write the tables, or say which documents differ."""
    parser = argparse.ArgumentParser(description="Write the tables of the documents from docs/results/*.json.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a document differs")
    parser.add_argument("--summary", type=Path, nargs="+", metavar="MEASUREMENT", help="first write summary.json")
    parser.add_argument("--command", default="ferry measure --beside 2", help="the command that made it")
    options = parser.parse_args()
    if options.summary:
        write_summary(options.summary, options.command)
    failed = False
    for path in documents(ROOT):
        text = path.read_text(encoding="utf-8")
        try:
            wanted = updated(ROOT, text)
        except ResultsError as error:
            print(f"{path.relative_to(ROOT)}: {error}")
            failed = True
            continue
        if wanted != text and options.check:
            print(f"{path.relative_to(ROOT)}: a table differs from docs/results; run `make generate`")
            failed = True
        elif wanted != text:
            path.write_text(wanted, encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

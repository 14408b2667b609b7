# SPDX-License-Identifier: BSD-3-Clause
"""`ferry report`: the page, as a browser shows it."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from fakes import fake_bench, ferry
from page import console_messages, look, references, screenshot

#: A machine and samples as hostile as a file can make them.
HOSTILE = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measurement of all kinds: exact figures, so that the page can be checked against them."""
    folder = tmp_path_factory.mktemp("measured")
    file = folder / "measure.json"
    done = ferry("measure", "syscall", "function", "--json", file, FERRY_BENCH=str(fake_bench(folder / "bench")))
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(scope="module")
def page(measured: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of that measurement."""
    file = tmp_path_factory.mktemp("report") / "new folder" / "index.html"
    done = ferry("report", measured, "-o", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"wrote {file}\n"
    return file


def test_every_boundary_is_there_and_break_even_is_marked(page: Path) -> None:
    text = page.read_text()
    for boundary in ("syscall", "function"):
        assert f'data-boundary="{boundary}"' in text
        for chart in ("time", "cost"):
            assert f'id="{boundary}-getppid-{chart}"' in text
    # loop 300 + 60 n against libc 5 + 106 n: equal at 295 / 46
    assert "loop is cheaper than libc from n = 6.4" in text
    assert "break-even n = 6.4 ± 0" in text
    assert "Fake, 1 cores" in text
    assert text.count("<title") == 1 + text.count("<svg")
    assert text.count("<desc") == text.count("<svg") == 5


def test_each_chart_is_a_picture_of_its_own(measured: Path, tmp_path: Path) -> None:
    done = ferry("report", measured, "-o", tmp_path / "page.html", "--pictures", tmp_path / "new" / "pictures")
    assert done.returncode == 0, done.stderr
    names = {f"{boundary}-getppid-{chart}.svg" for boundary in ("syscall", "function") for chart in ("time", "cost")}
    files = list((tmp_path / "new" / "pictures").iterdir())
    assert {file.name for file in files} == names
    page = (tmp_path / "page.html").read_text()
    for file in files:
        root = ElementTree.fromstring(file.read_text())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        style = root.find("{http://www.w3.org/2000/svg}style")
        assert style is not None
        assert ".s1 {" in (style.text or "")
        # drawn as on the page
        assert file.read_text().partition("</style>")[2].strip() in page


def test_pictures_that_cannot_be_written_are_named(measured: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ferry("report", measured, "-o", tmp_path / "page.html", "--pictures", tmp_path / "file" / "folder")
    assert done.returncode == 1
    assert "give a folder to write to" in done.stderr


def test_nothing_outside_the_page_is_referred_to(page: Path) -> None:
    text = page.read_text()
    assert all(address.startswith("#") or address == "data:," for address in references(text)), references(text)
    assert "http:" not in text
    assert "https:" not in text
    assert "<script" not in text


def test_the_page_loads_without_a_word_on_the_console(page: Path) -> None:
    assert console_messages(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_charts_have_room_and_fit_the_screen(page: Path, tmp_path: Path, width: int) -> None:
    seen = look(page, tmp_path, width)
    assert seen["inner"] == width
    assert seen["scroll"] <= width, "the page itself must not scroll sideways"
    assert len(seen["svgs"]) == 5
    (first,) = (svg for svg in seen["svgs"] if svg["id"] == "summary-chart")
    assert first["box"][0] >= 0
    assert first["box"][2] <= width
    assert first["clipped"] == []
    assert first["font"] > 9.5
    for svg in seen["svgs"]:
        if svg is first:
            continue
        left, top, right, bottom = svg["box"]
        assert right - left > 300, svg["id"]
        assert bottom - top > 200, svg["id"]
        assert left >= 0, svg["id"]
        assert right <= width, svg["id"]
        assert svg["clipped"] == [], svg["id"]
        assert svg["font"] > 9.5, svg["id"]
        # three variants of four sizes, and a marker in each of three labels
        assert svg["points"] == 3 * 4 + 3, svg["id"]
        assert len(svg["drawn"]) == 3
        assert min(svg["drawn"]) > 50


def test_dark_readers_get_a_dark_page(page: Path, tmp_path: Path) -> None:
    light = look(page, tmp_path, 1280)["dark"]
    dark = look(page, tmp_path, 1280, "--blink-settings=preferredColorScheme=0")["dark"]
    assert light == "rgb(251, 251, 249)"
    assert dark == "rgb(20, 23, 26)"


def test_the_screenshot_is_not_blank(page: Path, tmp_path: Path) -> None:
    pixels = screenshot(page, tmp_path / "page.png", 900, 900)
    assert pixels.shape == (900, 900, 3)
    colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    assert len(colours) > 50
    assert counts.max() < 0.97 * 900 * 900
    blank = tmp_path / "blank.html"
    blank.write_text("<!doctype html><title>nothing</title>")
    assert len(np.unique(screenshot(blank, tmp_path / "blank.png", 900, 900).reshape(-1, 3), axis=0)) == 1


def test_text_from_the_file_is_escaped(measured: Path, tmp_path: Path) -> None:
    document = json.loads(measured.read_text())
    document["machine"]["cpu"] = HOSTILE
    for result in document["results"]:
        result["boundary"] = HOSTILE
        result["variant"] = HOSTILE + result["variant"]
    document["ratios"] = []
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(document))
    done = ferry("report", file, "-o", tmp_path / "index.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "index.html").read_text()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert console_messages(tmp_path / "index.html") == []


def test_a_boundary_this_version_does_not_know_is_drawn(measured: Path, tmp_path: Path) -> None:
    document = json.loads(measured.read_text())
    for entry in document["results"] + document["ratios"]:
        entry["boundary"] = "from-the-future"
    file = tmp_path / "future.json"
    file.write_text(json.dumps(document))
    assert ferry("report", file, "-o", tmp_path / "index.html").returncode == 0
    assert 'id="from-the-future-getppid-cost"' in (tmp_path / "index.html").read_text()


def change(document: dict[str, Any], path: list[str | int], value: object) -> None:
    """Set one place in a document."""
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["machine"], None, "no 'machine' object"),
        (["results"], [], "'results' is empty"),
        (["results"], {}, "'results' is not a list"),
        (["ratios"], None, "'ratios' is not a list"),
        (["results", 0, "fixed"], "x", "result 0: 'fixed' is 'x'"),
        (["results", 1, "unit"], "hours", "result 1: unknown unit 'hours'"),
        (["results", 1, "boundary"], "", "result 1: 'boundary' is ''"),
        (["results", 0, "samples", 3, "n"], 0, "result 0, sample 3: 'n' is 0"),
        (["ratios", 0, "value"], True, "ratio 0: 'value' is True"),
    ],
)
def test_a_malformed_file_is_refused(
    measured: Path, tmp_path: Path, path: list[str | int], value: object, message: str
) -> None:
    document = json.loads(measured.read_text())
    change(document, path, value)
    file = tmp_path / "malformed.json"
    file.write_text(json.dumps(document))
    done = ferry("report", file, "-o", tmp_path / "index.html")
    assert done.returncode == 1
    assert message in done.stderr
    assert "ferry measure --json" in done.stderr
    assert not (tmp_path / "index.html").exists()


def test_files_that_cannot_be_used(measured: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("these are words")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name in ("words", "bytes"):
        done = ferry("report", tmp_path / name)
        assert done.returncode == 1
        assert "is not JSON" in done.stderr
    assert ferry("report", tmp_path / "missing").returncode == 2
    done = ferry("report", measured, "-o", tmp_path / "words" / "index.html")
    assert done.returncode == 1
    assert "-o" in done.stderr

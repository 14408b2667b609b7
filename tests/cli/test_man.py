# SPDX-License-Identifier: BSD-3-Clause
"""The manual: complete, true to the code, and clean."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
from ferry import __version__
from ferry.cli import COMMANDS, main
from paths import ROOT

PAGES = sorted((ROOT / "man").glob("*.[0-9]"))
BOUNDARIES = ROOT / "tools/ferry/src/ferry/boundaries.py"
#: In examples/, but not installed: programs that show a foreign import, and folds over a tree.
SHOWN_ONLY = ("foreign", "trees")
PROGRAMS = sorted(
    path.stem
    for language, suffix in (("c", ".c"), ("haskell", ".hs"))
    for path in (ROOT / "examples" / language).iterdir()
    if (path.is_dir() or path.suffix == suffix) and path.stem not in SHOWN_ONLY
)
TYPED = tomllib.loads((ROOT / "spec/batch.toml").read_text())["typed"]


#: How a page in the mdoc macros starts, after its licence; one in the man macros starts with .TH.
MDOC = ".Dd "


def names(page: Path) -> list[str]:
    """What the page documents, by its NAME section, in either of the two sets of macros."""
    text = page.read_text()
    section = re.search(r"^\.S[Hh] NAME\n(.*?)^\.S[Hh] ", text, re.M | re.S)
    assert section, f"{page.name} has no NAME section"
    if text.startswith(MDOC, text.index("\n") + 1):
        assert re.search(r"^\.Nd \S", section[1], re.M), f"{page.name}: no description"
        return re.findall(r"^\.Nm (.+?)(?: ,)?$", section[1], re.M)
    listed, dash, description = section[1].partition(" \\- ")
    assert dash, f"{page.name}: no ' \\- ' between names and description"
    assert description.strip(), f"{page.name}: no description"
    return listed.replace(",", " ").split()


def documented(section: str) -> set[str]:
    return {name for page in PAGES if page.suffix == f".{section}" for name in names(page)}


def plain(page: Path) -> str:
    """The page's text as a terminal shows it, in lines that do not wrap."""
    done = subprocess.run(
        ["man", "-P", "cat", "-l", page],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "1000"},
    )
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_clean(page: Path) -> None:
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", page],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin:/bin", "MANROFFSEQ": "", "MANWIDTH": "80"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = page.read_text().splitlines()
    assert lines[0] == '.\\" SPDX-License-Identifier: BSD-3-Clause'
    title = f"{page.stem.upper()} {page.suffix[1:]}"
    assert lines[1].startswith(f".TH {title} ") or (lines[1].startswith(MDOC) and lines[2] == f".Dt {title}")
    assert page.stem in names(page)
    assert not re.search(r"/work|/tmp/", page.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_word_of_a_page_is_taken_for_a_macro(page: Path) -> None:
    """As 'In' of a title is, which begins what mdoc shows as <a header>, and as 'Os', which changes the last line."""
    lines = plain(page).rstrip().splitlines()
    assert lines[-1].startswith(f"Ferry {__version__} "), f"{page.name}: the last line is {lines[-1]!r}"
    for title in re.findall(r"^\.S[SHsh] (.+)", page.read_text(), re.M):
        shown = re.sub(r"\\&", "", title).replace('"', "")
        assert shown in map(str.strip, lines), f"{page.name}: the title {title!r} is shown as something else"


def exported(library: Path) -> set[str]:
    done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[2].partition("@")[0] for line in done.stdout.splitlines() if line.split()[1] != "A"}


def test_every_exported_symbol_has_a_page(bin_dir: Path) -> None:
    symbols = exported(bin_dir.parent / "lib" / "libferry.so")
    assert len(symbols) > 40
    assert symbols - documented("3") == set()


def test_every_function_for_hosts_of_the_ingress_has_a_page(bin_dir: Path) -> None:
    provider = (ROOT / "include" / "ferry" / "ingress_provider.h").read_text()
    symbols = exported(bin_dir.parent / "lib" / "libferryingress.so")
    hosts = {symbol for symbol in symbols if not re.search(rf"\b{symbol}\(", provider)}
    assert len(hosts) >= 18
    assert hosts - documented("3") == set()


def test_every_function_of_the_manual_is_exported_or_a_macro(bin_dir: Path) -> None:
    headers = "".join(path.read_text() for path in (ROOT / "include").rglob("*.h"))
    for page in PAGES:
        if page.suffix == ".3":
            for name in names(page):
                known = re.search(rf"\b{re.escape(name)}\b", headers) or name == page.stem
                assert known, f"{page.name} documents {name}, which no header has"


def test_the_typed_builders_page_is_what_the_specification_says() -> None:
    page = ROOT / "man" / "batch_builder_typed.3"
    assert names(page)[1:] == [f"batch_builder_{name}" for name in TYPED]
    text = re.sub(r"\s+", " ", plain(page).replace("‐", "-")).replace("( ", "(")
    for name, arguments in TYPED.items():
        parameters = ", ".join(["struct batch_builder *builder", *arguments])
        assert f"struct batch_value batch_builder_{name}({parameters});" in text


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_option_of_help_is_in_the_page(bin_dir: Path, name: str) -> None:
    page = ROOT / "man" / f"{name}.1"
    assert page in PAGES, f"man/{name}.1 is missing"
    done = subprocess.run([bin_dir / name, "--help"], capture_output=True, text=True, check=True)
    text = plain(page)
    options = set(re.findall(r"(?<![\w-])--?[A-Za-z0-9][A-Za-z0-9-]*", done.stdout))
    for option in options:
        assert re.search(rf"(?<![\w-]){re.escape(option)}\b", text), f"{name}.1 does not have {option}"
    # and the other way: what the page lists as options is in --help
    listed = re.findall(r"^ {5,8}(-.*)", text, re.M)
    for option in re.findall(
        r"(?<![\w-])--?[A-Za-z0-9][A-Za-z0-9-]*", " ".join(line.split("  ")[0] for line in listed)
    ):
        assert option in options, f"{name} --help does not have {option}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_page_of_ferry(command: str) -> None:
    text = plain(ROOT / "man" / "ferry.1")
    assert re.search(rf"^ +ferry {command} ", text, re.M), "no synopsis"
    assert re.search(rf"^ +ferry {command}$", text, re.M), "no section"
    if (ROOT / "man" / f"ferry-{command}.1").exists():
        assert f"ferry-{command}(1)" in text[text.index("SEE ALSO") :].replace("‐", "-")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_ferry_is_in_a_page(command: str) -> None:
    own = ROOT / "man" / f"ferry-{command}.1"
    page = own if own.exists() else ROOT / "man" / "ferry.1"
    text = plain(page)
    assert re.search(rf"^ +ferry {command} ", text, re.M), f"{page.name} has no synopsis of ferry {command}"
    found = main.get_command(click.Context(main), command)
    assert found
    for parameter in found.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert re.search(rf"(?<![\w-]){re.escape(option)}\b", text), f"{page.name} does not have {option}"


def test_every_boundary_is_in_the_page_of_ferry() -> None:
    page = (ROOT / "man" / "ferry.1").read_text()
    names = re.findall(r'^        name="([a-z-]+)"|^        "([a-z-]+)",$', BOUNDARIES.read_text(), re.M)
    assert len(names) >= 6
    for name in (first or second for first, second in names):
        assert f"\n.It Cm {name}\n" in page, f"ferry.1 does not have the boundary {name}"


def test_references_lead_somewhere() -> None:
    ours = {(name, page.suffix[1:]) for page in PAGES for name in names(page)}
    for page in PAGES:
        for line in page.read_text().splitlines():
            found = re.match(
                r"\.BR ((?:batch|ferry|scall)\w*|total|mdu|pathsearch|readmany|sigreset|unimpl) \(?(\d)\b", line
            )
            if found:
                assert (found[1], found[2]) in ours, f"{page.name} refers to {found[1]}({found[2]})"


def test_the_example_of_the_overview_runs(tmp_path: Path, bin_dir: Path) -> None:
    example = re.search(r"^\.EX\n(#include.*?)^\.EE", (ROOT / "man" / "batch.7").read_text(), re.M | re.S)
    assert example
    source = tmp_path / "example.c"
    source.write_text(example[1].replace("\\e", "\\").replace("\\-", "-").replace("/etc/hostname", "input"))
    (tmp_path / "input").write_text("read by a batch\n")
    compiler = shutil.which("cc")
    assert compiler
    library = bin_dir.parent / "lib" / "libferry.a"
    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-o", "example", source, library, "-luring"],
        check=True,
        cwd=tmp_path,
    )
    done = subprocess.run([tmp_path / "example"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "read by a batch\n")
    (tmp_path / "input").unlink()
    assert subprocess.run([tmp_path / "example"], cwd=tmp_path).returncode == 1

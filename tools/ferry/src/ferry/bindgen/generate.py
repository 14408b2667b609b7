# SPDX-License-Identifier: BSD-3-Clause
"""Renders the templates of a host language, writes what comes out, or says what on disk differs from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jinja2

from ferry import __version__, output
from ferry.bindgen import layout, model, names
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import Interface

FORMATTER_SECONDS = 60
#: How the formatters are installed.
INSTALL = {
    "clang-format": "apt-get install clang-format",
    "gofmt": "apt-get install golang-go",
    "rustfmt": "apt-get install rustfmt",
    "ruff": "pip install ruff",
}

#: What templates can ask about a type: `{% if field.type is an_option %}`.
KINDS: dict[str, type] = {
    "a_scalar": model.Scalar,
    "an_enum": model.EnumRef,
    "an_object": model.ObjectRef,
    "a_handle": model.HandleRef,
    "an_option": model.Option,
    "a_seq": model.Seq,
    "a_map": model.Map,
    "an_enum_declaration": model.Enum,
}


class GenerateError(Exception):
    """Bindings could not be made; the text says what to do."""


def banner(options: Options) -> str:
    """Return the sentence that generated files begin with."""
    return f"Generated from {options.source} by ferry-bindgen; edit that file and run `ferry bindgen` again."


def render(
    interface: Interface, language: Language, options: Options, unformatted: set[str] | None = None
) -> dict[str, str]:
    """Return path -> text of every file.

    A formatter that is not installed raises GenerateError; or where `unformatted` is given it is put there, and the
    files are what the templates make.
    """
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader("ferry.bindgen", f"templates/{name}") for name in (language.name, *language.parents)]
        ),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        snake=names.snake, screaming=names.screaming, pascal=names.pascal, camel=names.camel, cbor_key=layout.cbor_key
    )
    environment.tests.update({name: _is(kind) for name, kind in KINDS.items()})
    environment.filters.update(language.filters(interface))
    shared = {
        "interface": interface,
        "options": options,
        "layout": layout,
        "names": names,
        "banner": banner(options),
        "ferry_version": __version__,
    }
    return {
        output.path: _format(
            output, environment.get_template(output.template).render(shared | dict(output.variables)), unformatted
        )
        for output in language.files(interface, options)
    }


def _is(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


def _format(output: Output, text: str, unformatted: set[str] | None) -> str:
    if not output.formatter:
        return text
    name, *arguments = output.formatter
    # ruff may be in the environment that this runs in, and not in $PATH
    program = shutil.which(name) or shutil.which(name, path=Path(sys.executable).parent)
    if program is None and unformatted is not None:
        unformatted.add(name)
        return text
    if program is None:
        raise GenerateError(f"{output.path}: {name} is not installed; {INSTALL[name]}")
    try:
        done = subprocess.run(
            [program, *arguments], input=text, capture_output=True, text=True, timeout=FORMATTER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise GenerateError(f"{output.path}: {output.formatter[0]} took over {FORMATTER_SECONDS} s") from error
    except OSError as error:
        raise GenerateError(f"{output.path}: {program} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        raise GenerateError(f"{output.path}: {' '.join(output.formatter)} failed: {done.stderr.strip()}")
    return done.stdout


def write(files: dict[str, str], folder: Path) -> None:
    """Write every file whose text is not there already."""
    for path, text in files.items():
        target = folder / path
        try:
            if not target.is_file() or target.read_text(errors="surrogateescape") != text:
                output.Output("--out", target, parents=True, advice="give a folder to write to").write(text)
        except output.OutputError as error:
            raise GenerateError(str(error)) from error
        except OSError as error:
            raise GenerateError(f"--out {target}: {error.strerror}") from error


def authors(interface: Interface, language: Language, options: Options) -> set[str]:
    """Return the paths of the files that are the author's once they are there."""
    return {output.path for output in language.files(interface, options) if output.is_authors}


def drift(files: dict[str, str], folder: Path) -> list[str]:
    """Return a line for each file that is missing or differs."""
    found = []
    for path, text in files.items():
        target = folder / path
        if not target.is_file():
            found.append(f"{target}: missing")
        elif target.read_text(errors="surrogateescape") != text:
            found.append(f"{target}: differs from what would be generated")
    return found

# SPDX-License-Identifier: BSD-3-Clause
"""What a language is to `ferry bindgen`: a list of files, the filters of its templates, and its formatter.

A language, of hosts or of providers, is a module NAME.py here that has one Language, a folder templates/NAME/, and a
line in `languages.py`. A
template is given `interface` (model.Interface), `options`, `layout` and `names` (the modules), `banner`, and what its
Output adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ferry.bindgen.model import Interface


@dataclass(frozen=True)
class Options:
    """What the command line chose."""

    #: The wire format that generated calls use: "cbor" or "c".
    wire: str
    #: The SPDX expression that generated files begin with.
    licence: str
    #: The name of the description, for the banner.
    source: str
    #: Where the language's runtime package is, seen from the folder that is written; empty for the language's default.
    runtime: str = ""


@dataclass(frozen=True)
class Output:
    """One file to write: `path` is below the folder that was asked for, `template` below the language's."""

    path: str
    template: str
    variables: Mapping[str, Any] = field(default_factory=dict)
    #: A command that formats the file's text from stdin to stdout; empty where the template writes it as it should be.
    formatter: tuple[str, ...] = ()
    #: Whether the file is the author's once it is there: it is written once, and never compared.
    is_authors: bool = False


@dataclass(frozen=True)
class Language:
    """A language of hosts, or of providers."""

    name: str
    files: Callable[[Interface, Options], Iterable[Output]]
    #: Filters of its templates, by name, for one interface.
    filters: Callable[[Interface], Mapping[str, Callable[..., Any]]]
    #: How a line of comment begins, for the banner.
    comment: str
    #: The wire format of calls, unless the command line chose one: what is quicker in this language.
    wire: str = "c"
    #: Other languages whose templates it uses.
    parents: tuple[str, ...] = ()

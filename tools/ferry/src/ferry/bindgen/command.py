# SPDX-License-Identifier: BSD-3-Clause
"""The command line of `ferry bindgen`."""

import sys
from pathlib import Path

import click

from ferry.bindgen import generate, reader
from ferry.bindgen.language import Options
from ferry.bindgen.languages import LANGUAGES, PROVIDERS
from ferry.bindgen.node import DescriptionError
from ferry.output import OutputError, require_folder


@click.command(short_help="Write bindings for a library behind a thread, or a library.")
@click.argument("description", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), metavar="DESCRIPTION")
@click.option("--lang", type=click.Choice(sorted(LANGUAGES)), help="The host's language.")
@click.option(
    "--provider",
    type=click.Choice(sorted(PROVIDERS)),
    help="Write a library instead, in this language: what its author fills in, and what calls that.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, metavar="FOLDER", help="Where to write."
)
@click.option(
    "--wire",
    type=click.Choice(["cbor", "c"]),
    help="The wire format that calls use.  [default: the quicker one: cbor for python, else c]",
)
@click.option(
    "--license", "licence", default="BSD-3-Clause", show_default=True, help="The SPDX expression files begin with."
)
@click.option(
    "--runtime",
    default="",
    metavar="PATH",
    help="Where the language's runtime package is, seen from FOLDER (go, haskell, rust).",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a file is missing or differs.")
def bindgen(
    description: Path,
    lang: str | None,
    provider: str | None,
    out: Path,
    wire: str | None,
    licence: str,
    runtime: str,
    check: bool,
) -> None:
    """Write bindings for a library, or a library, from an interface DESCRIPTION; - is standard input.

    Give either --lang or --provider. Every file that is written is named on stdout. Files of a library that are its
    author's are written once. The exit status is 1 when the description is wrong or a file cannot
    be written, or with --check when one differs; 2 for wrong options.
    """
    if (lang is None) == (provider is None):
        raise click.UsageError("give either --lang, for a host's bindings, or --provider, for a library")
    if provider and wire:
        raise click.UsageError("a library answers in the wire format of each call: leave --wire out")
    try:
        require_folder("--out", out)
        interface = reader.read(description)
        language = PROVIDERS[provider] if provider else LANGUAGES[lang or ""]
        wire = wire or language.wire
        unformatted: set[str] = set()
        # what is compared has to be formatted; what is only used need not
        options = Options(wire, licence, description.name, runtime)
        files = generate.render(interface, language, options, None if check else unformatted)
        for path in generate.authors(interface, language, options):
            if check or (out / path).exists():
                del files[path]
        if check:
            found = generate.drift(files, out)
            for line in found:
                click.echo(line, err=True)
            if found:
                chosen = f"--provider {provider}" if provider else f"--lang {lang} --wire {wire}"
                more = f" --runtime {runtime}" if runtime else ""
                click.echo(f"run: ferry bindgen {description} {chosen}{more} --out {out}", err=True)
                sys.exit(1)
        else:
            generate.write(files, out)
            for path in files:
                click.echo(out / path)
            for tool in sorted(unformatted):
                click.echo(
                    f"ferry bindgen: {tool} is not installed, so the files are not formatted; they work all the same."
                    f" To have them formatted: {generate.INSTALL[tool]}",
                    err=True,
                )
    except DescriptionError as error:
        click.echo(f"ferry bindgen: {description}: {error}", err=True)
        sys.exit(1)
    except (generate.GenerateError, OutputError) as error:
        click.echo(f"ferry bindgen: {error}", err=True)
        sys.exit(1)

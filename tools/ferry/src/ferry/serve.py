# SPDX-License-Identifier: BSD-3-Clause
"""`ferry serve`: offer a library that was built for the ingress to hosts elsewhere, behind a NATS server."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ferry.folders import MeasureError, folder_from, program_in

CONTEXTS = 64
CONTEXTS_MAX = 4096


@click.command("serve", short_help="Offer a library behind a NATS server.")
@click.argument("library", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--nats",
    "url",
    required=True,
    metavar="URL",
    help="nats://HOST:PORT or tls://…, and /SERVICE if the hosts' name for it is not the library's.",
)
@click.option(
    "--contexts",
    type=click.IntRange(1, CONTEXTS_MAX),
    default=CONTEXTS,
    show_default=True,
    help="How many contexts hosts may have here at the same time.",
)
@click.option(
    "--wait",
    type=click.IntRange(0),
    metavar="SECONDS",
    help="How long a server that is not there yet is waited for; without end if this is not given.",
)
@click.option(
    "--credentials", type=click.Path(exists=True, dir_okay=False), help="A file of NATS credentials (JWT and seed)."
)
@click.option("--ca", type=click.Path(exists=True, dir_okay=False), help="The certificates that sign the server's.")
@click.option("--cert", type=click.Path(exists=True, dir_okay=False), help="This side's own certificate.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="The key of --cert.")
def serve_command(
    library: Path,
    url: str,
    contexts: int,
    wait: int | None,
    credentials: str | None,
    ca: str | None,
    cert: str | None,
    key: str | None,
) -> None:
    """Offer LIBRARY (libNAME.so) to hosts behind a NATS server, until SIGTERM or SIGINT.

    Those drain: no context begins any more, requests that run are answered, and the contexts end.
    """
    try:
        program = program_in(folder_from("FERRY_BIN", "ferry-serve"), "ferry-serve")
    except MeasureError as error:
        raise click.ClickException(f"{error}; `make network` in Ferry's folder builds it") from error
    files = {"CREDENTIALS": credentials, "CA": ca, "CERT": cert, "KEY": key}
    environment = os.environ | {f"FERRY_NATS_{name}": file for name, file in files.items() if file}
    bound = [] if wait is None else [str(wait)]
    try:
        os.execve(program, [str(program), str(library.resolve()), url, str(contexts), *bound], environment)
    except OSError as error:
        raise click.ClickException(f"cannot run {program}: {error.strerror}") from error

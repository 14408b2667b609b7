#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A digest of a folder of notes: totals, the tags used most, the notes changed last; and changes as they happen.

The library is found as docs/ingress.md says: NOTES_LIBRARY and FERRY_INGRESS_LIBRARY name the files, or the loader
finds them. The two packages, `notes` (binding/src) and `ferry_ingress`, are on PYTHONPATH or installed.
"""

import argparse
import asyncio
import contextlib
import datetime
import signal
import sys

from ferry_ingress import IngressError
from notes import AsyncNotes, Order

#: How many tags and notes are shown.
SHOWN = 5


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="A digest of a folder of notes.")
    parser.add_argument("folder", help="where the notes are: .md, .markdown and .txt files")
    parser.add_argument("--database", metavar="FILE", help="keep the index there (default: in memory)")
    parser.add_argument("--find", metavar="QUERY", help='show what matches: words, "a phrase", begin*, -without, #tag')
    parser.add_argument("--follow", action="store_true", help="go on, and show changes as they happen, until ^C")
    return parser.parse_args()


def when(modified_ns: int) -> str:
    """Write a time for people."""
    return datetime.datetime.fromtimestamp(modified_ns / 1e9).strftime("%Y-%m-%d %H:%M")


async def show_digest(notes: AsyncNotes) -> None:
    """Show totals, tags, and what could not be read."""
    totals, tags, skipped = await asyncio.gather(notes.totals(), notes.tags(), notes.skipped())
    print(f"{totals.notes} notes, {totals.bytes:,} bytes")
    for tag, count in sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]:
        print(f"  #{tag} in {count}")
    for path, why in sorted(skipped.items()):
        print(f"  left out: {path}: {why}")


async def show_matches(notes: AsyncNotes, query: str) -> None:
    """Show the matches, the best first; they are fetched piece by piece."""
    cursor = await notes.search(query, Order.RELEVANCE)
    try:
        while found := await notes.fetch(cursor, SHOWN):
            for match in found:
                print(f"{match.note.path}  {when(match.note.modified_ns)}  {match.note.title}")
                if match.snippet:
                    print("    " + " ".join(match.snippet.split()))
    finally:
        await notes.end_search(cursor)


async def follow(notes: AsyncNotes) -> None:
    """Show changes as they happen."""
    async for event in notes.note_changed_events():
        print(f"{event.value.kind.name.lower()}: {event.value.path}", flush=True)
        if event.lost:
            print(f"({event.lost} changes were not shown: they came too fast)", flush=True)


async def run(options: argparse.Namespace) -> None:
    """Open the folder, show what the options ask for, and close it."""
    async with await AsyncNotes.open(options.folder, options.database, options.follow) as notes:
        await show_digest(notes)
        if options.find:
            await show_matches(notes, options.find)
        if options.follow:
            await follow(notes)


def main() -> int:
    """Run the command; the exit status is 1 when the library refuses something."""
    # SIGTERM ends the program as ^C does: the context is closed, and with it the index
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(run(arguments()))
    except IngressError as error:
        print(f"notes_digest: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

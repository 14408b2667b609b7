# SPDX-License-Identifier: BSD-3-Clause
"""Ask a library of notes about a folder, and print all that it says: a program for test_notes.py.

Usage: notes_questions.py FOLDER
"""

import sys

from ferry_ingress import FailedError
from notes import Notes, Order

QUERIES = ("crossing", '"many calls" #boat', "cross* -kitchen", "#work", "#", "-x", "", '"a', "*", "-a #b", "a\0b")
PATHS = ("ferry.md", "broken.md", "../a.md", "/a.md", "a/../../b.md", "image.png", "nothere.md", "", "x/1.md/y.md")
FILES = 100


def main() -> None:
    """Ask."""
    notes = Notes.open(sys.argv[1], None, False, timeout=60.0)
    for query in QUERIES:
        for order in Order:
            try:
                print(query, [(one.note.path, one.note.title, one.snippet) for one in notes.find(query, order, 5)])
                print(Notes.parse(query))
            except FailedError as error:
                print(query, error)
    cursor = notes.search("crossing", Order.NEWEST)
    print([len(notes.fetch(cursor, count)) for count in (1, 5, 5)])
    notes.end_search(cursor)
    for number in range(FILES):
        notes.write(f"x/{number}.md", f"# Title {number} #\n\ntext (#T{number % 7}) #3 a#b #{chr(0xE4)}-{number}\n")
    print(notes.refresh(), sorted(notes.tags().items()), sorted(notes.skipped().items()))
    print(sorted((one.note.path, one.note.title, one.note.bytes) for one in notes.find("#odd", Order.NEWEST, 1000)))
    print(notes.find("title 7", Order.RELEVANCE, 3)[0].note.title)
    for path in PATHS:
        try:
            print(path, repr(notes.read(path)))
            notes.remove(path)
        except FailedError as error:
            print(path, error)
    print(notes.totals(), len(notes.find("#t3", Order.RELEVANCE, 1000)))
    # left open: its library frees it
    notes.search("crossing", Order.RELEVANCE)
    notes.close()


if __name__ == "__main__":
    main()

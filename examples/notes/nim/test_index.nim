# SPDX-License-Identifier: BSD-3-Clause
## The index alone: nim c -r test_index.nim

import std/[os, sequtils, strutils, unittest]
import "."/[folder, index, query]

let home = getTempDir() / "ferry-notes-" & $getCurrentProcessId()

proc write(path, text: string) =
  createDir(home / path.parentDir)
  writeFile(home / path, text)

proc fill(index: Index) =
  for file in notes(home): discard index.put(file)

proc paths(index: Index; text: string): seq[string] = index.find(text, false, 10, 0).mapIt(it.file.path)

suite "queries":
  test "words, phrases, prefixes, exclusions and tags":
    check parseQuery("ferry boat").match == "\"ferry\" AND \"boat\""
    check parseQuery("\"many calls\" cross* -slow").match == "\"many calls\" AND \"cross\"* NOT \"slow\""
    check parseQuery("#Todo x").tags == @["todo"]
    check parseQuery("#todo").match == ""
  test "the index's own language is not understood":
    check parseQuery("a OR NEAR(b)").match == "\"a\" AND \"OR\" AND \"NEAR(b)\""
  test "what cannot be asked is refused":
    for text in ["", "  ", "\"", "-a", "#", "-", "*", "a\0b", "#t -a", 'x'.repeat(QueryBytesMax + 1)]:
      expect QueryError: discard parseQuery(text)

suite "notes":
  setup:
    removeDir(home)
    write("one.md", "# Ferries\nMany calls, one crossing. #boat #Work\n")
    write("deep/er/two.txt", "Naïve crossing of a boundary\n#work")
    write("three.md", "\n\nnothing here")
    write("image.png", "crossing")
    write(".hidden.md", "crossing")
    let index = openIndex(home, "")
    index.fill()
  teardown:
    index.close()
    removeDir(home)

  test "only notes are found, best first":
    check index.paths("crossing") == @["deep/er/two.txt", "one.md"] or index.paths("crossing") == @["one.md",
      "deep/er/two.txt"]
    check index.paths("ferries") == @["one.md"]
    check index.paths("naive") == @["deep/er/two.txt"]
    check index.paths("cros* -many") == @["deep/er/two.txt"]
    check index.paths("\"one crossing\"") == @["one.md"]
    check index.paths("#work").len == 2
    check index.paths("#work naive") == @["deep/er/two.txt"]
  test "titles, snippets and tags":
    check index.find("calls", false, 1, 0)[0].title == "Ferries"
    check "«calls»" in index.find("calls", false, 1, 0)[0].snippet
    check index.tags == @[("boat", 1), ("work", 2)]
    check index.totals[0] == 3
  test "a note that is put again replaces what it was":
    write("one.md", "changed")
    var file: NoteFile
    check fileOf(home, "one.md", file)
    check not index.knows(file)
    check not index.put(file)
    check index.knows(file)
    check index.paths("crossing") == @["deep/er/two.txt"]
    check index.tags == @[("work", 1)]
    check index.remove("one.md")
    check not index.remove("one.md")
    check index.paths("changed").len == 0
  test "what is not UTF-8 leaves the index as it was":
    write("one.md", "\xff")
    var file: NoteFile
    check fileOf(home, "one.md", file)
    expect ValueError: discard index.put(file)
    check index.paths("ferries") == @["one.md"]
  test "paths do not lead out of the folder":
    createSymlink("/etc", home / "link")
    for path in ["../x.md", "/etc/x.md", "a/../../x.md", "link/x.md", "x.png", "", "a\0.md"]:
      expect ValueError: discard checkedPath(home, path)
    check checkedPath(home, "deep/er/two.txt") == home / "deep/er/two.txt"
  test "an index in a file is found again, and another program's is refused":
    let database = home / "index.sqlite"
    let kept = openIndex(home, database)
    kept.fill()
    kept.close()
    let again = openIndex(home, database)
    check again.totals[0] == 3
    again.close()
    writeFile(home / "other", "this is no database, and long enough to be looked at as one " & "x".repeat(200))
    expect StoreError: discard openIndex(home, home / "other")
    expect StoreError: discard openIndex(home / "missing", "")

# SPDX-License-Identifier: BSD-3-Clause
## What has changed below a folder, from inotify(7).
##
## The kernel's queue may overflow, and a folder may appear with notes in it already; then the whole folder has to be
## looked at again (`rescan`). A change says only that something happened to a path, not what is there now.

import std/[os, posix, strutils, tables]
import posix/inotify
import "."/folder

const
  BufferBytes = 64 * 1024
  Mask = IN_CLOSE_WRITE or IN_CREATE or IN_DELETE or IN_MOVED_FROM or IN_MOVED_TO or IN_ONLYDIR or IN_DONT_FOLLOW or
    IN_EXCL_UNLINK

type
  Watch* = ref object
    descriptor*: cint ## readable when there are changes
    folder: string
    prefixes: Table[cint, string] ## the path of each watched folder below `folder`
  Changes* = object
    paths*: seq[string] ## notes that were written, moved or removed, each once
    rescan*: bool

proc add(watch: Watch; prefix: string; depth: int) =
  ## Watch a folder and those in it. A folder that cannot be watched (it is gone again, or over
  ## fs.inotify.max_user_watches) is left out; the next rescan finds its notes. The slash between the two parts of the
  ## path has the kernel follow a link that is the folder itself, and none below it.
  let number = inotify_add_watch(FileHandle(watch.descriptor), cstring(watch.folder & "/" & prefix), uint32(Mask))
  if number < 0: return
  watch.prefixes[number] = prefix
  if depth == FolderDepthMax: return
  for kind, name in walkDir(watch.folder / prefix, relative = true):
    if kind == pcDir and name[0] != '.': watch.add(if prefix.len > 0: prefix & "/" & name else: name, depth + 1)

proc openWatch*(folder: string): Watch =
  ## Raises OSError when the system has no more inotify instances.
  result = Watch(folder: folder, descriptor: cint(inotify_init1(O_NONBLOCK or O_CLOEXEC)))
  if result.descriptor < 0: raiseOSError(osLastError(), "cannot watch '" & folder & "'")
  result.add("", 0)

proc close*(watch: Watch) =
  if watch.descriptor >= 0: discard posix.close(watch.descriptor)
  watch.descriptor = -1

proc note(watch: Watch; changes: var Changes; number: cint; mask: uint32; name: string) =
  if (mask and uint32(IN_Q_OVERFLOW)) != 0:
    changes.rescan = true
    return
  if (mask and uint32(IN_IGNORED)) != 0:
    watch.prefixes.del(number)
    return
  if number notin watch.prefixes or name.len == 0 or name[0] == '.': return
  let prefix = watch.prefixes[number]
  let path = if prefix.len > 0: prefix & "/" & name else: name
  if (mask and uint32(IN_ISDIR)) != 0:
    if (mask and uint32(IN_CREATE or IN_MOVED_TO)) != 0: watch.add(path, path.count('/') + 1)
    changes.rescan = true
  elif isNote(path) and path notin changes.paths: changes.paths.add(path)

proc take*(watch: Watch): Changes =
  ## The changes since the last call, without waiting.
  var buffer {.align: 8.}: array[BufferBytes, byte]
  while true:
    let got = posix.read(watch.descriptor, addr buffer, BufferBytes)
    if got <= 0: return
    var at = 0
    while at < got:
      let event = cast[ptr InotifyEvent](addr buffer[at])
      let name = if event.len > 0: $cast[cstring](addr event.name) else: ""
      watch.note(result, cint(event.wd), event.mask, name)
      at += sizeof(InotifyEvent) + int(event.len)

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Many files at once: one crossing from Haskell to C for each 'batchFiles' files, not several for each file.
--
-- No call here stalls the runtime system: other Haskell threads and the garbage collector go on, however long a disk
-- takes. Reading and looking notice a slow disk: from the first file on that takes 10 ms, the rest of a batch is dealt
-- with at the same time, by an OS thread for each file, if the program is linked with @-threaded@. Asynchronous
-- exceptions ('System.Timeout.timeout', 'Control.Concurrent.killThread') are let in between batches and while a disk is
-- slow, and leave nothing open: what a slow disk has not answered yet is closed when it does.
--
-- What a batch needs is prepared once and kept for the next call, with up to 1.4 MB of buffers for reading.
--
-- A walk is the same but that its waits do not overlap.
--
-- Paths are bytes, as the kernel has them. What goes wrong with one file is its own result, an 'IOError' that names the
-- call and the path; the others are not affected.
module Ferry.Files
  ( RawFilePath,

    -- * Reading
    readFiles,
    foldFiles,

    -- * Looking
    statFiles,
    lstatFiles,
    Statx (..),
    Timespec (..),
    FileType (..),
    fileType,
    permissions,

    -- * Walking
    walk,
    walkWhere,
    Found (..),
    walkNames,
    Named (..),

    -- ** Step by step
    -- $steps
    Walk,
    beginWalk,
    beginNames,
    nextFound,
    endWalk,

    -- * Removing
    removeFiles,

    -- * Limits
    batchFiles,
    batchDirectories,
    bufferBytes,
    readBytesMax,
  )
where

import Data.ByteString (ByteString)
import Ferry.Batch
import Ferry.Internal.Files.Each
import Ferry.Internal.Files.Kept
import Ferry.Internal.Files.Look
import Ferry.Internal.Files.Overlap (bufferBytes)
import Ferry.Internal.Files.Read (foldFilesIn, readBytesMax)
import Ferry.Internal.Files.Walk
import Foreign.C.Error (Errno)
import Foreign.C.Types (CChar)
import Foreign.Ptr (Ptr)
import System.IO.Unsafe (unsafePerformIO)

-- | A path as the kernel has it: any bytes but NUL. The same type as in the package @unix@.
type RawFilePath = ByteString

-- | Read whole files: the contents of each, or why it could not be read, in the order of the paths.
--
-- Anything that can be read to an end is read to it, whatever size it seems to have: files that grow, @\/proc@, FIFOs.
readFiles :: [RawFilePath] -> IO [Either IOError ByteString]
readFiles paths = reverse <$> foldFiles (\found _ contents' -> pure (contents' : found)) [] paths

-- | As 'readFiles', one file after the other, so that no more than a batch of files is in memory: the step gets the
-- path and the contents, or why it could not be read. While it runs, exceptions are as they were outside.
foldFiles :: (state -> RawFilePath -> Either IOError ByteString -> IO state) -> state -> [RawFilePath] -> IO state
foldFiles = foldFilesIn Adaptive

-- | What the file system says of each file, or why it says nothing, in the order of the paths. Symbolic links are
-- followed.
statFiles :: [RawFilePath] -> IO [Either IOError Statx]
statFiles = lookAtFiles

-- | As 'statFiles', but of a symbolic link itself.
lstatFiles :: [RawFilePath] -> IO [Either IOError Statx]
lstatFiles = lookAtLinks

-- | Remove the names of files, in their order; not of directories. A result for each.
removeFiles :: [RawFilePath] -> IO [Either IOError ()]
removeFiles = each keptRemovals "unlinkat" $ \path -> fmap (() <$) . attempt <$> removed path
  where
    removed path = unlinkat (literal atFdcwd) path (literal 0)

keptRemovals :: Kept (Each (Either Errno ()))
keptRemovals = unsafePerformIO newKept
{-# NOINLINE keptRemovals #-}

-- | Walk the trees below these paths: the step gets the paths themselves and everything below them, each directory
-- before what is in it, with what the file system says of it. Symbolic links are not followed, the given ones neither.
--
-- What cannot be looked at, or listed, is a 'Found' with an error; the walk goes on. One directory is open at a time,
-- and a tree may be of any depth. While the step runs, exceptions are as they were outside.
walk :: (state -> Found -> IO state) -> state -> [RawFilePath] -> IO state
walk = walkWhere (const True)

-- | As 'walk', and only directories that pass the test are listed.
walkWhere :: (Found -> Bool) -> (state -> Found -> IO state) -> state -> [RawFilePath] -> IO state
walkWhere descend step start paths = foldWalk (beginWalk descend paths) step start

-- | As 'walk', but only directories are looked at: the step gets a name and what has that name. That takes half the
-- time or less.
walkNames :: (state -> Named -> IO state) -> state -> [RawFilePath] -> IO state
walkNames step start paths = foldWalk (beginNames (const True) paths) step start

-- $steps
-- For a stream of conduit, pipes or the like: 'nextFound' gives what comes next, whenever the stream wants more.
-- @examples\/haskell\/trees@ has such streams.
--
-- > bracket (beginWalk (const True) [path]) endWalk $ \steps -> do
-- >   some <- nextFound steps
-- >   ...

-- | The same calls for each path; the error is that of the call with this name.
each ::
  Kept (Each (Either Errno a)) ->
  String ->
  (Value (Ptr CChar) -> Program 'SystemCalls (Output (Either Errno a))) ->
  [RawFilePath] ->
  IO [Either IOError a]
each kept name calls = fmap reverse . foldEach kept Adaptive calls collect []
  where
    collect found path one = (: found) <$> either (fmap Left . pathError name path) (pure . Right) one

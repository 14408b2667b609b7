-- SPDX-License-Identifier: BSD-3-Clause

-- The text of Ferry.File and Ferry.File.OsPath. A module that includes it has defined OUR_MODULE, its name, and
-- PATH_TYPE, the type of its paths, which PATH_MODULE exports.

module OUR_MODULE
  ( readFile,
    writeFile,
    appendFile,
    writeFileAtomically,
  )
where

import Data.ByteString (ByteString)
import qualified Ferry.Internal.Posix.C as C
import Ferry.Internal.Posix.Contents
import PATH_MODULE (PATH_TYPE)
import Prelude (IO)

-- | All that is in a file, whatever size it seems to have: a file that grows, @\/proc@, a FIFO.
readFile :: PATH_TYPE -> IO ByteString
readFile = readContents

-- | Write a file, and make it if there is none. A program that reads it meanwhile, or after a crash, may see a part.
writeFile :: PATH_TYPE -> ByteString -> IO ()
writeFile = writeContents C.writeFlags

-- | Write to the end of a file, which is made if need be.
appendFile :: PATH_TYPE -> ByteString -> IO ()
appendFile = writeContents C.appendFlags

-- | Write a file so that everybody sees either all that was in it before or all that is in it now, also after a crash
-- of the system: a new file beside it is written, brought to the disk, and renamed. It keeps its permissions; a new
-- file has those that the process gives to new files. A symbolic link is replaced, not what it leads to, and the owner
-- is this process's.
--
-- If it fails, the file is as it was, and nothing is left beside it.
writeFileAtomically :: PATH_TYPE -> ByteString -> IO ()
writeFileAtomically = writeContentsAtomically

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | Whole files as strict ByteStrings, read and written without stopping other Haskell threads, however slow the disk
-- is. To be imported qualified, as "Data.ByteString" is:
--
-- > import qualified Data.ByteString.Char8 as Char8
-- > import qualified Ferry.File as File
-- >
-- > main :: IO ()
-- > main = do
-- >   File.writeFileAtomically "greeting" (Char8.pack "hello\n")
-- >   File.readFile "greeting" >>= Char8.putStr
--
-- Errors are those of "Data.ByteString"'s functions of the same names. No Handle is made. So a file is not locked for
-- this program: "System.IO" refuses to write a file that another Handle of the same program has open, and these do not.
module Ferry.File
  ( readFile,
    writeFile,
    appendFile,
    writeFileAtomically,
  )
where

import Data.ByteString (ByteString)
import qualified Ferry.Internal.Posix.C as C
import Ferry.Internal.Posix.Contents
import Prelude (FilePath, IO)

-- | All that is in a file, whatever size it seems to have: a file that grows, @\/proc@, a FIFO.
readFile :: FilePath -> IO ByteString
readFile = readContents

-- | Write a file, and make it if there is none. A program that reads it meanwhile, or after a crash, may see a part.
writeFile :: FilePath -> ByteString -> IO ()
writeFile = writeContents C.writeFlags

-- | Write to the end of a file, which is made if need be.
appendFile :: FilePath -> ByteString -> IO ()
appendFile = writeContents C.appendFlags

-- | Write a file so that everybody sees either all that was in it before or all that is in it now, also after a crash
-- of the system: a new file beside it is written, brought to the disk, and renamed. It keeps its permissions; a new
-- file has those that the process gives to new files. A symbolic link is replaced, not what it leads to, and the owner
-- is this process's.
--
-- If it fails, the file is as it was, and nothing is left beside it.
writeFileAtomically :: FilePath -> ByteString -> IO ()
writeFileAtomically = writeContentsAtomically

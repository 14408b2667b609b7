-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.File
#define PATH_MODULE System.IO
#define PATH_TYPE FilePath

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

#include "whole_files.hs"

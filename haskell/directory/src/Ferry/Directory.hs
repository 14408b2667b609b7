-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.Directory
#define THEIR_MODULE System.Directory
#define PATH_MODULE System.IO
#define PATH_TYPE FilePath
#define LINK_TESTS pathIsSymbolicLink, isSymbolicLink

-- | "System.Directory" of the package @directory@, but no call stops other Haskell threads, however slow the disk is.
--
-- Change the import, and nothing else:
--
-- > import Ferry.Directory
-- >
-- > main :: IO ()
-- > main = do
-- >   createDirectoryIfMissing True "some/where"
-- >   listDirectory "some" >>= print
--
-- The names, the types and the exceptions are those of @directory@, and so are the types themselves. Each system call
-- keeps its Capability while it is short, and loses it to other Haskell threads when it is not ("Ferry.Foreign").
--
-- Three differences. A path that contains a NUL is an error (the functions that answer @False@ to errors still do so):
-- older versions cut such a path off, and would remove @"a"@ when told to remove @"a\\0b"@. 'removePathForcibly'
-- changes no permissions but those of directories, as in @directory@ from 1.3.8 on. And 'copyFileWithMetadata' fails
-- before it has emptied a file that it is told to copy over itself, not after.

#include "directory_functions.hs"

-- | 'pathIsSymbolicLink'.
isSymbolicLink :: FilePath -> IO Bool
isSymbolicLink = pathIsSymbolicLink
{-# DEPRECATED isSymbolicLink "Use 'pathIsSymbolicLink' instead" #-}

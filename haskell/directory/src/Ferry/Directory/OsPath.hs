-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.Directory.OsPath
#define THEIR_MODULE System.Directory.OsPath
#define PATH_MODULE System.OsPath
#define PATH_TYPE OsPath
#define LINK_TESTS pathIsSymbolicLink

-- | "Ferry.Directory" for paths as the system has them: "System.Directory.OsPath" of the package @directory@, but no
-- call stops other Haskell threads, however slow the disk is. With GHC 9.6 and newer.
--
-- > {-# LANGUAGE QuasiQuotes #-}
-- > import Ferry.Directory.OsPath
-- > import System.OsPath (osp)
-- >
-- > main :: IO ()
-- > main = do
-- >   createDirectoryIfMissing True [osp|some/where|]
-- >   listDirectory [osp|some|] >>= print
--
-- What "Ferry.Directory" says holds here too.

#include "directory_functions.hs"

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.Posix.Files.PosixString
#define PATH_MODULE System.OsPath.Posix
#define PATH_TYPE PosixPath

-- | "Ferry.Posix.Files" for paths of "System.OsPath.Posix": "System.Posix.Files.PosixString" of the package @unix@, but
-- no call stops other Haskell threads. With GHC 9.6 and newer.

#include "posix_files.hs"

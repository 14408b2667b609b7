-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.Posix.Files.ByteString
#define PATH_MODULE System.Posix.ByteString.FilePath
#define PATH_TYPE RawFilePath

-- | "Ferry.Posix.Files" for paths as the kernel has them: "System.Posix.Files.ByteString" of the package @unix@, but no
-- call stops other Haskell threads.

#include "posix_files.hs"

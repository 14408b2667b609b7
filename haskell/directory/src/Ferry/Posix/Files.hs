-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.Posix.Files
#define PATH_MODULE System.IO
#define PATH_TYPE FilePath

-- | "System.Posix.Files" of the package @unix@, but no call stops other Haskell threads, however slow the disk is.
--
-- Change the import, and nothing else:
--
-- > import Ferry.Posix.Files
-- >
-- > main :: IO ()
-- > main = do
-- >   status <- getFileStatus "/etc/hostname"
-- >   print (fileSize status)
--
-- The names, the types and the exceptions are those of @unix@, and so is 'FileStatus' itself. Each call keeps its
-- Capability while it is short, and loses it to other Haskell threads when it is not ("Ferry.Foreign").
--
-- One difference: a path that contains a NUL is an error in every version ('System.IO.Error.isUserError' is false; its
-- type is @InvalidArgument@). @unix@ 2.7 cuts such a path off and takes what is before the NUL.

#include "posix_files.hs"

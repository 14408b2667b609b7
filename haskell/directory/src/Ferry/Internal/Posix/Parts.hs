-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE FlexibleInstances #-}
-- filepath 1.4 has the types of os-string in a module that it calls deprecated
{-# OPTIONS_GHC -Wno-deprecations #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Paths that are taken apart and put together.
module Ferry.Internal.Posix.Parts
  ( Parts (..),
  )
where

import Ferry.Internal.Posix.Path
import qualified System.FilePath as FilePath
#if MIN_VERSION_filepath(1,4,100)
import Data.Char (ord)
import qualified Data.ByteString.Short as Short
import qualified System.OsPath as OsPath
import System.OsPath (OsPath)
import System.OsString.Internal.Types (OsString (..), PosixString (..))
#endif

-- | The functions of "System.FilePath", and what is missing there.
class (Path path, Eq path) => Parts path where
  (</>) :: path -> path -> path
  splitDirectories :: path -> [path]
  joinPath :: [path] -> path
  takeDirectory :: path -> path
  normalise :: path -> path
  addTrailingPathSeparator, dropTrailingPathSeparator :: path -> path
  hasTrailingPathSeparator, isRelative :: path -> Bool
  makeRelative :: path -> path -> path

  -- | Whether it is the empty path.
  isEmpty :: path -> Bool

  -- | From characters of ASCII.
  fromAscii :: String -> path

  -- | From what an environment variable has.
  fromEnvironment :: FilePath -> IO path

infixr 5 </>

instance Parts [Char] where
  (</>) = (FilePath.</>)
  splitDirectories = FilePath.splitDirectories
  joinPath = FilePath.joinPath
  takeDirectory = FilePath.takeDirectory
  normalise = FilePath.normalise
  addTrailingPathSeparator = FilePath.addTrailingPathSeparator
  dropTrailingPathSeparator = FilePath.dropTrailingPathSeparator
  hasTrailingPathSeparator = FilePath.hasTrailingPathSeparator
  isRelative = FilePath.isRelative
  makeRelative = FilePath.makeRelative
  isEmpty = null
  fromAscii = id
  fromEnvironment = pure

#if MIN_VERSION_filepath(1,4,100)
instance Parts OsPath where
  (</>) = (OsPath.</>)
  splitDirectories = OsPath.splitDirectories
  joinPath = OsPath.joinPath
  takeDirectory = OsPath.takeDirectory
  normalise = OsPath.normalise
  addTrailingPathSeparator = OsPath.addTrailingPathSeparator
  dropTrailingPathSeparator = OsPath.dropTrailingPathSeparator
  hasTrailingPathSeparator = OsPath.hasTrailingPathSeparator
  isRelative = OsPath.isRelative
  makeRelative = OsPath.makeRelative
  isEmpty = (== mempty)
  fromAscii = OsString . PosixString . Short.pack . map (fromIntegral . ord)
  fromEnvironment = OsPath.encodeFS
#endif

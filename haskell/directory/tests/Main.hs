-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}

module Main (main) where

import Control.Monad (when)
import qualified Ferry.DirectorySpec
import qualified Ferry.FileSpec
#if MIN_VERSION_filepath(1,4,100)
import qualified Ferry.OsPathSpec
#endif
import qualified Ferry.OverlapSpec
import qualified Ferry.Posix.FilesSpec
import qualified Ferry.StallSpec
import Foreign.C.Error (throwErrnoIfMinus1_)
import Foreign.C.Types (CInt (..))
import GHC.IO.Encoding (setFileSystemEncoding, setLocaleEncoding)
import System.IO (BufferMode (LineBuffering), hSetBuffering, mkTextEncoding, stdout, utf8)
import System.Posix.User (getEffectiveUserID)
import Test.Hspec (describe, hspec)

-- unsafe: it is short, and nothing else runs yet
foreign import ccall unsafe "slow_become_nobody" becomeNobody :: IO CInt

-- | Not as root, whom permissions do not stop; and with the encoding of file names that most programs have.
main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  setLocaleEncoding utf8
  mkTextEncoding "UTF-8//ROUNDTRIP" >>= setFileSystemEncoding
  user <- getEffectiveUserID
  when (user == 0) (throwErrnoIfMinus1_ "becoming nobody" becomeNobody)
  hspec $ do
    describe "Ferry.Directory" Ferry.DirectorySpec.spec
    describe "Ferry.File" Ferry.FileSpec.spec
    describe "Ferry.Files" Ferry.OverlapSpec.spec
#if MIN_VERSION_filepath(1,4,100)
    describe "Ferry.OsPath" Ferry.OsPathSpec.spec
#endif
    describe "Ferry.Posix.Files" Ferry.Posix.FilesSpec.spec
    describe "Ferry.Stall" Ferry.StallSpec.spec

-- SPDX-License-Identifier: BSD-3-Clause

-- | What can go wrong with a batch as a whole. A system call that fails is an 'IOError' that names the call and its
-- path.
module Ferry.Error
  ( ProgramError (..),
    NotRun (..),
  )
where

import Control.Exception (Exception (..))
import Data.ByteString (ByteString)
import qualified Data.ByteString.Char8 as Char8

-- | A program that cannot be a batch: thrown when it is prepared. Or a prepared program that is used as it cannot be:
-- by a thread that does not own it, with the parameter of another one, or with a vector of another length. Nothing has
-- run.
data ProgramError = ProgramError
  { -- | the call at fault, where there is one
    programErrorCall :: Maybe String,
    -- | what is wrong, and what to do
    programErrorText :: String
  }
  deriving (Eq, Show)

instance Exception ProgramError where
  displayException (ProgramError call text) = "Ferry: " ++ maybe "" (++ ": ") call ++ text

-- | An output was asked for of a call that the batch jumped over. Use 'Ferry.Program.outputIfRan' where that is to be
-- expected.
data NotRun = NotRun
  { notRunCall :: String,
    notRunPath :: Maybe ByteString
  }
  deriving (Eq, Show)

instance Exception NotRun where
  displayException (NotRun call path) =
    "Ferry: " ++ call ++ maybe "" ((" " ++) . Char8.unpack) path
      ++ ": has no result, because the batch jumped over it; read it with outputIfRan"

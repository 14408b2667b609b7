-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | What went wrong, in words for a person: a host gets the text of an exception.
module Notes.Fault
  ( Fault (..),
    fault,
    blaming,
  )
where

import Control.Exception (Exception, catch, throwIO)
import Data.Text (Text)
import qualified Data.Text as Text
import GHC.IO.Exception (IOException, ioe_description)

newtype Fault = Fault Text

instance Show Fault where
  show (Fault why) = Text.unpack why

instance Exception Fault

-- | Fail with a sentence.
fault :: Text -> IO a
fault = throwIO . Fault

-- | What the system refuses is a fault that says what was tried: @cannot read tea.md: Permission denied@.
blaming :: Text -> IO a -> IO a
blaming what action = action `catch` refused
  where
    refused :: IOException -> IO a
    refused exception = fault (Text.concat [what, ": ", Text.pack (ioe_description exception)])

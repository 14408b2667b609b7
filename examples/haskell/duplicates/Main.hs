-- SPDX-License-Identifier: BSD-3-Clause

-- | Print groups of files whose contents are the same, found and read with "Ferry.Files".
module Main (main) where

import Data.Bits (unsafeShiftL, (.|.))
import Duplicates.Command
import Duplicates.Groups
import Ferry.Files

main :: IO ()
main = command (Operations findRegular foldFiles)

findRegular :: (state -> Visit -> IO state) -> state -> [RawFilePath] -> IO state
findRegular step = walk $ \state found -> case foundStatus found of
  Left failure -> step state (Trouble (foundPath found) failure)
  Right status
    | fileType (stxMode status) == RegularFile -> step state (Regular (fileFrom (foundPath found) status))
    | otherwise -> pure state

fileFrom :: RawFilePath -> Statx -> File
fileFrom path status = File path (stxSize status) (device, stxIno status)
  where
    device = unsafeShiftL (fromIntegral (stxDevMajor status)) 32 .|. fromIntegral (stxDevMinor status)

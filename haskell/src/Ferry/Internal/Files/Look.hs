-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | What the file system says of many files.
module Ferry.Internal.Files.Look
  ( lookAtFiles,
    lookAtLinks,
  )
where

import Control.Exception (mask_)
import Data.ByteString (ByteString)
import Ferry.Batch (Statx, atSymlinkNofollow)
import Ferry.Internal.Files.Each (batchWidths, pathError)
import Ferry.Internal.Files.Kept
import Ferry.Internal.Files.Overlap
import Foreign.C.Error (eINVAL)
import Foreign.C.Types (CInt)
import System.IO.Unsafe (unsafePerformIO)

-- | 'Ferry.Files.statFiles'.
lookAtFiles :: [ByteString] -> IO [Either IOError Statx]
lookAtFiles = looks keptStats 0

-- | 'Ferry.Files.lstatFiles'.
lookAtLinks :: [ByteString] -> IO [Either IOError Statx]
lookAtLinks = looks keptLinkStats atSymlinkNofollow

looks :: Kept Files -> CInt -> [ByteString] -> IO [Either IOError Statx]
looks _ _ [] = pure []
looks kept flags paths =
  withKept kept batchWidths (length (take batchFiles paths)) (newFiles lookCall flags) (go Quick [] paths)
  where
    go _ found [] _ = pure (reverse found)
    go pace found left memory = do
      let (batch, rest) = splitAt batchFiles left
      setPaths memory batch
      pace' <- mask_ (overlapped lookCall memory pace (length batch) (pure ()))
      found' <- looked memory 0 found batch
      go pace' found' rest memory
    looked _ _ found [] = pure found
    looked memory number found (path : rest) = do
      one <- if isNoPath path then pure (Left eINVAL) else fileLooked memory number
      status <- either (fmap Left . pathError "statx" path) (pure . Right) one
      looked memory (number + 1) (status : found) rest

keptStats, keptLinkStats :: Kept Files
keptStats = unsafePerformIO newKept
{-# NOINLINE keptStats #-}
keptLinkStats = unsafePerformIO newKept
{-# NOINLINE keptLinkStats #-}

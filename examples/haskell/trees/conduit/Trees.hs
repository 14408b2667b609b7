-- SPDX-License-Identifier: BSD-3-Clause

-- | Trees as sources of conduit. The source closes its directories when it ends, however it ends.
module Trees
  ( sourceTree,
    sourceNames,
  )
where

import Conduit
import Control.Monad (unless)
import Ferry.Files

-- | Everything below these paths, with what the file system says of it.
sourceTree :: MonadResource m => [RawFilePath] -> ConduitT i Found m ()
sourceTree paths = bracketP (beginWalk (const True) paths) endWalk steps

-- | The names below these paths, with what each is.
sourceNames :: MonadResource m => [RawFilePath] -> ConduitT i Named m ()
sourceNames paths = bracketP (beginNames (const True) paths) endWalk steps

steps :: MonadIO m => Walk found -> ConduitT i found m ()
steps walked = do
  found <- liftIO (nextFound walked)
  unless (null found) (yieldMany found >> steps walked)

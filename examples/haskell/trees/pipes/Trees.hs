-- SPDX-License-Identifier: BSD-3-Clause

-- | Trees as producers of pipes. pipes leaves it to others to close what is open, so what runs the pipe is given to
-- these functions. (A producer of pipes-safe would be that of conduit in the folder beside this one.)
module Trees
  ( withTree,
    withNames,
  )
where

import Control.Exception (bracket)
import Control.Monad (unless)
import Control.Monad.IO.Class (MonadIO, liftIO)
import Ferry.Files
import Pipes (Producer, each)

-- | Use everything below these paths, with what the file system says of it.
withTree :: MonadIO m => [RawFilePath] -> (Producer Found m () -> IO a) -> IO a
withTree paths use = bracket (beginWalk (const True) paths) endWalk (use . steps)

-- | Use the names below these paths, with what each is.
withNames :: MonadIO m => [RawFilePath] -> (Producer Named m () -> IO a) -> IO a
withNames paths use = bracket (beginNames (const True) paths) endWalk (use . steps)

steps :: MonadIO m => Walk found -> Producer found m ()
steps walked = do
  found <- liftIO (nextFound walked)
  unless (null found) (each found >> steps walked)

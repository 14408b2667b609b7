-- SPDX-License-Identifier: BSD-3-Clause

-- | What the library keeps for one context, all of it for the library thread alone.
module Notes.State
  ( State (..),
  )
where

import Control.Concurrent (MVar, ThreadId)
import Data.IORef (IORef)
import Data.Map.Strict (Map)
import Data.Text (Text)
import Notes.Index (Index)
import Notes.Watch (Watch)

data State = State
  { stateIndex :: !Index,
    -- | why each file was left out
    stateSkipped :: !(IORef (Map Text Text)),
    -- | filled when the scan that goes on is over
    stateScanning :: !(IORef (Maybe (MVar ()))),
    -- | with the thread that waits for changes
    stateWatch :: !(IORef (Maybe (Watch, ThreadId)))
  }

-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | How the work of a region is divided: the part of "Ferry.OpenMP" that is data.
module Ferry.Internal.OpenMP.Loop
  ( Schedule (..),
    Loop (..),
    static,
    cyclic,
    dynamic,
    guided,
    runtime,
    onThreads,
    OpenMPError (..),

    -- * In C's terms
    scheduleNumber,
    scheduleChunk,
    scheduleBlocks,
    loopTeam,
    checkLoop,
  )
where

import Control.Exception (Exception (..), throwIO)
import Control.Monad (unless)
import Ferry.Internal.OpenMP.C (refusal)
import Foreign.C.String (peekCString)
import Foreign.C.Types (CInt, CLong, CUInt)
import Foreign.Ptr (nullPtr)

-- | Which iterations a thread gets, and when.
data Schedule
  = -- | One range for each thread, as equal as can be. The cheapest; for iterations that cost the same.
    Static
  | -- | Chunks of so many iterations, dealt to the threads in turn.
    Cyclic !Int
  | -- | Chunks of so many iterations, to whichever thread is free. For iterations that cost more or less.
    Dynamic !Int
  | -- | As 'Dynamic', in chunks that begin large and end at this size.
    Guided !Int
  | -- | As the environment variable @OMP_SCHEDULE@ says.
    Runtime
  deriving (Eq, Show)

-- | How a loop is run: its schedule, and on how many threads.
data Loop = Loop
  { loopSchedule :: !Schedule,
    -- | At most so many. 'Nothing': as many as the runtime gives a region that does not ask; for Haskell bodies no more
    -- than there are Capabilities, since each thread needs one.
    loopThreads :: !(Maybe Int)
  }
  deriving (Eq, Show)

-- | A loop of this schedule, on the default number of threads.
static, runtime :: Loop
static = Loop Static Nothing
runtime = Loop Runtime Nothing

-- | A loop of this schedule and chunk, on the default number of threads.
cyclic, dynamic, guided :: Int -> Loop
cyclic chunk = Loop (Cyclic chunk) Nothing
dynamic chunk = Loop (Dynamic chunk) Nothing
guided chunk = Loop (Guided chunk) Nothing

-- | The same loop on at most this many threads: @dynamic 64 \`onThreads\` 2@.
onThreads :: Loop -> Int -> Loop
onThreads loop threads = loop {loopThreads = Just threads}

infixl 9 `onThreads`

-- | What "Ferry.OpenMP" refuses to do.
data OpenMPError
  = -- | The program cannot have regions: why, and what to do.
    NoRegions String
  | -- | An argument that means nothing: what it is, and what it has to be.
    BadArgument String
  | -- | A primitive vector whose elements the garbage collector may move was to be passed to C.
    NotPinned String
  | -- | A task was added, or waited for, from a thread that is not of the region.
    NotInRegion String
  | -- | A loop stopped half-way for an exception that was on its way to its caller, and whose sender then gave up, as
    -- one does that is killed itself.
    Withdrawn
  deriving (Eq, Show)

instance Exception OpenMPError where
  displayException failure = "Ferry: " ++ text
    where
      text = case failure of
        NoRegions why -> "a parallel region cannot be opened: " ++ why
        BadArgument what -> what
        NotPinned what -> what ++ ": its elements are not pinned in memory; copy it with Ferry.OpenMP.pinned first"
        NotInRegion what ->
          what ++ ": called from a thread that is not of the region, as one made by forkIO; call it"
            ++ " from the body of the region or from a task"
        Withdrawn -> "a parallel loop was stopped half-way by an exception that its sender then withdrew; run it again"

-- | As @enum ferry_schedule@ counts them.
scheduleNumber :: Schedule -> CInt
scheduleNumber schedule = case schedule of
  Static -> 0
  Cyclic _ -> 1
  Dynamic _ -> 2
  Guided _ -> 3
  Runtime -> 4

-- | The chunk, or 1 where the schedule has none.
scheduleChunk :: Schedule -> CLong
scheduleChunk = maybe 1 fromIntegral . chunkOf

chunkOf :: Schedule -> Maybe Int
chunkOf schedule = case schedule of
  Static -> Nothing
  Cyclic chunk -> Just chunk
  Dynamic chunk -> Just chunk
  Guided chunk -> Just chunk
  Runtime -> Nothing

-- | A reduction of so many elements: in how many blocks, and how those are handed out. This depends on nothing else, so
-- that a sum is the same on any number of threads.
scheduleBlocks :: Schedule -> Int -> (Int, Schedule)
scheduleBlocks schedule elements = case schedule of
  Cyclic chunk -> (inChunks chunk, Cyclic 1)
  Dynamic chunk -> (inChunks chunk, Dynamic 1)
  Guided chunk -> (inChunks chunk, Guided 1)
  plain -> (min usualBlocks elements, plain)
  where
    inChunks chunk = (elements - 1) `div` chunk + 1

-- | Blocks of a reduction whose schedule names no chunk: enough for the threads of most machines, and few enough to
-- combine in no time.
usualBlocks :: Int
usualBlocks = 64

-- | The team's size, where 0 stands for the default.
loopTeam :: Loop -> CUInt
loopTeam = maybe 0 fromIntegral . loopThreads

-- | Throw where the loop means nothing, or the program can have no regions.
checkLoop :: String -> Loop -> IO ()
checkLoop name (Loop schedule threads) = do
  reason <- refusal
  unless (reason == nullPtr) $ peekCString reason >>= throwIO . NoRegions
  mapM_ (atLeastOne ("a chunk of " ++ show schedule)) (chunkOf schedule)
  mapM_ (atLeastOne "a team") threads
  where
    atLeastOne what number =
      unless (number >= 1 && number <= most) . throwIO . BadArgument $
        name ++ ": " ++ what ++ " of size " ++ show number ++ "; give 1 to " ++ show most
    most = 2 ^ (31 :: Int) - 1 :: Int

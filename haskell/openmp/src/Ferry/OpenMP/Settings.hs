-- SPDX-License-Identifier: BSD-3-Clause

-- | What every region of the program begins with: those of this package, and those of C code and of foreign libraries.
--
-- A Haskell thread has no OS thread of its own, so that @omp_set_num_threads@ and the like, which set a variable of the
-- calling OS thread, reach it by accident at most. These set what every thread starts with. A thread that has called
-- @omp_set_…@ keeps its own. The environment variables named are read when the program starts.
module Ferry.OpenMP.Settings
  ( setDefaultThreads,
    getDefaultThreads,
    setDynamicTeams,
    getDynamicTeams,
    setRuntimeSchedule,
    getRuntimeSchedule,
    setMaxLevels,
    getMaxLevels,
  )
where

import Control.Exception (throwIO)
import Control.Monad (when)
import Data.Maybe (fromMaybe)
import Ferry.Internal.OpenMP.C (initialGet, initialSet)
import Ferry.Internal.OpenMP.Loop
import Foreign.C.Types (CInt)

-- | How many threads a region gets that does not ask. 'Nothing': as many as there are Capabilities, also when
-- 'Control.Concurrent.setNumCapabilities' changes them. (@OMP_NUM_THREADS@)
setDefaultThreads :: Maybe Int -> IO ()
setDefaultThreads threads = do
  mapM_ (atLeast 1 "setDefaultThreads") threads
  set "setDefaultThreads" 1 (fromMaybe 0 threads)

-- | How many that is now.
getDefaultThreads :: IO Int
getDefaultThreads = get 1

-- | Whether a region gets fewer threads than it asks for when processors are busy. It is so unless @OMP_DYNAMIC@ is
-- false.
setDynamicTeams :: Bool -> IO ()
setDynamicTeams = set "setDynamicTeams" 2 . fromEnum

-- | See 'setDynamicTeams'.
getDynamicTeams :: IO Bool
getDynamicTeams = (/= 0) <$> get 2

-- | What 'Runtime' stands for, and @schedule(runtime)@ in C. (@OMP_SCHEDULE@)
setRuntimeSchedule :: Schedule -> IO ()
setRuntimeSchedule schedule = case schedule of
  Static -> both 1 0
  Cyclic chunk -> both 1 chunk
  Dynamic chunk -> both 2 chunk
  Guided chunk -> both 3 chunk
  Runtime -> throwIO (BadArgument "setRuntimeSchedule: Runtime is what is set; give another schedule")
  where
    both kind chunk = do
      when (schedule /= Static) $ atLeast 1 "setRuntimeSchedule" chunk
      set "setRuntimeSchedule" 3 kind
      set "setRuntimeSchedule" 4 chunk

-- | See 'setRuntimeSchedule'. 'Static' too where C has set what this module has no name for.
getRuntimeSchedule :: IO Schedule
getRuntimeSchedule = named <$> get 3 <*> get 4
  where
    named :: Int -> Int -> Schedule
    named kind chunk = case kind `mod` 16 of
      1 | chunk > 0 -> Cyclic chunk
      2 -> Dynamic (max 1 chunk)
      3 -> Guided (max 1 chunk)
      _ -> Static

-- | How many regions inside each other may have more than one thread. (@OMP_MAX_ACTIVE_LEVELS@)
setMaxLevels :: Int -> IO ()
setMaxLevels levels = atLeast 0 "setMaxLevels" levels >> set "setMaxLevels" 5 levels

-- | See 'setMaxLevels'.
getMaxLevels :: IO Int
getMaxLevels = get 5

atLeast :: Int -> String -> Int -> IO ()
atLeast least name number =
  when (number < least || number > fromIntegral (maxBound :: CInt)) . throwIO . BadArgument $
    name ++ ": " ++ show number ++ "; give " ++ show least ++ " to " ++ show (maxBound :: CInt)

set :: String -> CInt -> Int -> IO ()
set name variable number = do
  result <- initialSet variable (fromIntegral number)
  when (result < 0) . throwIO . BadArgument $ name ++ ": the runtime refuses " ++ show number

get :: CInt -> IO Int
get variable = fromIntegral <$> initialGet variable

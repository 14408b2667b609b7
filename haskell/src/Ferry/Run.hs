-- SPDX-License-Identifier: BSD-3-Clause

-- | Running a program: how its one crossing from Haskell to C is made.
module Ferry.Run
  ( -- * Modes
    Mode (..),

    -- * Prepared programs
    Prepared,
    runPrepared,
    runPrepared_,
    setParameter,

    -- * The Capability
    capabilityNumber,
  )
where

import Control.Concurrent (rtsSupportsBoundThreads, yield)
import Control.Monad (unless, void)
import Data.Bits (complement)
import Ferry.Internal.C
import Ferry.Internal.Prepare
import Ferry.Internal.Prim
import Ferry.Internal.Program (Parameter (..))
import Ferry.Internal.Word (Argument (..))
import Foreign.Ptr (nullPtr)

-- | How the Capability, GHC's right to run Haskell code, is treated while the batch runs. No mode changes what a batch
-- means.
data Mode
  = -- | Held from the first slot to the last, as by an @unsafe@ foreign call. For batches that take less than a few
    -- microseconds in all: meanwhile nothing else runs on this Capability, and no garbage collection anywhere. Slots
    -- may not call back into Haskell.
    Unsafe
  | -- | An ordinary @safe@ foreign call.
    Safe
  | -- | Given up once for the whole batch, as 'Safe', by the package's own primitive.
    Batched
  | -- | Held, at about the price of 'Unsafe', until the runtime system asks for it or a slot is next that was added
    -- under 'Ferry.Program.mayBlock'; then given up. A slot that lasts loses it as a call of "Ferry.Foreign" does, to a
    -- collection at once and otherwise within milliseconds. Slots may block and call back into Haskell, marked or not.
    Adaptive
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | Run a prepared program and read its outputs. One thread at a time may run it.
runPrepared :: Mode -> Prepared a -> IO a
runPrepared mode prepared = do
  lastRan <- cross mode prepared
  unless (preparedRan prepared == nullPtr) $
    programRan (preparedProgram prepared) (fromIntegral lastRan) (preparedRan prepared)
  result <- preparedRead prepared lastRan
  touchPrepared prepared
  pure result

-- | Run a prepared program and read nothing.
runPrepared_ :: Mode -> Prepared a -> IO ()
runPrepared_ mode prepared = void (cross mode prepared)
{-# INLINE runPrepared_ #-}

-- | The index of the last slot that ran.
cross :: Mode -> Prepared a -> IO Int
cross mode prepared = do
  result <- case mode of
    Unsafe -> fromIntegral <$> runUnsafe program
    Safe -> fromIntegral <$> runSafe program
    Batched -> runBatched program
    Adaptive -> adaptive 0
  touchPrepared prepared
  pure result
  where
    program = preparedProgram prepared
    adaptive from = do
      result <- runAdaptive program from
      if result >= 0 then pure result else paused >> adaptive (complement result)
{-# INLINE cross #-}

-- | Between two parts of a batch. With one OS thread for all of Haskell, this is how the others get to run.
paused :: IO ()
paused = unless rtsSupportsBoundThreads yield

-- | Set a parameter for the runs that follow. Not while the program runs.
setParameter :: Argument a => Prepared b -> Parameter a -> a -> IO ()
setParameter prepared (Parameter index) value = setWord prepared index (toWord value)

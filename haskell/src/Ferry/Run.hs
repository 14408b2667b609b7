-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE MagicHash #-}

-- | Running a program: how its one crossing from Haskell to C is made.
module Ferry.Run
  ( -- * Modes
    Mode (..),

    -- * Prepared programs
    Prepared,
    runPrepared,
    runPrepared_,
    runWith,
    handOver,

    -- * Parameters
    setParameter,
    setParameters,
    setInput,
    Input,
    input,
    inputs,
    (>$<),

    -- * The Capability
    capabilityNumber,
  )
where

import Control.Concurrent (rtsSupportsBoundThreads, yield)
import Control.Monad (unless, void)
import Data.Bits (complement)
import Data.Functor.Contravariant ((>$<))
import Data.Vector.Storable (Vector)
import Ferry.Internal.C
import Ferry.Internal.Prepare
import Ferry.Internal.Prim
import Ferry.Internal.Program (Parameter, Parameters)
import Ferry.Internal.Word (Argument)
import Foreign.Ptr (nullPtr)
import GHC.Exts (Int (I#))

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

-- | Run a prepared program and read its outputs. 'Ferry.Error.ProgramError' when the program belongs to another thread:
-- the first that used it, until 'handOver'.
runPrepared :: Mode -> Prepared a -> IO a
runPrepared mode prepared = owned prepared >> runOwned mode prepared
{-# INLINE runPrepared #-}

-- | Set the parameters from a value, run the program and read its outputs.
runWith :: Mode -> Prepared a -> Input value -> value -> IO a
runWith mode prepared (Input set) value = owned prepared >> set prepared value >> runOwned mode prepared
{-# INLINE runWith #-}

runOwned :: Mode -> Prepared a -> IO a
runOwned mode prepared = do
  I# lastRan <- cross mode prepared
  unless (preparedRan prepared == nullPtr) $
    programRan (preparedProgram prepared) (fromIntegral (I# lastRan)) (preparedRan prepared)
  result <- preparedRead prepared lastRan
  touchPrepared prepared
  pure result
{-# INLINE runOwned #-}

-- | Run a prepared program and read nothing.
runPrepared_ :: Mode -> Prepared a -> IO ()
runPrepared_ mode prepared = owned prepared >> void (cross mode prepared)
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

-- | Set a parameter for the runs that follow. Not while the program runs. 'Ferry.Error.ProgramError' when the parameter
-- is another program's, or the program belongs to another thread.
setParameter :: Argument a => Prepared b -> Parameter a -> a -> IO ()
setParameter prepared which value = owned prepared >> setOne prepared which value >> touchPrepared prepared
{-# INLINE setParameter #-}

-- | Set parameters from a vector that has an element for each, as 'setParameter'.
setParameters :: Argument a => Prepared b -> Parameters a -> Vector a -> IO ()
setParameters prepared which values = owned prepared >> setMany prepared which values >> touchPrepared prepared
{-# INLINE setParameters #-}

-- | Set the parameters that a value has the words of, as 'setParameter'.
setInput :: Prepared b -> Input a -> a -> IO ()
setInput prepared (Input set) value = owned prepared >> set prepared value >> touchPrepared prepared
{-# INLINE setInput #-}

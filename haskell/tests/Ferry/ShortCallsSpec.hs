-- SPDX-License-Identifier: BSD-3-Clause

-- | One Haskell thread makes short calls one after the other, and another one runs beside it.
--
-- What these tests catch: short calls that keep other threads waiting until the runtime system's time slice ends, as
-- @unsafe@ ones do, while each of many @safe@ calls lets them in; and short calls that get next to nothing beside a
-- thread that computes, as @safe@ ones do.
module Ferry.ShortCallsSpec (spec) where

import Control.Concurrent
import Control.Exception (bracket, evaluate)
import Control.Monad
import Data.IORef
import Ferry.Foreign (foreignCall)
import Ferry.Runtime
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (FunPtr)
import GHC.Clock (getMonotonicTime)
import Test.Hspec

foreign import ccall safe "abs" absSafe :: CInt -> IO CInt

foreign import ccall "&abs" absAt :: FunPtr (CInt -> IO CInt)

spec :: Spec
spec = when (isThreaded && not isDebugged) $ do
  it "let a thread in that wakes each millisecond, half as often at least as safe calls do" $
    (snd <$> (absHeld `beside` waking), snd <$> (absSafe `beside` waking)) `haveShare` 0.5
  it "go on beside a thread that computes" $
    (fst <$> (absHeld `beside` computing), fst <$> (absHeld `beside` sleeping)) `haveShare` 0.25
  it "leave a thread that computes a share" $
    (snd <$> (absHeld `beside` computing), snd <$> (pure `beside` computing)) `haveShare` 0.2
  where
    absHeld = foreignCall absAt
    waking _ = threadDelay 1000
    sleeping _ = threadDelay 1000000
    -- it allocates: no thread is preempted in a loop that does not
    computing = void . evaluate . length . show

-- | In one of several attempts the first count is so large a share of the second: beside other programs a thread may
-- get no processor for longer than an attempt takes.
haveShare :: (IO Int, IO Int) -> Double -> Expectation
haveShare (some, all_) share = withCapabilities 1 (go (10 :: Int))
  where
    go left = do
      found <- (\part whole -> fromIntegral part / fromIntegral (max 1 whole)) <$> some <*> all_
      unless (found >= share) $
        if left > 0 then go (left - 1) else expectationFailure ("it had a share of " ++ show (found :: Double))

-- | Call for a fifth of a second, while another thread does something again and again: how often each was done.
beside :: (CInt -> IO CInt) -> (Int -> IO ()) -> IO (Int, Int)
beside call other = do
  done <- newIORef 0
  bracket (forkIOWithUnmask (\unmask -> unmask (work done))) killThread . const $ do
    end <- (+ 0.2) <$> getMonotonicTime
    made <- callUntil end 0
    (,) made <$> readIORef done
  where
    work done = forever $ readIORef done >>= other >> modifyIORef' done (+ 1)
    callUntil end made = do
      replicateM_ 100 (call 1)
      now <- getMonotonicTime
      if now < end then callUntil end (made + 100) else pure made

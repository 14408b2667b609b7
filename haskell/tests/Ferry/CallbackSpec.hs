-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Slots that call back into Haskell.
--
-- What these tests catch: a Capability that is not given up where it should be (a callback then waits for itself), and
-- one that is given up but not taken back where the batch ends.
module Ferry.CallbackSpec (spec) where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, readMVar, takeMVar, throwTo)
import Control.Exception (AsyncException (..), SomeException, bracket, evaluate, mask, try)
import Control.Monad (forM_, replicateM, replicateM_, void, when)
import Data.IORef
import Ferry.Call
import Ferry.Internal.Prim (exceptionWaits)
import Ferry.Runtime
import Foreign.C.Types (CLong (..))
import Foreign.Ptr (FunPtr, freeHaskellFunPtr)
import System.Mem (performMajorGC)
import Test.Hspec hiding (after, before)

foreign import ccall "wrapper" wrap :: (CLong -> IO CLong) -> IO (FunPtr (CLong -> IO CLong))

withCallback :: (CLong -> IO CLong) -> (FunPtr (CLong -> IO CLong) -> IO a) -> IO a
withCallback function' = bracket (wrap function') freeHaskellFunPtr

spec :: Spec
spec = do
  forM_ [Safe ..] $ \mode -> do
    describe (show mode) (served mode id)
    describe (show mode ++ ", in slots that may block") (served mode mayBlock)
  describe "Adaptive, in slots that are not marked" unannounced

-- | Callbacks do whatever Haskell does.
served :: Mode -> (Program 'Functions (Value CLong) -> Program 'Functions (Value CLong)) -> Spec
served mode mark = do
  it "returns what Haskell gives" . withWord $ \counter -> withCallback (pure . (* 2)) $ \double ->
    run mode (output <$> mark (callBack counter double 21)) `shouldReturn` 42
  it "allocates, and collects garbage" . withWord $ \counter -> withCallback collecting $ \collect -> do
    mine <- evaluate (sum [1 .. 1000 :: Int])
    results <- run mode $ do
      _ <- step counter 0
      values <- mapM (mark . callBack counter collect) [1 .. 20]
      _ <- step counter 0
      pure (traverse output values)
    results `shouldBe` map (\k -> sum [1 .. k * 100]) [1 .. 20]
    mine `shouldBe` 500500
  it "waits for other threads" . withWord $ \counter -> do
    there <- newEmptyMVar
    back <- newEmptyMVar
    withCallback (\k -> putMVar there k >> takeMVar back) $ \ask -> do
      void . forkIO . replicateM_ 10 $ takeMVar there >>= putMVar back . (+ 1)
      results <- run mode (traverse output <$> mapM (mark . callBack counter ask) [1 .. 10])
      results `shouldBe` [2 .. 11]
  it "runs programs of its own, in every mode" . withWord $ \counter ->
    let inEveryMode k = sum <$> mapM (\inner -> run inner (output <$> step counter 0) >> pure k) [minBound .. maxBound]
     in withCallback inEveryMode $ \nested -> do
          run mode (output <$> mark (callBack counter nested 3)) `shouldReturn` 12
          readWord counter `shouldReturn` 5

-- | A list long enough that it takes the collector along.
collecting :: CLong -> IO CLong
collecting k = do
  made <- evaluate (sum [1 .. k * 100])
  made <$ performMajorGC

-- | Callbacks from slots that no mark announces, while the Capability is held.
unannounced :: Spec
unannounced = do
  it "goes on afterwards as if nothing had been" . withWord $ \counter -> withCallback pure $ \echo -> do
    prepared <- prepare (output <$> callBack counter echo 1)
    plain <- prepare (output <$> step counter 0)
    forM_ [1 .. 200 :: Int] $ \_ -> do
      runPrepared Adaptive prepared `shouldReturn` 1
      before <- readWord counter
      runPrepared Adaptive plain `shouldReturn` fromIntegral (before + 1)
  it "serves those of many threads" $ do
    results <- replicateM 6 newEmptyMVar
    forM_ results $ \result -> forkIO . withWord $ \counter -> withCallback collecting $ \collect -> do
      found <- mapM (\k -> try (run Adaptive (output <$> callBack counter collect k))) [1 .. 30]
      putMVar result (either (\failure -> Left (show (failure :: SomeException))) Right <$> found)
    mapM takeMVar results >>= (`shouldBe` replicate 6 [Right (sum [1 .. k * 100]) | k <- [1 .. 30]])
  it "serves those of programs that callbacks run" . withWord $ \counter -> withCallback pure $ \echo -> do
    let runInner k = run Adaptive (output <$> callBack counter echo (k + 1))
    withCallback runInner $ \nested -> forM_ [id, mayBlock] $ \mark ->
      run Adaptive (output <$> mark (callBack counter nested 5)) `shouldReturn` 6
  -- without threads nobody runs meanwhile who could throw one
  when isThreaded . it "lets an exception wait until the callback has returned" . withWord $ \counter -> do
    caller <- newEmptyMVar
    returned <- newIORef False
    result <- newEmptyMVar
    let callback k = do
          thread <- readMVar caller
          _ <- forkIO (throwTo thread UserInterrupt)
          waitUntil (exceptionWaits thread)
          writeIORef returned True
          pure k
    withCallback callback $ \late -> do
      thread <- mask $ \restore -> forkIO $ do
        ended <- try (restore (run Adaptive (output <$> callBack counter late 1)))
        putMVar result ended
      putMVar caller thread
      takeMVar result `shouldReturn` Left UserInterrupt
      readIORef returned `shouldReturn` True

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Slots that call back into Haskell.
--
-- What these tests catch: a Capability that is not given up where it should be (a callback then waits for itself), and
-- in checked runs a slot that goes unnoticed, is named wrongly, or leaves its mark behind.
module Ferry.CallbackSpec (spec) where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (bracket, evaluate, try)
import Control.Monad (forM_, replicateM, replicateM_, void)
import Data.IORef
import Data.Maybe (isNothing)
import Ferry.Call
import Ferry.Error (UnmarkedCallback (..))
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
  forM_ [(mode, mark) | mode <- [Safe, Batched], mark <- [id, mayBlock]] $ \(mode, mark) ->
    describe (show mode) (served mode mark)
  forM_ [Adaptive, Checked] $ \mode -> describe (show mode ++ ", in slots that may block") (served mode mayBlock)
  describe "Checked, in slots that are not marked" held

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
          run mode (output <$> mark (callBack counter nested 3)) `shouldReturn` 15
          readWord counter `shouldReturn` 6

-- | A list long enough that it takes the collector along.
collecting :: CLong -> IO CLong
collecting k = do
  made <- evaluate (sum [1 .. k * 100])
  made <$ performMajorGC

held :: Spec
held = do
  it "names the first call that called back, and serves every one" . withWord $ \counter -> do
    seen <- newIORef []
    withCallback (\k -> modifyIORef seen (k :) >> performMajorGC >> pure k) $ \note -> do
      found <- try . run Checked $ do
        _ <- step counter 0
        _ <- callBack counter note 1
        _ <- callBack counter note 2
        output <$> step counter 0
      found `shouldBe` Left (UnmarkedCallback "callBack")
      readIORef seen `shouldReturn` [2, 1]
      readWord counter `shouldReturn` 4
  it "goes on afterwards as if nothing had been" . withWord $ \counter -> withCallback pure $ \echo -> do
    held' <- prepare (output <$> callBack counter echo 1)
    marked <- prepare (output <$> mayBlock (callBack counter echo 1))
    plain <- prepare (output <$> step counter 0)
    forM_ [1 .. 200 :: Int] $ \_ -> do
      runPrepared Checked held' `shouldThrow` (== UnmarkedCallback "callBack")
      runPrepared Checked marked `shouldReturn` 1
      before <- readWord counter
      runPrepared Checked plain `shouldReturn` fromIntegral (before + 1)
  it "finds out in each of many threads" $ do
    results <- replicateM 6 newEmptyMVar
    forM_ results $ \result -> forkIO . withWord $ \counter -> withCallback collecting $ \collect -> do
      found <- mapM (\k -> try (run Checked (output <$> callBack counter collect k))) [1 .. 30]
      putMVar result (found :: [Either UnmarkedCallback CLong])
    mapM takeMVar results >>= (`shouldBe` replicate 6 (replicate 30 (Left (UnmarkedCallback "callBack"))))
  it "finds out in a program that a callback runs" . withWord $ \counter -> do
    inner <- newIORef Nothing
    withCallback pure $ \echo -> do
      let runInner k = do
            found <- try (run Checked (output <$> callBack counter echo k))
            writeIORef inner (either (\(UnmarkedCallback name) -> Just name) (const Nothing) found)
            pure k
      withCallback runInner $ \nested -> do
        run Checked (output <$> mayBlock (callBack counter nested 5)) `shouldReturn` 5
        readIORef inner `shouldReturn` Just "callBack"
        writeIORef inner Nothing
        run Checked (output <$> callBack counter nested 5) `shouldThrow` (== UnmarkedCallback "callBack")
        (isNothing <$> readIORef inner) `shouldReturn` False

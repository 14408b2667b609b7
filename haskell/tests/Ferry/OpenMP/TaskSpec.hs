-- SPDX-License-Identifier: BSD-3-Clause

-- | Tasks in Haskell and C: a tree, an order, and exceptions.
--
-- What these tests catch: a task that is lost, runs twice, before one that it comes after, or on after the region has
-- ended; one added from elsewhere that is not refused; an exception that is lost, or after which others begin.
module Ferry.OpenMP.TaskSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad (forM_, replicateM_, when)
import Data.IORef
import Data.List (sort)
import Ferry.OpenMP
import Ferry.Runtime
import Foreign.C.Types (CLong)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (FunPtr, Ptr, nullPtr, plusPtr)
import Foreign.Storable (peek, poke)
import System.Timeout (timeout)
import Test.Hspec hiding (parallel)
import Test.QuickCheck

foreign import ccall "&openmp_count" countAt :: FunPtr (Ptr CLong -> IO ())

spec :: Spec
spec
  | isThreaded = do
    describe "task" added
    describe "taskAfter" ordered
    describe "exceptions" exceptions
  | otherwise =
    it "says that the program has to be linked with -threaded" $
      withTasks Nothing (const (pure ())) `shouldThrow` \failure -> case failure of
        NoRegions _ -> True
        _ -> False

-- | Team sizes.
teams :: Gen (Maybe Int)
teams = elements [Nothing, Just 1, Just 2, Just 4]

count :: IORef Int -> IO ()
count at = atomicModifyIORef' at (\n -> (n + 1, ()))

added :: Spec
added = do
  it "runs each once, all before the region ends" . property . forAll teams $ \team (NonNegative n) -> ioProperty $ do
    seen <- newIORef []
    result <- withTasks team $ \tasks -> do
      forM_ [1 .. n :: Int] $ \i -> task tasks (atomicModifyIORef' seen (\list -> (i : list, ())))
      pure (n * 2)
    found <- sort <$> readIORef seen
    pure $ found === [1 .. n] .&&. result === n * 2
  it "may add others" . property . forAll teams $ \team -> forAll (choose (0, 7)) $ \depth -> ioProperty $ do
    leaves <- newIORef 0
    withTasks team $ \tasks -> do
      let visit :: Int -> IO ()
          visit 0 = count leaves
          visit k = replicateM_ 2 (task tasks (visit (k - 1)))
      visit depth
    found <- readIORef leaves
    pure (found === 2 ^ depth)
  it "is waited for by who added it" . property . forAll teams $ \team -> ioProperty $ do
    let fibonacci :: Tasks -> Int -> IO Int
        fibonacci tasks k
          | k < 2 = pure k
          | otherwise = do
            a <- newIORef 0
            b <- newIORef 0
            task tasks (fibonacci tasks (k - 1) >>= writeIORef a)
            task tasks (fibonacci tasks (k - 2) >>= writeIORef b)
            taskWait tasks
            (+) <$> readIORef a <*> readIORef b
    found <- withTasks team (`fibonacci` 10)
    pure (found === 55)
  it "may be C" . alloca $ \counter -> do
    poke counter 0
    withTasks (Just 2) $ \tasks -> replicateM_ 1000 (taskC tasks countAt counter)
    peek counter `shouldReturn` 1000
  it "is refused from a thread that is not of the region" $ do
    answer <- newEmptyMVar
    withTasks (Just 2) $ \tasks -> do
      _ <- forkIO (try (task tasks (pure ())) >>= putMVar answer)
      takeMVar answer >>= (`shouldBe` Left (NotInRegion "task"))
      _ <- forkIO (try (taskWait tasks) >>= putMVar answer)
      takeMVar answer >>= (`shouldBe` Left (NotInRegion "taskWait"))
      withTasks (Just 2) (\_ -> try (task tasks (pure ()))) >>= (`shouldBe` Left (NotInRegion "task"))

ordered :: Spec
ordered = do
  it "runs what writes the same place one after the other" . property . forAll teams $ \team -> ioProperty $ do
    value <- newIORef (0 :: Int)
    seen <- newIORef []
    withTasks team $ \tasks -> forM_ [1 .. 20] $ \i -> do
      -- no atomic operation: the order is what makes this right
      taskAfter tasks [Writes place] $ modifyIORef' value (\n -> n * 3 + i)
      taskAfter tasks [Reads place] $ readIORef value >>= \n -> atomicModifyIORef' seen (\list -> (n : list, ()))
    found <- sort <$> readIORef seen
    pure (found === drop 1 (scanl (\n i -> n * 3 + i) 0 [1 .. 20]))
  it "tells places apart" . withFixedTeams $ do
    -- each of these waits for the other to begin, which only works where neither comes after the other
    [a, b] <- mapM (const newEmptyMVar) [1 :: Int, 2]
    withTasks (Just 2) $ \tasks -> do
      taskAfter tasks [Writes place] $ putMVar a () >> takeMVar b
      taskAfter tasks [Writes (place `plusPtr` 8)] $ putMVar b () >> takeMVar a
  where
    place = nullPtr `plusPtr` 64 :: Ptr ()

exceptions :: Spec
exceptions = do
  it "of a task are thrown to the caller, and no other begins" $ do
    ran <- newIORef 0
    result <- try . withTasks (Just 2) $ \tasks -> forM_ [1 .. 10000 :: Int] $ \i ->
      task tasks $ when (i == 10) (throwIO Overflow) >> threadDelay 100 >> count ran
    result `shouldBe` (Left Overflow :: Either ArithException ())
    readIORef ran >>= (`shouldSatisfy` (< 5000))
  it "of the body are thrown to the caller" $
    withTasks (Just 2) (\tasks -> task tasks (pure ()) >> throwIO Overflow) `shouldThrow` (== Overflow)
  it "are not hidden by who waits" $
    withTasks (Just 2) (\tasks -> task tasks (throwIO Overflow) >> taskWait tasks) `shouldThrow` (== Overflow)
  it "that come from outside end the region" $ do
    ran <- newIORef 0
    result <- timeout 50000 . withTasks (Just 2) $ \tasks ->
      replicateM_ 5000 (task tasks (threadDelay 1000 >> count ran))
    result `shouldBe` Nothing
    readIORef ran >>= (`shouldSatisfy` (< 4000))

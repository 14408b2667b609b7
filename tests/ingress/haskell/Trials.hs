-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | A library that does what one should not. No call may go unanswered, and the process goes on.
module Trials
  ( Trials,
  )
where

import Control.Concurrent
import Control.Exception (evaluate, getMaskingState)
import Control.Monad (forM_, void)
import Data.IORef (IORef, atomicModifyIORef', modifyIORef', newIORef)
import qualified Data.Text as Text
import Data.Word (Word32, Word64)
import Ferry.Ingress
import System.Exit (exitFailure)
import Trials.Generated

-- | Calls that are held, and a sum.
data Trials = Trials (IORef [Answer NoError Word32]) (IORef Word64)

instance Library Trials where
  create _ how
    | how == "throw" = error "the constructor throws"
    | otherwise = Trials <$> newIORef [] <*> newIORef 0

  throws _ (Trials held _) what = case Text.unpack what of
    "error" -> error "an error call"
    "exit" -> exitFailure
    "arithmetic" -> evaluate (length [1 `div` (0 :: Int)] `seq` 1 `div` (0 :: Int)) >>= reply . Text.pack . show
    "later" -> reply (error "in a value")
    "half" -> reply (Text.append "half a " (error "in half a value"))
    "message" -> failure (error "in a message")
    "blocked" -> newEmptyMVar >>= takeMVar
    "forked blocked" -> forked (newEmptyMVar >>= takeMVar)
    "thread" -> forked (error "in a thread")
    "taker" -> later (\_ -> error "in what takes the answer")
    "killed" -> forked (myThreadId >>= \self -> throwTo self CallCancelled >> reply "not killed")
    "nested" -> forked (forked (reply "nested"))
    "lazy" -> forked (reply (Text.pack (show (length [Text.length what .. 10 ^ (12 :: Int)]))))
    "worker" -> do
      answers <- atomicModifyIORef' held (\answers -> ([], answers))
      begun <- newEmptyMVar
      ended <- newEmptyMVar
      worker <-
        forkFinally
          (forM_ answers (\answer -> give answer (putMVar begun () >> threadDelay 60000000 >> reply 0)))
          (putMVar ended . either (Text.pack . show) (const "goes on"))
      forked (takeMVar begun >> killThread worker >> takeMVar ended >>= reply)
    "state" -> later taken
    "forked state" -> forked (later taken)
    'l' : 'a' : 't' : 'e' : steps -> do
      self <- myThreadId
      setNumCapabilities 2
      _ <- forkOn 1 (evaluate (sum [1 .. read steps :: Int]) >> throwTo self (userError "late"))
      reply what
    _ -> reply what
    where
      taken answer = getMaskingState >>= give answer . reply . Text.pack . show

  drop_ _ _ = later (\_ -> pure ())

  twice _ _ = later $ \answer -> do
    void (forkIO (give answer (reply 1) >> give answer (reply 2)))
    void (forkIO (give answer (reply 1) >> give answer (failure "no")))

  hold _ (Trials held _) = later (\answer -> modifyIORef' held (answer :))

  release _ (Trials held _) = do
    answers <- atomicModifyIORef' held (\answers -> ([], answers))
    forM_ (zip [0 ..] (reverse answers)) $ \(number, answer) -> give answer (reply number)
    reply (fromIntegral (length answers))

  announce context _ count = forked $ do
    forM_ [1 .. count] (emitSaid context)
    onLibraryThread context (error "on the library thread")
    emitSaid context 0
    reply ()

  rest _ _ delayMs = threadDelay (1000 * fromIntegral delayMs) >> reply ()

  add _ (Trials _ total) number = do
    modifyIORef' total (+ fromIntegral number)
    now <- atomicModifyIORef' total (\now -> (now, now))
    reply now

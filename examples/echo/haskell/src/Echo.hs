-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE TypeFamilies #-}

-- | The library echo in Haskell: what @examples/echo/echo.nim@ is in Nim. @ferry bindgen echo.json --provider haskell@
-- made the first form of this file, and makes @Echo.Generated@, which the build puts elsewhere.
module Echo
  ( Echo,
  )
where

import Control.Concurrent (threadDelay)
import Control.Exception (onException)
import Control.Monad (replicateM_, unless)
import Data.Char (isDigit)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef, writeIORef)
import Data.Int (Int64)
import Data.Maybe (fromMaybe, isJust)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Word (Word32)
import Echo.Generated
import Ferry.Ingress
import GHC.Clock (getMonotonicTimeNSec)

-- | What the library keeps for one context.
data Echo = Echo
  { echoPrefix :: !Text,
    echoCancellations :: !(IORef Word32)
  }

-- | Reads a text in pieces.
newtype TextReader = TextReader (IORef Text)

-- | A delay that may be asked for, in milliseconds.
delayOf :: Int64 -> IO Int
delayOf delayMs
  | delayMs >= 0 && delayMs <= fromIntegral maxDelayMs = pure (fromIntegral delayMs)
  | otherwise = failure (Text.concat ["the delay has to be from 0 to ", Text.pack (show maxDelayMs), " ms"])

countCancelled :: Echo -> IO ()
countCancelled state = atomicModifyIORef' (echoCancellations state) (\count -> (count + 1, ()))

instance Library Echo where
  type ReaderObject Echo = TextReader

  create _ prefix
    | prefix == "fail" = failure "the prefix says to fail"
    | otherwise = Echo prefix <$> newIORef 0

  echo context state request = do
    delayMs <- delayOf (echoRequestDelayMs request)
    let response =
          EchoResponse
            { echoResponseEchoed = Text.append (echoPrefix state) (echoRequestMessage request),
              echoResponseTimer = Text.pack (show delayMs ++ " ms")
            }
    if delayMs == 0
      then emitEchoed context response >> reply response
      else forked $ do
        threadDelay (1000 * delayMs)
        emitEchoed context response
        reply response

  complex _ _ request =
    reply
      ComplexResponse
        { complexResponseSummary = Text.concat [Text.intercalate "," said, ";", Text.intercalate "," tags],
          complexResponseItemCount = fromIntegral (length said + length tags),
          complexResponseHasNote = isJust (complexRequestNote request),
          complexResponseRetries = fromMaybe (-1) (complexRequestRetries request)
        }
    where
      said = map echoRequestMessage (complexRequestMessages request)
      tags = complexRequestTags request

  bytes _ _ = reply

  fail_ _ _ = failure

  all_ _ _ = reply

  tree _ _ = reply

  maybe_ _ _ = reply

  ticks context _ count = replicateM_ (fromIntegral count) (emitTick context) >> reply ()

  open context _ text = newIORef text >>= openReader context . TextReader >>= reply

  read_ _ _ reader bytesMax = do
    let TextReader left = heldObject reader
    unless (bytesMax > 0) $ failure "bytes_max has to be 1 or more"
    (piece, rest) <- Text.splitAt (fromIntegral (min bytesMax 0x7fffffff)) <$> readIORef left
    writeIORef left rest
    reply (if Text.null piece then Nothing else Just piece)

  close context _ reader = closeReader context (heldHandle reader) >> reply ()

  version _ = reply "0.1.0"

  sum_ _ left right = reply (left + right)

  divide _ _ dividend divisor
    | divisor == 0 = raise DivideErrorByZero
    | dividend == minBound && divisor == -1 = raise DivideErrorOverflow
    | otherwise = reply (dividend `quot` divisor)

  parse _ text
    | Text.null text = failure "there is no text"
    | Just wrong <- Text.findIndex (not . isDigit) (Text.take digitsMax text) = bad "no digit" wrong
    | Text.length text > digitsMax = bad "too long" digitsMax
    | otherwise = reply (Text.foldl' (\number digit -> 10 * number + value digit) 0 text)
    where
      digitsMax = 18
      value digit = fromIntegral (fromEnum digit - fromEnum '0')
      bad reason position = raise ParseError {parseErrorReason = reason, parseErrorPosition = fromIntegral position}

  nap _ state delayMs = do
    delay <- delayOf delayMs
    forked $ (threadDelay (1000 * delay) `onException` countCancelled state) >> reply ()

  spin context state delayMs = do
    delay <- delayOf delayMs
    began <- getMonotonicTimeNSec
    let over = began + 1000000 * fromIntegral delay
        go = do
          now <- getMonotonicTimeNSec
          gone <- isCancelled context
          if gone then countCancelled state >> giveUp else unless (now >= over) go
    go
    reply ()

  cancellations _ state = readIORef (echoCancellations state) >>= reply

  sing _ chorus = do
    let times = fromIntegral (chorusTimes chorus) * chorusFactor chorus
        remark = fromMaybe "" (chorusRemark chorus)
        said = Text.intercalate (chorusSeparator chorus) (replicate (floor times) (chorusText chorus))
    unless (times >= 0 && times <= 100) $ failure "a text is said at most 100 times"
    reply $
      Text.concat
        [remark, said, if chorusLoud chorus then "!" else "", " ", Text.pack (show (colorNumber (chorusColor chorus)))]

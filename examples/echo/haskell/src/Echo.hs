-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE TypeFamilies #-}

-- | The library echo in Haskell: what @examples/echo/echo.nim@ is in Nim. @ferry bindgen echo.json --provider haskell@
-- made the first form of this file, and makes @Echo.Generated@, which the build puts elsewhere.
module Echo
  ( Echo,
  )
where

import Control.Concurrent
  ( MVar,
    ThreadId,
    myThreadId,
    newEmptyMVar,
    putMVar,
    readMVar,
    takeMVar,
    threadDelay,
    tryPutMVar,
  )
import Control.Exception (Exception, SomeException, onException, throwIO, throwTo, try)
import Control.Monad (forM_, replicateM_, unless, when)
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
import System.Timeout (timeout)

-- | What the library keeps for one context.
data Echo = Echo
  { echoPrefix :: !Text,
    echoCancellations :: !(IORef Word32),
    echoCounts :: !(IORef Counts),
    -- | how many questions to the host are open
    echoAsking :: !(IORef Word32)
  }

-- | An exception of the library's own: hosts are told what it shows, whichever GHC's.
data NoText = NoText

instance Show NoText where
  show NoText = "there is no text"

instance Exception NoText

-- | Reads a text in pieces.
newtype TextReader = TextReader (IORef Text)

-- | A count that is not over. The library thread alone uses it.
data Counting = Counting
  { countingRequest :: !CountRequest,
    countingDelayMs :: !Int,
    -- | the number that comes next
    countingNext :: !(IORef Word32),
    -- | what hosts have it by, once they do
    countingHandle :: !(IORef (Maybe CountStream)),
    -- | the thread that waits until the next number is due
    countingWaits :: !(IORef (Maybe ThreadId)),
    countingIsOver :: !(IORef Bool)
  }

-- | A delay that may be asked for, in milliseconds.
delayOf :: Int64 -> IO Int
delayOf delayMs
  | delayMs >= 0 && delayMs <= fromIntegral maxDelayMs = pure (fromIntegral delayMs)
  | otherwise = failure (Text.concat ["the delay has to be from 0 to ", Text.pack (show maxDelayMs), " ms"])

countCancelled :: Echo -> IO ()
countCancelled state = atomicModifyIORef' (echoCancellations state) (\times -> (times + 1, ()))

-- | End a count; the change says what became of it.
endCounting :: Context Echo -> Echo -> Counting -> (Counts -> Counts) -> IO ()
endCounting context state counting' change = do
  isOver <- readIORef (countingIsOver counting')
  unless isOver $ do
    writeIORef (countingIsOver counting') True
    readIORef (countingHandle counting') >>= mapM_ (closeCountStream context)
    changeCounts state (\counts -> change counts {countsRunning = countsRunning counts - 1})

-- | End a count whose host wants no more numbers.
stopCounting :: Context Echo -> Echo -> Counting -> IO ()
stopCounting context state counting' = do
  endCounting context state counting' (\counts -> counts {countsStopped = countsStopped counts + 1})
  waits <- readIORef (countingWaits counting')
  forM_ waits (`throwTo` CallCancelled)

changeCounts :: Echo -> (Counts -> Counts) -> IO ()
changeCounts state change = atomicModifyIORef' (echoCounts state) (\counts -> (change counts, ()))

-- | The numbers that there are now, at most as many as there are credits; or the end.
nextNumbers :: Context Echo -> Echo -> Counting -> Word32 -> IO (Reply CountError CountPart)
nextNumbers context state counting' credits = do
  isOver <- readIORef (countingIsOver counting')
  when isOver giveUp
  from <- readIORef (countingNext counting')
  let CountRequest upTo failAt _ textBytes = countingRequest counting'
      most = if countingDelayMs counting' > 0 then 1 else min (max 1 credits) (partBytesMax `div` (textBytes + 16) + 1)
      before = maybe upTo (min upTo) (failAt >>= \at -> if at >= from then Just at else Nothing)
      to = from + min most (before - from)
      text = Text.replicate (fromIntegral textBytes) "x"
  if failAt == Just from && from < upTo
    then endCounting context state counting' id >> raise CountErrorTooFar
    else do
      writeIORef (countingNext counting') to
      changeCounts state (\counts -> counts {countsGiven = countsGiven counts + fromIntegral (to - from)})
      stream <-
        if to == upTo
          then Nothing <$ endCounting context state counting' id
          else do
            known <- readIORef (countingHandle counting')
            handle <- maybe (openCountStream context counting') pure known
            writeIORef (countingHandle counting') (Just handle)
            pure (Just handle)
      reply (CountPart stream [Counted number text | to > from, number <- [from .. to - 1]])
  where
    partBytesMax = 65536

-- | Serve a request for numbers, now or when the next is due.
serveCounting :: Context Echo -> Echo -> Counting -> Word32 -> IO (Reply CountError CountPart)
serveCounting context state counting' credits
  | countingDelayMs counting' == 0 = nextNumbers context state counting' credits
  | otherwise = forked $ due `onException` onLibraryThread context (stopCounting context state counting')
  where
    due = do
      thread <- myThreadId
      onLibraryThread context $ do
        writeIORef (countingWaits counting') (Just thread)
        isOver <- readIORef (countingIsOver counting')
        when isOver $ throwTo thread CallCancelled
      threadDelay (1000 * countingDelayMs counting')
      -- handles are opened on the library thread
      given <- newEmptyMVar
      onLibraryThread context $ do
        writeIORef (countingWaits counting') Nothing
        try (nextNumbers context state counting' credits) >>= putMVar given
      takeMVar given >>= either (throwIO :: SomeException -> IO a) pure

-- | What a host has answered.
data Picked = Returned Word32 | Refused PickError | HostFailed Text

-- | Wait for the answer to a question, and say what became of it. Now and then it is seen whether anybody listens.
answerTo :: Context Echo -> MVar Picked -> [Text] -> Word32 -> IO Consulted
answerTo context picked choices waitMs = do
  began <- getMonotonicTimeNSec
  let due = began + 1000000 * fromIntegral waitMs
      go = do
        now <- getMonotonicTimeNSec
        heard <- hearsPick context
        let left = if now >= due then 0 else fromIntegral (min 100000 ((due - now) `div` 1000 + 1))
        found <- timeout left (readMVar picked)
        case found of
          Just outcome -> concluded outcome
          Nothing
            | now >= due -> pure (Consulted ConsultationTooLate "no answer came in time")
            | not heard -> pure (Consulted ConsultationUnheard "nobody answers")
            | otherwise -> go
  go
  where
    concluded (Returned place) = case drop (fromIntegral place) choices of
      choice : _ -> pure (Consulted ConsultationAnswered choice)
      [] -> failure "there is no such choice"
    concluded (Refused why) = pure (Consulted ConsultationRefused (Text.pack (show why)))
    concluded (HostFailed why) = pure (Consulted ConsultationFailed why)

-- | An answer has come: the question's handle is refused from now on.
settle :: Context Echo -> Held PickQuestion (MVar Picked) -> Picked -> IO (Reply NoError ())
settle context question outcome = do
  _ <- tryPutMVar (heldObject question) outcome
  closePickQuestion context (heldHandle question)
  reply ()

instance Library Echo where
  type ReaderObject Echo = TextReader
  type CountStreamObject Echo = Counting
  type PickQuestionObject Echo = MVar Picked

  create _ prefix
    | prefix == "fail" = failure "the prefix says to fail"
    | otherwise = Echo prefix <$> newIORef 0 <*> newIORef (Counts 0 0 0) <*> newIORef 0

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

  ticks context _ times = replicateM_ (fromIntegral times) (emitTick context) >> reply ()

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
    | Text.null text = throwIO NoText
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

  -- A method that yields is three methods: one that opens the stream and gives the first values, one that gives the
  -- next ones, and one that closes it.
  count context state request credits = do
    delayMs <- delayOf (countRequestDelayMs request)
    counting' <- Counting request delayMs <$> newIORef 0 <*> newIORef Nothing <*> newIORef Nothing <*> newIORef False
    changeCounts state (\counts -> counts {countsRunning = countsRunning counts + 1})
    serveCounting context state counting' credits

  countNext context state stream credits = do
    waits <- readIORef (countingWaits (heldObject stream))
    when (isJust waits) $ failure "another request of this stream waits for values"
    serveCounting context state (heldObject stream) credits

  countClose context state stream = stopCounting context state (heldObject stream) >> reply ()

  counting _ state = readIORef (echoCounts state) >>= reply

  -- A question is an event, whose handle comes back with the answer in one of three methods.
  consult context state title choices waitMs = do
    open' <- readIORef (echoAsking state)
    heard <- hearsPick context
    if open' >= questionsMax || not heard
      then reply (if heard then Consulted ConsultationTooMany "64" else Consulted ConsultationUnheard "nobody answers")
      else do
        picked <- newEmptyMVar
        question <- openPickQuestion context picked
        atomicModifyIORef' (echoAsking state) (\times -> (times + 1, ()))
        emitPick context (PickAsked question title choices)
        forked $ do
          -- in the order of requests, so that no answer is taken after the reply
          let over = do
                closePickQuestion context question
                atomicModifyIORef' (echoAsking state) (\times -> (times - 1, ()))
          consulted <- answerTo context picked choices waitMs `onException` onLibraryThread context over
          done <- newEmptyMVar
          onLibraryThread context (over >> putMVar done ())
          takeMVar done
          reply consulted
    where
      questionsMax = 64

  asking _ state = readIORef (echoAsking state) >>= reply

  draw context _ drawing extra
    | null shapes = raise DrawErrorEmptyCase
    | length shapes > shapesMax = raise (DrawErrorTooManyCase (DrawErrorTooMany (fromIntegral (length shapes))))
    | otherwise = emitDrawn context whole >> reply whole
    where
      shapesMax = 100
      shapes = drawingShapes drawing ++ maybe [] pure extra
      whole = ShapeGroupCase (ShapeGroup (name : shapes))
      name = case drawingIsColored drawing of
        DrawingByIsColoredFalseCase -> ShapeLabelCase (ShapeLabel (drawingName drawing))
        DrawingByIsColoredTrueCase (DrawingTrue color) ->
          ShapeCaptionCase (ShapeLabel (Text.concat [drawingName drawing, " ", Text.pack (show (colorNumber color))]))

  pickReturn context _ question place = settle context question (Returned place)

  pickRaise context _ question why = settle context question (Refused why)

  pickFail context _ question why = settle context question (HostFailed why)

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | What a method gives, and how it becomes the answer to a call.
--
-- Each call is answered once. An 'Answer' may be used by several threads, so the first that claims it answers. A call
-- whose 'Answer' nothing refers to any more fails, which the next major collection finds.
module Ferry.Internal.Ingress.Reply
  ( Reply,
    reply,
    raise,
    later,
    forked,
    CallCancelled (..),
    giveUp,
    Answer,
    give,
    Call (..),
    sendCancelled,
    settle,
    sendText,
    BadHandle (..),
  )
where

import Control.Concurrent (forkIOWithUnmask, mkWeakThreadId)
import Control.Exception
  ( Exception (..),
    SomeAsyncException (..),
    SomeException (..),
    asyncExceptionFromException,
    asyncExceptionToException,
    evaluate,
    finally,
    interruptible,
    mask_,
    throwIO,
    try,
  )
import Control.Monad (void, when)
import Data.IORef (IORef, atomicModifyIORef', mkWeakIORef, newIORef)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (encodeUtf8)
import Ferry.Internal.Ingress.C (Native, Request, Status)
import qualified Ferry.Internal.Ingress.C as C
import Ferry.Internal.Ingress.Codec (Codec, Wire, encode)
import Ferry.Internal.Ingress.Context
import Ferry.Internal.Ingress.Error (WireError, wireErrorText)
import Ferry.Internal.Ingress.Writer (Buffer)
import qualified Ferry.Internal.Ingress.Writer as Writer
import Foreign.ForeignPtr (ForeignPtr, withForeignPtr)
import Foreign.Marshal.Array (allocaArray)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (peek)

-- | What a method gives: a value of type @a@, an error of type @e@, or one of the two later. @e@ is the error that the
-- description declares, or 'Ferry.Ingress.NoError'.
data Reply e a
  = Answered a
  | Raised e
  | Later (Answer e a -> IO ())
  | Forked (IO (Reply e a))

-- | Answer with a value.
reply :: a -> IO (Reply e a)
reply = pure . Answered

-- | Fail with the error that the method declares: hosts get it as a value.
raise :: e -> IO (Reply e a)
raise = pure . Raised

-- | Have any thread answer: the action gets the duty to.
later :: (Answer e a -> IO ()) -> IO (Reply e a)
later = pure . Later

-- | Answer with what an action gives that a Haskell thread of its own runs, beside other calls. When the host cancels
-- the call, that thread gets the exception 'CallCancelled'.
forked :: IO (Reply e a) -> IO (Reply e a)
forked = pure . Forked

-- | The host has cancelled the call: what a thread of 'forked' gets.
data CallCancelled = CallCancelled

instance Show CallCancelled where
  show CallCancelled = "cancelled"

instance Exception CallCancelled where
  toException = asyncExceptionToException
  fromException = asyncExceptionFromException

-- | End a call that the host has cancelled.
giveUp :: IO a
giveUp = throwIO CallCancelled

-- | A parameter is a handle that is not open.
data BadHandle = BadHandle String String

instance Show BadHandle where
  show (BadHandle parameter kind) = parameter ++ ": no open " ++ kind ++ " has this handle"

instance Exception BadHandle

-- | A request of the core's, and its wire format.
data Call = Call !(Ptr Request) !Wire

-- | The duty to answer a call, which any thread may have.
data Answer e a = Answer !(IORef Bool) (IO (Reply e a) -> IO ())

-- | Answer with what an action gives, or with the exception that it throws. The first answer counts. An asynchronous
-- exception is thrown on as well, since it is meant for the thread: that of 'Control.Concurrent.killThread', say, or of
-- 'System.Timeout.timeout'.
give :: Answer e a -> IO (Reply e a) -> IO ()
give (Answer _ run) = run

newAnswer :: (Codec e, Codec a) => Context state -> Call -> IO (Answer e a)
newAnswer context call = do
  given <- newIORef False
  let answer = Answer given $ \action -> do
        outcome <- try action
        case outcome of
          Right (Later take_) -> take_ answer
          Right (Forked inside) -> give answer inside
          _ -> claim given (send (contextNative context) call outcome) >> throwOn outcome
      dropped = Left (toException (Failure (Text.pack "the library dropped the call without an answer")))
  -- the finalizer runs on a thread of the runtime system's
  _ <- mkWeakIORef given (claim given (send (contextNative context) call (dropped `asResultOf` answer)))
  pure answer
  where
    asResultOf :: Either SomeException (Reply e a) -> Answer e a -> Either SomeException (Reply e a)
    asResultOf result _ = result

-- | Throw an exception on that is meant for the thread, and not for the call.
throwOn :: Either SomeException a -> IO ()
throwOn outcome = case outcome of
  Left exception
    | Just CallCancelled <- fromException exception -> pure ()
    | Just (SomeAsyncException _) <- fromException exception -> throwIO exception
  _ -> pure ()

-- | Answer, unless that has been done. Between the claim and the answer no asynchronous exception comes.
claim :: IORef Bool -> IO () -> IO ()
claim given run = mask_ $ do
  was <- atomicModifyIORef' given (\was -> (True, was))
  if was then pure () else run

-- | Answer a call with what its method gave or threw, now or later.
settle :: (Codec e, Codec a) => Context state -> Call -> Either SomeException (Reply e a) -> IO ()
settle context call outcome = case outcome of
  Right (Later take_) -> do
    answer <- newAnswer context call
    done <- try (interruptible (take_ answer))
    case done of
      Left (exception :: SomeException) -> give answer (throwIO exception)
      Right () -> pure ()
  Right (Forked run) -> serveForked context call run
  _ -> send (contextNative context) call outcome

-- | Serve a call by a thread of its own. The thread is known by the call until it is about to answer, so none is
-- cancelled for another call that has the same request later.
serveForked :: (Codec e, Codec a) => Context state -> Call -> IO (Reply e a) -> IO ()
serveForked context call@(Call request _) run = do
  let calls = contextCalls context
      change how = atomicModifyIORef' calls (\known -> (how known, ()))
  change (Map.insert request Nothing)
  started <- try (mask_ (forkIOWithUnmask (\unmask -> serveHere unmask context call run)))
  case started of
    Right thread -> mkWeakThreadId thread >>= \weak -> change (Map.adjust (const (Just weak)) request)
    Left exception -> change (Map.delete request) >> send (contextNative context) call (Left exception `as` run)
  where
    as :: Either SomeException (Reply e a) -> IO (Reply e a) -> Either SomeException (Reply e a)
    as result _ = result

-- | Serve a call by the thread that runs this; only the action itself is unmasked, and what computes the value that it
-- gave: that happens where the value is written, and may take as long.
serveHere :: (Codec e, Codec a) => (forall b. IO b -> IO b) -> Context state -> Call -> IO (Reply e a) -> IO ()
serveHere unmask context call@(Call request _) run = do
  outcome <- try (unmask run)
  case outcome of
    Right (Forked inside) -> serveHere unmask context call inside
    Right (Answered _) -> sendBy computing (contextNative context) call outcome
    Right (Raised _) -> sendBy computing (contextNative context) call outcome
    _ -> forget >> settle context call outcome
  where
    computing writing = unmask writing `finally` forget
    forget = atomicModifyIORef' (contextCalls context) (\known -> (Map.delete request known, ()))

-- | Answer with what is there.
send :: (Codec e, Codec a) => ForeignPtr Native -> Call -> Either SomeException (Reply e a) -> IO ()
send = sendBy id

-- | As 'send'; the value is written by that.
sendBy ::
  (Codec e, Codec a) =>
  (IO (Int, Int) -> IO (Int, Int)) ->
  ForeignPtr Native ->
  Call ->
  Either SomeException (Reply e a) ->
  IO ()
sendBy computing native call@(Call _ wire) outcome = case outcome of
  Right (Answered value) -> whole C.ok value
  Right (Raised value) -> whole C.raised value
  Right _ -> sendText native call C.failed (Text.pack "the library gave no answer")
  Left exception -> do
    (status, why) <- told exception
    sendText native call status why
  where
    whole :: Codec b => Status -> b -> IO ()
    whole status value = do
      sent <- write native call status (\buffer -> computing (encode buffer wire value))
      either unsent pure sent
    unsent exception = case fromException exception of
      Just (wrong :: WireError) ->
        sendText native call C.failed (Text.pack ("the result cannot be sent: " ++ wireErrorText wrong))
      Nothing -> do
        (status, why) <- told exception
        sendText native call status why

-- | Answer a call that the host has cancelled, and that is not to be served any more.
sendCancelled :: Context state -> Call -> IO ()
sendCancelled context call = sendText (contextNative context) call C.cancelled (Text.pack "cancelled")

-- | What a host is told of an exception. To show it may throw again. The exception itself is shown, without the
-- backtrace that 'SomeException' has after it under GHC 9.10: that names places in the library's source.
told :: SomeException -> IO (Status, Text)
told exception@(SomeException thrown)
  | Just (Failure why) <- fromException exception = shown C.failed why
  | Just (refused :: BadHandle) <- fromException exception = pure (C.badHandle, Text.pack (show refused))
  | Just CallCancelled <- fromException exception = pure (C.cancelled, Text.pack "cancelled")
  | otherwise = shown C.failed (Text.pack (take messageCharactersMax (displayException thrown)))
  where
    shown status why = do
      evaluated <- try (evaluate (Text.length why))
      pure $ case evaluated of
        Right _ -> (status, why)
        Left (_ :: SomeException) -> (status, Text.pack "the library threw an exception that cannot be shown")

-- | How long the text of an exception may be.
messageCharactersMax :: Int
messageCharactersMax = 4096

-- | Answer with a status and a message.
sendText :: ForeignPtr Native -> Call -> Status -> Text -> IO ()
sendText native call status why = do
  sent <- write native call status $ \buffer -> do
    writer <- Writer.writerAt buffer
    Writer.raw writer (encodeUtf8 why)
    Writer.finish writer
  case sent of
    Right () -> pure ()
    -- there is no memory for the message
    Left _ -> void (write native call status (\_ -> pure (0, 0)))

-- | Answer with what is written into a buffer: on the library thread into its own, else into one that the core then
-- has.
write :: ForeignPtr Native -> Call -> Status -> (Buffer -> IO (Int, Int)) -> IO (Either SomeException ())
write native (Call request _) status run = withForeignPtr native $ \thread -> do
  own <- C.bufferOf thread
  if own /= nullPtr
    then do
      written <- attempt own (run own)
      case written of
        Left exception -> pure (Left exception)
        Right (offset, count) -> do
          full <- C.keepAnswer thread request status (fromIntegral offset) (fromIntegral count)
          Right <$> when (full /= 0) (C.giveAnswers thread)
    else allocaArray 3 $ \buffer -> do
      fillBytes buffer 0 24
      written <- attempt buffer (run buffer)
      case written of
        Left exception -> Left exception <$ (peek buffer >>= C.freeBytes)
        Right _ -> Right <$> C.post request status buffer

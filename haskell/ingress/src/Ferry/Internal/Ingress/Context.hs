-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ScopedTypeVariables #-}

-- | A running instance of a library: its library thread, events and handles.
module Ferry.Internal.Ingress.Context
  ( Context (..),
    newContext,
    endContext,
    onLibraryThread,
    runQueued,
    isCancelled,
    emit,
    hears,
    openHandle,
    handleObject,
    closeHandle,
    attempt,
    report,
    Failure (..),
    failure,
  )
where

import Control.Exception (Exception (..), SomeException, catch, fromException, interruptible, throwIO, try)
import Control.Monad (forM_, unless, when)
import Data.Bits (testBit)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef, writeIORef)
import Data.Map.Strict (Map)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Word (Word32, Word64, Word8)
import Ferry.Internal.Ingress.C (Native, Provider, Request)
import qualified Ferry.Internal.Ingress.C as C
import Ferry.Internal.Ingress.Codec (Codec, Wire, encode)
import Ferry.Internal.Ingress.Error (WireError)
import Ferry.Internal.Ingress.Writer (Buffer)
import Foreign.ForeignPtr (ForeignPtr, withForeignPtr)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (Ptr, minusPtr, nullPtr, plusPtr)
import Foreign.StablePtr (castPtrToStablePtr, castStablePtrToPtr, deRefStablePtr, freeStablePtr, newStablePtr)
import Foreign.Storable (peek, peekByteOff, pokeByteOff)
import GHC.Conc (ThreadId, getUncaughtExceptionHandler)
import System.Mem.Weak (Weak)

-- | A running instance of the library, whose state is of that type.
data Context state = Context
  { contextNative :: !(ForeignPtr Native),
    contextProvider :: !(Ptr Provider),
    -- | What the author keeps; nothing before the constructor has succeeded.
    contextState :: !(IORef (Maybe state)),
    contextEnded :: !(IORef Bool),
    -- | What other threads want to be done on the library thread, the newest first.
    contextQueue :: !(IORef [IO ()]),
    -- | The threads that serve calls of their own. The runtime system throws to a thread that waits for ever only when
    -- nothing refers to the thread.
    contextCalls :: !(IORef (Map (Ptr Request) (Maybe (Weak ThreadId))))
  }

-- | A context of a library thread's.
newContext :: ForeignPtr Native -> Ptr Provider -> IO (Context state)
newContext native provider =
  Context native provider <$> newIORef Nothing <*> newIORef False <*> newIORef [] <*> newIORef Map.empty

-- | The context has ended: forget all of it.
endContext :: Context state -> IO ()
endContext context = do
  writeIORef (contextEnded context) True
  writeIORef (contextState context) Nothing
  atomicModifyIORef' (contextQueue context) (const ([], ()))
  alloca $ \(kind :: Ptr Word32) ->
    let closeAll = do
          object <- C.handleCloseAny (contextProvider context) kind
          unless (object == nullPtr) $ freeStablePtr (castPtrToStablePtr object) >> closeAll
     in closeAll

-- | Whether this is the library thread, and the context has not ended: then its buffer.
bufferHere :: Context state -> IO (Maybe Buffer)
bufferHere context = do
  buffer <- withForeignPtr (contextNative context) C.bufferOf
  ended <- readIORef (contextEnded context)
  pure (if buffer == nullPtr || ended then Nothing else Just buffer)

-- | Do something on the context's library thread: at once, if this is that thread, or soon, after what was wanted
-- before. When the context has ended it is not done. What it throws goes to the uncaught exception handler, where it is
-- done later.
onLibraryThread :: Context state -> IO () -> IO ()
onLibraryThread context action = do
  here <- bufferHere context
  case here of
    Just _ -> action
    Nothing -> do
      ended <- readIORef (contextEnded context)
      unless ended $ do
        atomicModifyIORef' (contextQueue context) (\queued -> (action : queued, ()))
        withForeignPtr (contextNative context) C.wake

-- | Do what other threads want to be done.
runQueued :: Context state -> IO ()
runQueued context = do
  queued <- atomicModifyIORef' (contextQueue context) (\queued -> ([], queued))
  forM_ (reverse queued) (\action -> interruptible action `catch` report)

-- | Tell the program of an exception that nobody else hears of.
report :: SomeException -> IO ()
report exception = do
  tell <- getUncaughtExceptionHandler
  tell exception `catch` \(_ :: SomeException) -> pure ()

-- | Whether nobody waits for the result of the call any more that the library thread serves: its host has cancelled it
-- or has left. For a method that computes for long, which then ends by 'Ferry.Ingress.giveUp'. It costs a few loads.
-- 'False' on other threads.
isCancelled :: Context state -> IO Bool
isCancelled context = (/= 0) <$> withForeignPtr (contextNative context) C.isCancelled

-- | Why a call failed, as its host is told.
newtype Failure = Failure Text

instance Show Failure where
  show (Failure why) = Text.unpack why

instance Exception Failure

-- | Fail with a sentence for the host.
failure :: Text -> IO a
failure = throwIO . Failure

-- | Write into a buffer; what was written is taken back when that throws.
attempt :: Buffer -> IO a -> IO (Either SomeException a)
attempt buffer write = do
  used <- bufferUsed buffer
  done <- try write
  case done of
    Left _ -> resetBuffer buffer used
    Right _ -> pure ()
  pure done

bufferUsed :: Buffer -> IO Int
bufferUsed buffer = do
  base <- peek buffer
  at <- peekByteOff buffer 8 :: IO (Ptr Word8)
  pure (at `minusPtr` base)

resetBuffer :: Buffer -> Int -> IO ()
resetBuffer buffer used = do
  base <- peek buffer
  pokeByteOff buffer 8 (base `plusPtr` used :: Ptr Word8)

-- | Emit an event, by its number; nothing is encoded when nobody listens, and what cannot be sent is not emitted.
emit :: Codec a => Context state -> Word32 -> a -> IO ()
emit context event value = onLibraryThread context $ do
  wires <- C.eventWires (contextProvider context) event
  forM_ [0, 1] $ \wire -> when (testBit wires (fromIntegral wire)) $ emitIn context event wire value

-- | Whether a host listens to an event, by its number. On the library thread, and while a call is under way.
hears :: Context state -> Word32 -> IO Bool
hears context event = (/= 0) <$> C.eventWires (contextProvider context) event

emitIn :: Codec a => Context state -> Word32 -> Wire -> a -> IO ()
emitIn context event wire value = do
  here <- bufferHere context
  forM_ here $ \buffer -> do
    used <- bufferUsed buffer
    written <- attempt buffer (encode buffer wire value)
    case written of
      Right (offset, count) -> do
        base <- peek buffer
        C.eventEmit (contextProvider context) event wire (base `plusPtr` offset) (fromIntegral count)
        resetBuffer buffer used
      Left exception -> case fromException exception of
        Just (_ :: WireError) -> pure ()
        Nothing -> throwIO exception

-- | Give hosts an object, as a handle of the kind of that number. On the library thread alone.
openHandle :: Context state -> Word32 -> object -> IO Word64
openHandle context kind object = do
  here <- bufferHere context
  case here of
    Nothing -> failure (Text.pack "handles are opened on the library thread")
    Just _ -> do
      kept <- newStablePtr object
      number <- C.handleOpen (contextProvider context) kind (castStablePtrToPtr kept)
      when (number == 0) $ freeStablePtr kept >> failure (Text.pack "no memory for another handle")
      pure number

-- | The object of a handle, if that is open. On the library thread alone.
handleObject :: Context state -> Word32 -> Word64 -> IO (Maybe object)
handleObject context kind number = do
  kept <- C.handleObject (contextProvider context) kind number
  if kept == nullPtr then pure Nothing else Just <$> deRefStablePtr (castPtrToStablePtr kept)

-- | Close a handle: hosts that use it from now on are refused. On the library thread alone.
closeHandle :: Context state -> Word32 -> Word64 -> IO ()
closeHandle context kind number = do
  kept <- C.handleClose (contextProvider context) kind number
  unless (kept == nullPtr) $ freeStablePtr (castPtrToStablePtr kept)

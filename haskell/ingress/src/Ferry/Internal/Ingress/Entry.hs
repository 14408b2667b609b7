-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE ForeignFunctionInterface #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Where a library thread enters Haskell (cbits/library_thread.c). No exception leaves these functions: an uncaught
-- one would end the process.
module Ferry.Internal.Ingress.Entry
  ( Served,
    Serve,
    begin,
    method,
    static,
    constructor,
    raisingConstructor,
    destructor,
    Held (..),
    held,
  )
where

import Control.Concurrent (forkIO)
import Control.Exception (SomeException, allowInterrupt, catch, interruptible, mask_, throwIO, throwTo, try)
import Control.Monad (forM_, when)
import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import qualified Data.Map.Strict as Map
import qualified Data.Text as Text
import Data.Word (Word32, Word64)
import Ferry.Internal.Ingress.C (Native, Request)
import qualified Ferry.Internal.Ingress.C as C
import Ferry.Internal.Ingress.Codec (Codec, decode)
import Ferry.Internal.Ingress.Compound (NoError)
import Ferry.Internal.Ingress.Context
import Ferry.Internal.Ingress.Error (wireErrorText)
import Ferry.Internal.Ingress.Reply
import Foreign.ForeignPtr (ForeignPtr, newForeignPtr, withForeignPtr)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.StablePtr (StablePtr, castPtrToStablePtr, deRefStablePtr, freeStablePtr, newStablePtr)
import Foreign.Storable (peekElemOff)
import System.Mem.Weak (deRefWeak)

-- | Serve a call, by the number of its method.
type Serve state = Context state -> Call -> Word32 -> IO ()

-- | What a library thread has in Haskell.
data Served = forall state.
  Served
  { _native :: !(ForeignPtr Native),
    _current :: !(IORef (Context state)),
    _serve :: !(Serve state),
    -- | What C calls by its address: the collector may not take what these functions stand on. C keeps the first of
    -- these for as long as the process lives.
    _roots :: ![Root]
  }

data Root = forall a. Root a

-- | Begin a library thread, with the function itself that the library exports for this, which is kept. Null: that
-- failed.
begin :: (Ptr Native -> IO (StablePtr Served)) -> Serve state -> Ptr Native -> IO (StablePtr Served)
begin exported serve thread =
  make `catch` \(exception :: SomeException) -> castPtrToStablePtr nullPtr <$ report exception
  where
    make = do
      native <- newForeignPtr C.threadFree thread
      provider <- C.provider thread
      current <- newContext native provider >>= newIORef
      newStablePtr (Served native current serve [Root exported, Root enterRequests, Root enterTurn, others])
    others = Root (enterCancelled, enterContextEnd, enterThreadEnd)

-- | Asynchronous exceptions are let in only while the author's code runs, which may have told other threads of this
-- one. Anywhere else one would leave a call without an answer, or end the process. One that comes later is reported.
shielded :: IO () -> IO ()
shielded run = mask_ (run `catch` report >> late)
  where
    late = allowInterrupt `catch` \exception -> report exception >> late

foreign export ccall "ferry_haskell_enter_requests"
  enterRequests :: StablePtr Served -> Ptr (Ptr Request) -> Int -> IO ()

-- | Serve a batch of requests.
enterRequests :: StablePtr Served -> Ptr (Ptr Request) -> Int -> IO ()
enterRequests thread requests count = shielded $ do
  Served native current serve _ <- deRefStablePtr thread
  context <- readIORef current
  withForeignPtr native $ \own ->
    let go index = when (index < count) $ do
          request <- peekElemOff requests index
          isDue <- C.serve own request
          when (isDue /= 0) $ C.giveAnswers own
          wire <- C.requestWire request
          number <- C.requestMethod request
          -- the core has looked at the first one just now; the others may have waited behind a long call
          wasCancelled <- if index > 0 then C.isCancelled own else pure 0
          let asked = Call request wire
          (if wasCancelled /= 0 then sendCancelled context asked else serve context asked number) `catch` report
          go (index + 1)
     in go 0

foreign export ccall "ferry_haskell_enter_turn" enterTurn :: StablePtr Served -> IO ()

-- | Do what other threads want to be done.
enterTurn :: StablePtr Served -> IO ()
enterTurn thread = shielded $ do
  Served _ current _ _ <- deRefStablePtr thread
  readIORef current >>= runQueued

foreign export ccall "ferry_haskell_enter_cancelled" enterCancelled :: StablePtr Served -> Ptr Request -> IO ()

-- | A host has cancelled a call that is not answered. Another thread stops the one that serves it, since that may take
-- its time to be stopped.
enterCancelled :: StablePtr Served -> Ptr Request -> IO ()
enterCancelled thread request = do
  Served _ current _ _ <- deRefStablePtr thread
  stop current `catch` report
  where
    stop current = do
      context <- readIORef current
      known <- Map.lookup request <$> readIORef (contextCalls context)
      case known of
        Just (Just weak) -> deRefWeak weak >>= mapM_ (\serving -> forkIO (throwTo serving CallCancelled))
        _ -> pure ()

foreign export ccall "ferry_haskell_enter_context_end" enterContextEnd :: StablePtr Served -> IO ()

-- | The context has ended; the next is another one.
enterContextEnd :: StablePtr Served -> IO ()
enterContextEnd thread = do
  Served native current _ _ <- deRefStablePtr thread
  context <- readIORef current
  endContext context `catch` report
  newContext native (contextProvider context) >>= writeIORef current

foreign export ccall "ferry_haskell_enter_thread_end" enterThreadEnd :: StablePtr Served -> IO ()

-- | The thread ends.
enterThreadEnd :: StablePtr Served -> IO ()
enterThreadEnd = freeStablePtr

-- ---- for generated code --------------------------------------------------------------------------------------------

-- | Decode a call's parameters and run what serves it.
with :: (Codec p, Codec e, Codec a) => Context state -> Call -> (p -> IO (Reply e a)) -> IO ()
with context call@(Call request wire) run = do
  bytes <- C.requestData request
  count <- C.requestBytes request
  params <- decode wire bytes (fromIntegral count)
  case params of
    Left wrong -> sendText (contextNative context) call C.badPayload (Text.pack (wireErrorText wrong))
    Right value -> try (interruptible (run value)) >>= settle context call
{-# INLINEABLE with #-}

-- | Serve a call of a method.
method :: (Codec p, Codec e, Codec a) => Context state -> Call -> (state -> p -> IO (Reply e a)) -> IO ()
method context call run = do
  state <- readIORef (contextState context)
  case state of
    -- the core hands over nothing before the constructor has succeeded, or after the destructor
    Nothing -> sendText (contextNative context) call C.failed (Text.pack "there is no context")
    Just found -> with context call (run found)
{-# INLINEABLE method #-}

-- | Serve a call of a static method.
static :: (Codec p, Codec e, Codec a) => Context state -> Call -> (p -> IO (Reply e a)) -> IO ()
static = with
{-# INLINEABLE static #-}

-- | Serve the call of the constructor, which gives the state.
constructor :: Codec p => Context state -> Call -> (p -> IO state) -> IO ()
constructor context call run = raisingConstructor context call (fmap noError . run)
  where
    noError :: state -> Either NoError state
    noError = Right
{-# INLINEABLE constructor #-}

-- | Serve the call of a constructor that declares an error.
raisingConstructor :: (Codec p, Codec e) => Context state -> Call -> (p -> IO (Either e state)) -> IO ()
raisingConstructor context call run = with context call $ \params -> do
  made <- run params
  case made of
    Left wrong -> raise wrong
    Right state -> writeIORef (contextState context) (Just state) >> reply ()
{-# INLINEABLE raisingConstructor #-}

-- | Serve the call of the destructor, which ends the context whatever it throws.
destructor :: Context state -> Call -> (state -> IO ()) -> IO ()
destructor context call run = do
  state <- readIORef (contextState context)
  forM_ state $ \found -> interruptible (run found) `catch` report
  writeIORef (contextState context) Nothing
  (reply () :: IO (Reply NoError ())) >>= settle context call . Right

-- | A handle that a call has as its parameter, and the object behind it.
data Held handle object = Held {heldHandle :: !handle, heldObject :: object}

-- | The object of a parameter, or the failure of the call.
held :: Context state -> Word32 -> String -> String -> (handle -> Word64) -> handle -> IO (Held handle object)
held context kind parameter name number handle = do
  found <- handleObject context kind (number handle)
  maybe (throwIO (BadHandle parameter name)) (pure . Held handle) found

-- SPDX-License-Identifier: BSD-3-Clause

-- | Every call of C: the core of the ingress, and cbits.
module Ferry.Internal.Ingress.C
  ( Provider,
    Request,
    Native,
    requestMethod,
    requestWire,
    requestData,
    requestBytes,
    Status,
    ok,
    failed,
    badPayload,
    badHandle,
    raised,
    cancelled,
    provider,
    bufferOf,
    serve,
    isCancelled,
    keepAnswer,
    giveAnswers,
    post,
    wake,
    threadFree,
    eventWires,
    eventEmit,
    handleOpen,
    handleObject,
    handleClose,
    handleCloseAny,
    freeBytes,
  )
where

import Data.Word (Word32, Word64, Word8)
import Ferry.Internal.Ingress.Codec (Wire)
import Ferry.Internal.Ingress.Writer (Buffer)
import Foreign.C.Types (CInt (..), CSize (..), CUInt (..))
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (peekByteOff)

-- | struct ingress_provider.
data Provider

-- | struct ingress_request.
data Request

-- | struct ferry_haskell_thread.
data Native

-- | The number of the method.
requestMethod :: Ptr Request -> IO Word32
requestMethod request = peekByteOff request 0

-- | The format of the request, and of its answer.
requestWire :: Ptr Request -> IO Wire
requestWire request = peekByteOff request 4

-- | The encoded parameters.
requestData :: Ptr Request -> IO (Ptr Word8)
requestData request = peekByteOff request 8

-- | How many bytes they are.
requestBytes :: Ptr Request -> IO CSize
requestBytes request = peekByteOff request 16

-- | enum ingress_status.
type Status = Word32

ok, failed, badPayload, badHandle, raised, cancelled :: Status
ok = 0
failed = 1
badPayload = 9
badHandle = 11
raised = 18
cancelled = 19

-- Every call but one is unsafe: it takes less than a microsecond or, where it wakes a thread, a few, and calls nothing
-- back. Giving the library thread's own answers calls the host, which may do anything.

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_provider" provider :: Ptr Native -> IO (Ptr Provider)

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_buffer_of" bufferOf :: Ptr Native -> IO Buffer

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_serve"
  serve :: Ptr Native -> Ptr Request -> IO CInt

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_cancelled" isCancelled :: Ptr Native -> IO CInt

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_keep_answer"
  keepAnswer :: Ptr Native -> Ptr Request -> Status -> CSize -> CSize -> IO CInt

foreign import ccall safe "ferry/ingress_haskell.h ferry_haskell_give_answers" giveAnswers :: Ptr Native -> IO ()

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_post"
  post :: Ptr Request -> Status -> Buffer -> IO ()

foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_wake" wake :: Ptr Native -> IO ()

foreign import ccall unsafe "ferry/ingress_haskell.h &ferry_haskell_thread_free"
  threadFree :: FunPtr (Ptr Native -> IO ())

foreign import ccall unsafe "ferry/ingress_provider.h ingress_event_wires"
  eventWires :: Ptr Provider -> Word32 -> IO CUInt

foreign import ccall unsafe "ferry/ingress_provider.h ingress_event_emit"
  eventEmit :: Ptr Provider -> Word32 -> Wire -> Ptr Word8 -> CSize -> IO ()

foreign import ccall unsafe "ferry/ingress_provider.h ingress_handle_open"
  handleOpen :: Ptr Provider -> Word32 -> Ptr () -> IO Word64

foreign import ccall unsafe "ferry/ingress_provider.h ingress_handle_object"
  handleObject :: Ptr Provider -> Word32 -> Word64 -> IO (Ptr ())

foreign import ccall unsafe "ferry/ingress_provider.h ingress_handle_close"
  handleClose :: Ptr Provider -> Word32 -> Word64 -> IO (Ptr ())

foreign import ccall unsafe "ferry/ingress_provider.h ingress_handle_close_any"
  handleCloseAny :: Ptr Provider -> Ptr Word32 -> IO (Ptr ())

foreign import ccall unsafe "stdlib.h free" freeBytes :: Ptr Word8 -> IO ()

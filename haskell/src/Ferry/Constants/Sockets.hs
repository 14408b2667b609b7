-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}

-- | The constants that system calls on sockets take, by their C names in Haskell's spelling: @SOCK_STREAM@ is 'sockStream'. Combine flags
-- with 'Data.Bits..|.'. The values are those of the C headers that the package was built with.
module Ferry.Constants.Sockets
  ( -- * Families
    -- $for0
    afUnix,
    afInet,
    afInet6,

    -- * Types
    -- $for1
    sockStream,
    sockDgram,
    sockSeqpacket,
    sockCloexec,
    sockNonblock,

    -- * Options
    -- $for2
    solSocket,
    soReuseaddr,
    soRcvbuf,
    soSndbuf,

    -- * Messages
    -- $for3
    msgDontwait,
    msgNosignal,
    msgPeek,
    msgWaitall,

    -- * Ends
    -- $for4
    shutRd,
    shutWr,
    shutRdwr,
  )
where

import Foreign.C.Types (CInt (..))

-- $for0
-- For @socket@, @socketpair@.

foreign import capi "sys/socket.h value AF_UNIX" afUnix :: CInt

foreign import capi "sys/socket.h value AF_INET" afInet :: CInt

foreign import capi "sys/socket.h value AF_INET6" afInet6 :: CInt

-- $for1
-- For @socket@, @socketpair@, @accept4@.

foreign import capi "sys/socket.h value SOCK_STREAM" sockStream :: CInt

foreign import capi "sys/socket.h value SOCK_DGRAM" sockDgram :: CInt

foreign import capi "sys/socket.h value SOCK_SEQPACKET" sockSeqpacket :: CInt

foreign import capi "sys/socket.h value SOCK_CLOEXEC" sockCloexec :: CInt

foreign import capi "sys/socket.h value SOCK_NONBLOCK" sockNonblock :: CInt

-- $for2
-- For @setsockopt@.

foreign import capi "sys/socket.h value SOL_SOCKET" solSocket :: CInt

foreign import capi "sys/socket.h value SO_REUSEADDR" soReuseaddr :: CInt

foreign import capi "sys/socket.h value SO_RCVBUF" soRcvbuf :: CInt

foreign import capi "sys/socket.h value SO_SNDBUF" soSndbuf :: CInt

-- $for3
-- For @sendto@, @recvfrom@.

foreign import capi "sys/socket.h value MSG_DONTWAIT" msgDontwait :: CInt

foreign import capi "sys/socket.h value MSG_NOSIGNAL" msgNosignal :: CInt

foreign import capi "sys/socket.h value MSG_PEEK" msgPeek :: CInt

foreign import capi "sys/socket.h value MSG_WAITALL" msgWaitall :: CInt

-- $for4
-- For @shutdown@.

foreign import capi "sys/socket.h value SHUT_RD" shutRd :: CInt

foreign import capi "sys/socket.h value SHUT_WR" shutWr :: CInt

foreign import capi "sys/socket.h value SHUT_RDWR" shutRdwr :: CInt

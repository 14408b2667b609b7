-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}

-- | The constants that system calls on sockets take, by their C names in Haskell's spelling: @SOCK_STREAM@ is
-- 'sockStream'. Combine flags with 'Data.Bits..|.'. The values are those of the C headers that the package was built
-- with.
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

-- | @AF_UNIX@
foreign import capi "sys/socket.h value AF_UNIX" afUnix :: CInt

-- | @AF_INET@
foreign import capi "sys/socket.h value AF_INET" afInet :: CInt

-- | @AF_INET6@
foreign import capi "sys/socket.h value AF_INET6" afInet6 :: CInt

-- $for1
-- For @socket@, @socketpair@, @accept4@.

-- | @SOCK_STREAM@
foreign import capi "sys/socket.h value SOCK_STREAM" sockStream :: CInt

-- | @SOCK_DGRAM@
foreign import capi "sys/socket.h value SOCK_DGRAM" sockDgram :: CInt

-- | @SOCK_SEQPACKET@
foreign import capi "sys/socket.h value SOCK_SEQPACKET" sockSeqpacket :: CInt

-- | @SOCK_CLOEXEC@
foreign import capi "sys/socket.h value SOCK_CLOEXEC" sockCloexec :: CInt

-- | @SOCK_NONBLOCK@
foreign import capi "sys/socket.h value SOCK_NONBLOCK" sockNonblock :: CInt

-- $for2
-- For @setsockopt@.

-- | @SOL_SOCKET@
foreign import capi "sys/socket.h value SOL_SOCKET" solSocket :: CInt

-- | @SO_REUSEADDR@
foreign import capi "sys/socket.h value SO_REUSEADDR" soReuseaddr :: CInt

-- | @SO_RCVBUF@
foreign import capi "sys/socket.h value SO_RCVBUF" soRcvbuf :: CInt

-- | @SO_SNDBUF@
foreign import capi "sys/socket.h value SO_SNDBUF" soSndbuf :: CInt

-- $for3
-- For @sendto@, @recvfrom@.

-- | @MSG_DONTWAIT@
foreign import capi "sys/socket.h value MSG_DONTWAIT" msgDontwait :: CInt

-- | @MSG_NOSIGNAL@
foreign import capi "sys/socket.h value MSG_NOSIGNAL" msgNosignal :: CInt

-- | @MSG_PEEK@
foreign import capi "sys/socket.h value MSG_PEEK" msgPeek :: CInt

-- | @MSG_WAITALL@
foreign import capi "sys/socket.h value MSG_WAITALL" msgWaitall :: CInt

-- $for4
-- For @shutdown@.

-- | @SHUT_RD@
foreign import capi "sys/socket.h value SHUT_RD" shutRd :: CInt

-- | @SHUT_WR@
foreign import capi "sys/socket.h value SHUT_WR" shutWr :: CInt

-- | @SHUT_RDWR@
foreign import capi "sys/socket.h value SHUT_RDWR" shutRdwr :: CInt

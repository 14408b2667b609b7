-- SPDX-License-Identifier: BSD-3-Clause

-- | Write a library that runs on a thread of its own, for hosts in any language.
--
-- @ferry bindgen --provider haskell@ writes a package's first form and a class; the author makes the type of what the
-- library keeps for one context an instance of it. Its methods run on the context's library thread, one at a time, and
-- each gives a 'Reply': a value now, by 'reply', or one that comes 'later', from any thread. A method that throws fails
-- its call, with the exception's text.
--
-- > half :: Word64 -> IO (Reply NoError Word64)
-- > half number
-- >   | odd number = failure "an odd number has no half"
-- >   | otherwise = reply (number `div` 2)
-- >
-- > slowly :: Word64 -> IO (Reply NoError Word64)
-- > slowly number = forked $ threadDelay 1000000 >> reply (number + 1)
module Ferry.Ingress
  ( -- * What a method gives
    Reply,
    NoError,
    reply,
    raise,
    failure,
    Failure (..),

    -- * Answers that come later
    later,
    Answer,
    give,
    forked,
    CallCancelled (..),
    giveUp,

    -- * The context
    Context,
    isCancelled,
    onLibraryThread,
    Held (..),
  )
where

import Ferry.Internal.Ingress.Compound (NoError)
import Ferry.Internal.Ingress.Context
import Ferry.Internal.Ingress.Entry
import Ferry.Internal.Ingress.Reply

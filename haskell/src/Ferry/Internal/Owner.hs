-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Whether the thread that asks is the owner of a prepared program (@cbits\/batch\/owner.c@ says why that needs no
-- atomic operation).
--
-- A batch of one call takes a few nanoseconds, and asks once for each parameter that is set and once when it is run. So
-- nothing is called for it. GHC has no operation that gives a thread's number, but for a C function that takes longer
-- than the rest of the question. The number is a word of the thread's object, whose place GHC's headers say; here it is
-- read as an array's word, which is a load at an offset from the object. An array's words begin one word behind the
-- header that both kinds of objects have.
module Ferry.Internal.Owner
  ( isOwner,
    own,
  )
where

import Ferry.Internal.C (CProgram, programOwn)
import Ferry.Internal.Offsets (ownerAt, threadNumberAt)
import GHC.Exts
  ( Int (I#),
    MutableByteArray#,
    Ptr (Ptr),
    RealWorld,
    Word (W#),
    eqWord#,
    isTrue#,
    myThreadId#,
    readWordArray#,
    readWordOffAddr#,
    unsafeCoerce#,
  )
import GHC.IO (IO (..))

-- | Whether this thread owns a prepared program.
isOwner :: Ptr CProgram -> IO Bool
isOwner (Ptr program) = do
  W# number <- threadNumber
  IO $ \s -> case readWordOffAddr# program at s of (# s', owner #) -> (# s', isTrue# (eqWord# number owner) #)
  where
    !(I# at) = ownerAt
{-# INLINE isOwner #-}

-- | Make this thread the owner of a prepared program, unless it is. 0, or the number of the thread whose it is.
own :: Ptr CProgram -> IO Word
own program = threadNumber >>= programOwn program

-- | The number of this thread.
threadNumber :: IO Word
threadNumber = IO $ \s -> case myThreadId# s of
  (# s', thread #) -> case readWordArray# (unsafeCoerce# thread :: MutableByteArray# RealWorld) at s' of
    (# s'', number #) -> (# s'', W# number #)
  where
    !(I# at) = threadNumberAt
{-# INLINE threadNumber #-}

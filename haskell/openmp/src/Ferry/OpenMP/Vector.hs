-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE MultiParamTypeClasses #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Vectors of the @vector@ package in parallel: mapped by Haskell, or passed to C kernels where they lie.
--
-- C may only be given elements that the garbage collector does not move. Those of a storable vector are such. Those of
-- a primitive vector may or may not be, as it was made: this is looked at each time, and nothing is ever copied
-- unasked.
module Ferry.OpenMP.Vector
  ( -- * Haskell bodies
    parallelMap,
    parallelGenerate,

    -- * C kernels
    parallelMapC,
    parallelReduceC,
    KernelTo,

    -- * Elements where they lie
    Pinned (..),
    pinned,
  )
where

import Control.Exception (throwIO)
import Control.Monad (unless, when)
import Control.Monad.Primitive (RealWorld)
import Data.Primitive (Prim, isByteArrayPinned, isMutableByteArrayPinned, newPinnedByteArray, sizeOf)
import Data.Primitive.ByteArray (byteArrayContents, mutableByteArrayContents)
import qualified Data.Vector.Generic as Generic
import qualified Data.Vector.Generic.Mutable as GenericMutable
import qualified Data.Vector.Primitive as Primitive
import qualified Data.Vector.Primitive.Mutable as PrimitiveMutable
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as StorableMutable
import Ferry.Internal.OpenMP.C
import Ferry.Internal.OpenMP.Loop
import Ferry.Internal.OpenMP.Reduction
import Foreign.Marshal.Array (allocaArray)
import Foreign.Ptr (FunPtr, Ptr, castPtr, plusPtr)
import qualified Foreign.Storable as Foreign
import GHC.Exts (keepAlive#)
import GHC.IO (IO (..))

-- | Vectors whose elements lie one after the other in memory, so that C can be given their address.
class Generic.Vector v a => Pinned v a where
  -- | Whether the garbage collector leaves the elements where they are.
  isPinned :: v a -> Bool

  -- | The address of the elements, for as long as the function runs. 'NotPinned' where they may be moved.
  withElements :: v a -> (Ptr a -> IO r) -> IO r

  -- | As 'withElements', of a vector that may be written.
  withMutableElements :: Generic.Mutable v RealWorld a -> (Ptr a -> IO r) -> IO r

  -- | A vector of that length whose elements are pinned and hold anything.
  newElements :: Int -> IO (Generic.Mutable v RealWorld a)

instance Foreign.Storable a => Pinned Storable.Vector a where
  isPinned _ = True
  withElements = Storable.unsafeWith
  withMutableElements = StorableMutable.unsafeWith
  newElements = StorableMutable.unsafeNew

instance Prim a => Pinned Primitive.Vector a where
  isPinned (Primitive.Vector _ count array) = count == 0 || isByteArrayPinned array
  withElements vector@(Primitive.Vector offset _ array) use = do
    unless (isPinned vector) . throwIO $ NotPinned "withElements"
    keepAlive array . use $ elementAt offset (castPtr (byteArrayContents array))
  withMutableElements (PrimitiveMutable.MVector offset count array) use = do
    unless (count == 0 || isMutableByteArrayPinned array) . throwIO $ NotPinned "withMutableElements"
    keepAlive array . use $ elementAt offset (castPtr (mutableByteArrayContents array))
  newElements count
    | count < 0 || count > maxBound `div` bytes = throwIO . BadArgument $ "newElements: a length of " ++ show count
    | otherwise = PrimitiveMutable.MVector 0 count <$> newPinnedByteArray (count * bytes)
    where
      bytes = sizeOf (undefined :: a)

elementAt :: forall a. Prim a => Int -> Ptr a -> Ptr a
elementAt offset at = at `plusPtr` (offset * sizeOf (undefined :: a))

keepAlive :: a -> IO b -> IO b
keepAlive value (IO run) = IO $ \s -> keepAlive# value s run

-- | The vector itself where it is pinned, otherwise a copy that is.
pinned :: Pinned v a => v a -> IO (v a)
pinned vector
  | isPinned vector = pure vector
  | otherwise = do
    copy <- newElements (Generic.length vector)
    Generic.unsafeCopy copy vector
    Generic.unsafeFreeze copy

-- | Apply a function to each element.
--
-- > parallelMap loop f vector == pure (Data.Vector.Generic.map f vector)
--
-- Any vector will do: boxed ones hold what the function gives, unevaluated.
parallelMap :: (Generic.Vector v a, Generic.Vector v b) => Loop -> (a -> b) -> v a -> IO (v b)
parallelMap loop f vector = parallelGenerate loop (Generic.length vector) (f . Generic.unsafeIndex vector)
{-# INLINE parallelMap #-}

-- | The vector of that length whose i-th element is what the function gives for i, from 0.
parallelGenerate :: Generic.Vector v a => Loop -> Int -> (Int -> a) -> IO (v a)
parallelGenerate loop count f = do
  when (count < 0) . throwIO . BadArgument $ "parallelGenerate: a length of " ++ show count ++ "; give 0 or more"
  made <- GenericMutable.unsafeNew count
  runChunks "parallelGenerate" loop 0 count $ \_ _ first past ->
    forRange first past $ \i -> GenericMutable.unsafeWrite made i (f i)
  Generic.unsafeFreeze made
{-# INLINE parallelGenerate #-}

-- | Let a C kernel make a vector of another's length: it is called for half-open ranges that together are all indices
-- and do not overlap, with the address of both vectors' first elements. It has to write each element of its range.
parallelMapC :: (Pinned v a, Pinned w b) => Loop -> FunPtr (KernelTo a b) -> v a -> IO (w b)
parallelMapC loop kernel vector = do
  checkLoop "parallelMapC" loop
  made <- newElements count
  when (count > 0) . withElements vector $ \from -> withMutableElements made $ \to ->
    runKernels (loopSchedule loop) $
      initKernelTo
        kernel
        from
        to
        (fromIntegral count)
        (scheduleNumber (loopSchedule loop))
        (scheduleChunk (loopSchedule loop))
        (loopTeam loop)
  Generic.unsafeFreeze made
  where
    count = Generic.length vector

-- | Combine the results of a C kernel, which is called for blocks of the vector that are chosen as in
-- 'Ferry.OpenMP.parallelReduce' and gets the addresses of the vector's first element and of the block's result. It has
-- to write that.
parallelReduceC :: (Pinned v a, Foreign.Storable r) => Loop -> Reduction r -> FunPtr (KernelTo a r) -> v a -> IO r
parallelReduceC loop reduction kernel vector = do
  checkLoop "parallelReduceC" loop
  if count == 0 then pure (neutral reduction) else withElements vector (allocaArray blocks . open)
  where
    count = Generic.length vector
    (blocks, schedule) = scheduleBlocks (loopSchedule loop) count
    open from results = do
      runKernels schedule $
        initBlocks
          kernel
          from
          results
          (fromIntegral count)
          (fromIntegral blocks)
          (fromIntegral (Foreign.sizeOf (neutral reduction)))
          (scheduleNumber schedule)
          (loopTeam loop)
      combined results 0 (neutral reduction)
    combined results k total
      | k == blocks = pure total
      | otherwise = do
        result <- Foreign.peekElemOff results k
        let total' = combine reduction total result
        total' `seq` combined results (k + 1) total'
{-# INLINE parallelReduceC #-}

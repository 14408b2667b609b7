-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE TypeFamilies #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The types of C functions, and what a call of one is in a program.
module Ferry.Internal.Function
  ( FunctionType (..),
    Application (..),
  )
where

import Data.Bits (bit, (.|.))
import Data.Int (Int32, Int64)
import Data.Proxy (Proxy (..))
import Data.Word (Word32, Word64, Word8)
import Ferry.Internal.Program
import Ferry.Internal.Word
import Foreign.C.Types
import Foreign.Ptr (FunPtr, Ptr)

-- | A function with some of its arguments: how many, and what puts them before the others. Where the function's type is
-- known, all of this is done by the compiler.
data Application = Application String (FunPtr ()) !Word8 !Int ([Source] -> [Source])

-- | The types a C function can have.
class FunctionType f where
  -- | What 'Ferry.Call.call' makes of it: @Int -> IO CInt@ becomes @'Value' Int -> 'Program' \''Functions' ('Value'
  -- CInt)@.
  type Applied f

  -- | Add the call, once it has all its arguments.
  apply :: Proxy f -> Application -> Applied f

instance (Argument a, FunctionType f) => FunctionType (a -> f) where
  type Applied (a -> f) = Value a -> Applied f
  apply _ (Application name at doubles number before) (Value source) =
    apply (Proxy :: Proxy f) (Application name at (doubles .|. mark) (number + 1) (before . (source :)))
    where
      mark = if isDouble (Proxy :: Proxy a) then bit number else 0
  {-# INLINE apply #-}

instance Result r => FunctionType (IO r) where
  type Applied (IO r) = Program 'Functions (Value r)
  apply _ = applied (Proxy :: Proxy r)
  {-# INLINE apply #-}

applied :: Result r => Proxy r -> Application -> Program 'Functions (Value r)
applied result (Application name at doubles _ before) =
  addCall (TargetFunction at doubles (resultKind result)) name arguments arguments
  where
    arguments = before []
{-# INLINE applied #-}

instance FunctionType Double where
  type Applied Double = Program 'Functions (Value Double)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CDouble where
  type Applied CDouble = Program 'Functions (Value CDouble)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CInt where
  type Applied CInt = Program 'Functions (Value CInt)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CUInt where
  type Applied CUInt = Program 'Functions (Value CUInt)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CLong where
  type Applied CLong = Program 'Functions (Value CLong)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CULong where
  type Applied CULong = Program 'Functions (Value CULong)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType CSize where
  type Applied CSize = Program 'Functions (Value CSize)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Int where
  type Applied Int = Program 'Functions (Value Int)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Word where
  type Applied Word = Program 'Functions (Value Word)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Int32 where
  type Applied Int32 = Program 'Functions (Value Int32)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Int64 where
  type Applied Int64 = Program 'Functions (Value Int64)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Word32 where
  type Applied Word32 = Program 'Functions (Value Word32)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType Word64 where
  type Applied Word64 = Program 'Functions (Value Word64)
  apply = applied
  {-# INLINE apply #-}

instance FunctionType (Ptr a) where
  type Applied (Ptr a) = Program 'Functions (Value (Ptr a))
  apply = applied
  {-# INLINE apply #-}

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE KindSignatures #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Jumps on a value: whether two values are equal, when the program runs.
--
-- A slot jumps by the sign of its own result, so a comparison is a call of its own. In a program of functions that is a
-- function of the package. In one of system calls it is a @futex@ that wakes nobody, whose kernel code compares 32 bits
-- of memory with an argument (@spec\/program.md@ has it): so every executor that makes system calls has it.
module Ferry.Internal.Comparison
  ( Compares (..),
    jumpIfEqual,
    finishIfEqual,
    ifEqual,
    unlessEqual,
  )
where

import Control.Monad (forM_, zipWithM)
import Data.Bits (shiftR, (.&.), (.|.))
import Data.Int (Int64)
import Data.Proxy (Proxy (..))
import Ferry.Constants (futexPrivateFlag)
import Ferry.Error (ProgramError (..))
import Ferry.Internal.Program
import Ferry.Internal.SystemCalls (futex)
import Ferry.Internal.Word (Argument (..), ResultKind (..))
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (FunPtr, nullPtr)
import Foreign.Storable (sizeOf)

-- | Programs in which values can be compared.
class Compares (kind :: Kind) where
  -- | Calls of which each but the last gives 0 where a part of the two values is equal, and the last where all is; and
  -- what their results are otherwise.
  comparisons :: Argument a => Value a -> Value a -> Program kind ([Value Int64], Outcome)

-- | Go to the label where the two values are equal when this runs: a call that compares them, and its jump. A double is
-- equal as C compares it. In a program of system calls, one of the two is a call's result or what is in a cell; no
-- double is compared there, and values of 8 bytes take two calls.
jumpIfEqual :: (Compares kind, Argument a) => Value a -> Value a -> Label -> Program kind ()
jumpIfEqual a b label = passing a b (\result -> jump result OnZero label)

-- | End the batch where the two values are equal.
--
-- > status <- call step statement
-- > finishIfEqual status 101
finishIfEqual :: (Compares kind, Argument a) => Value a -> Value a -> Program kind ()
finishIfEqual a b = passing a b (`finish` OnZero)

-- | Calls that run only where the two values are not equal.
unlessEqual :: (Compares kind, Argument a) => Value a -> Value a -> Program kind b -> Program kind b
unlessEqual a b body = do
  after <- newLabel
  jumpIfEqual a b after
  body <* place after

-- | Calls that run only where the two values are equal.
ifEqual :: (Compares kind, Argument a) => Value a -> Value a -> Program kind b -> Program kind b
ifEqual a b body = do
  (results, otherwise') <- comparisons a b
  after <- newLabel
  forM_ results $ \result -> jump result otherwise' after
  body <* place after

-- | Compare, and do something with the result of the call that says that all is equal. Where the two are not equal,
-- the program goes on behind the comparison.
passing :: (Compares kind, Argument a) => Value a -> Value a -> (Value Int64 -> Program kind ()) -> Program kind ()
passing a b whenEqual = do
  (results, otherwise') <- comparisons a b
  case results of
    [] -> pure ()
    [only] -> whenEqual only
    _ -> do
      after <- newLabel
      forM_ (init results) $ \result -> jump result otherwise' after
      whenEqual (last results)
      place after

instance Compares 'Functions where
  comparisons (Value a) (Value b :: Value a) = do
    result <- addCall target "a comparison" [] [a, b]
    pure ([result], OnPositive)
    where
      target
        | isDouble (Proxy :: Proxy a) = TargetFunction differsDouble 3 ResultLong
        | otherwise = TargetFunction differsWord 0 ResultLong

foreign import ccall "&ferry_differs" differsWord :: FunPtr ()

foreign import ccall "&ferry_differs_double" differsDouble :: FunPtr ()

instance Compares 'SystemCalls where
  comparisons (Value a) (Value b :: Value a)
    | isDouble (Proxy :: Proxy a) || size `notElem` [4, 8] = refused "only numbers of 4 and of 8 bytes are compared"
    | otherwise = case (memoryOf a, memoryOf b) of
      (Just at, _) -> inMemory at b
      (_, Just at) -> inMemory at a
      _ -> refused "one of two compared values is a call's result, or what is in a cell at a multiple of 4 bytes"
    where
      size = sizeOf (undefined :: a)
      offsets = takeWhile (< size) [0, 4]
      inMemory at other = case mapM (partOf other) offsets of
        Nothing -> refused "neither an address nor a parameter of 8 bytes is compared: copy it into a cell"
        Just parts -> do
          results <- zipWithM compared (map at offsets) parts
          pure (map retype results, OnFailure)
      refused why = ([], OnFailure) <$ refuse (ProgramError Nothing ("in a program of system calls " ++ why))

-- | 0 where 32 bits of memory are those of the word, else @-EAGAIN@. It does not wait, whatever it is marked as.
compared :: Source -> Source -> Program 'SystemCalls (Value CInt)
compared at word =
  doesNotBlock $ futex (Value at) (literal operation) 0 (literal nullPtr) (Value at) (Value word)
  where
    operation = cmpRequeue .|. futexPrivateFlag

foreign import capi "linux/futex.h value FUTEX_CMP_REQUEUE" cmpRequeue :: CInt

-- | The address of a value's bytes from an offset on, where the value lies in memory that a futex may lie in.
memoryOf :: Source -> Maybe (Int -> Source)
memoryOf (ResultOf identity slot _) = Just (ResultAt identity slot)
memoryOf (ContentsOf identity at size _)
  | at .&. 3 == 0 && size >= 4 = Just (\offset -> AddressOf identity (at + offset) Nothing)
memoryOf _ = Nothing

-- | A word whose low 32 bits are those of the value at an offset in bytes.
partOf :: Source -> Int -> Maybe Source
partOf (Literal word) offset = Just (Literal (word `shiftR` (8 * offset) .&. 0xffffffff))
partOf (ResultOf identity slot _) offset = Just (ResultPart identity slot offset)
partOf (ContentsOf identity at _ _) offset = Just (ContentsOf identity (at + offset) 8 False)
partOf source 0 = Just source
partOf _ _ = Nothing

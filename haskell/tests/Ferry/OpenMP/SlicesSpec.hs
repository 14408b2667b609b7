-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | Slices against pure references.
--
-- What these tests catch: an effect that is left out, done twice or out of order; parts that overlap or leave elements
-- out. What the compiler refuses is tested in tests/haskell/test_misuse.py.
module Ferry.OpenMP.SlicesSpec (spec) where

import Control.Exception
import Data.List (sort)
import qualified Data.Vector.Storable as Storable
import Ferry.OpenMP
import Ferry.OpenMP.Slices
import Ferry.Runtime
import Foreign.C.Types (CLong)
import Foreign.Ptr (FunPtr)
import Test.Hspec hiding (parallel)
import Test.QuickCheck

foreign import ccall "&openmp_add_index" addIndexAt :: FunPtr (Kernel CLong)

spec :: Spec
spec
  | isThreaded = results
  | otherwise =
    it "says that the program has to be linked with -threaded" $
      modifySlices Nothing (mapSlice (+ 1)) (Storable.fromList [1 :: Int]) `shouldThrow` \failure -> case failure of
        NoRegions _ -> True
        _ -> False

-- | What a function makes of a list.
modified :: Storable.Storable a => (Slice a %1 -> Slice a) -> [a] -> IO [a]
modified change list = Storable.toList <$> modifySlices (Just 2) change (Storable.fromList list)

results :: Spec
results = do
  it "maps as map does" . property $ \list ->
    ioProperty $ (=== map (* 3) list) <$> modified (mapSlice (* 3)) (list :: [Int])
  it "leaves the vector alone that it was given" $ do
    let vector' = Storable.fromList [1, 2, 3 :: Int]
    _ <- modifySlices Nothing (mapSlice (const 0)) vector'
    Storable.toList vector' `shouldBe` [1, 2, 3]
  it "gives each element to one part, with where it begins" . property $ \(Positive size) list ->
    ioProperty $
      (=== zipWith (\i x -> x * 2 + i) [0 ..] list)
        <$> modified (forSlices size (\first part -> imapSlice (\i x -> x * 2 + first + i) part)) (list :: [Int])
  it "sorts, both halves at once" . property $ \list ->
    ioProperty $ (=== sort list) <$> modified quicksort (list :: [Int])
  it "sorts many" $ do
    let list = take 20000 (iterate (\x -> (x * 1103515245 + 12345) `mod` 2147483648) 42) :: [Int]
    modified quicksort list `shouldReturn` sort list
  it "does one thing after the other" . property $ \list ->
    ioProperty $
      (=== map ((+ 1) . (* 2)) list)
        <$> modified (\part -> mapSlice (+ 1) (mapSlice (* 2) part)) (list :: [Int])
  it "folds" $
    modified (\part -> put (foldSlice (+) 0 part)) [1 .. 10 :: Int] `shouldReturn` 55 : [2 .. 10]
  it "passes a part to C" $
    modified (forSlices 3 (\_ part -> kernelSlice addIndexAt part)) [0, 0, 0, 0 :: CLong] `shouldReturn` [1, 2, 3, 1]
  it "says which index is none" $ do
    Left (BadArgument text) <- try (modified (writeSlice 3 7) [1, 2, 3 :: Int])
    text `shouldBe` "writeSlice: index 3 of a slice of 3 elements"
    modified (forSlices 0 (\_ part -> part)) [1 :: Int] `shouldThrow` \failure -> case failure of
      BadArgument _ -> True
      _ -> False
  it "throws what a part threw" $
    modified (forSlices 1 (\_ part -> mapSlice (10 `div`) part)) [1, 0, 2 :: Int] `shouldThrow` (== DivideByZero)

-- | Write what was found into the first element.
put :: (Ur Int, Slice Int) %1 -> Slice Int
put (Ur value, part) = writeSlice 0 value part

quicksort :: Slice Int %1 -> Slice Int
quicksort slice = divide (lengthSlice slice)

divide :: (Ur Int, Slice Int) %1 -> Slice Int
divide (Ur n, part)
  | n < 2 = part
  | otherwise = pivoted n (readSlice (n - 1) (swapSlice (n `div` 2) (n - 1) part))

pivoted :: Int -> (Ur Int, Slice Int) %1 -> Slice Int
pivoted n (Ur pivot, part) = partition n pivot 0 0 part

-- | Elements before the middle are smaller than the pivot, which lies last.
partition :: Int -> Int -> Int -> Int -> Slice Int %1 -> Slice Int
partition n pivot middle i part
  | i == n - 1 = conquer middle (swapSlice middle (n - 1) part)
  | otherwise = decide (readSlice i part)
  where
    decide :: (Ur Int, Slice Int) %1 -> Slice Int
    decide (Ur value, rest)
      | value < pivot = partition n pivot (middle + 1) (i + 1) (swapSlice middle i rest)
      | otherwise = partition n pivot middle (i + 1) rest

-- | The pivot has its place; both sides are sorted, the right without it. ('id' is not linear.)
conquer :: Int -> Slice Int %1 -> Slice Int
conquer middle = bothSlices middle quicksort (bothSlices 1 (\pivot -> pivot) quicksort)

{- HLINT ignore conquer "Use id" -}

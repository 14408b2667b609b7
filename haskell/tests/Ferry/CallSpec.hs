-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

module Ferry.CallSpec (spec) where

import Control.Monad (forM_)
import Ferry.Call
import Foreign.C.String (CString)
import Foreign.C.Types (CInt, CSize)
import Foreign.Ptr (FunPtr)
import Test.Hspec

foreign import ccall "&hypot" hypotAt :: FunPtr (Double -> Double -> Double)

foreign import ccall "&strlen" strlenAt :: FunPtr (CString -> IO CSize)

foreign import ccall "&abs" absAt :: FunPtr (CInt -> CInt)

spec :: Spec
spec = forM_ [minBound .. maxBound] $ \mode -> describe (show mode) $ do
  it "feeds a result into a later call" $
    run mode feeding `shouldReturn` 13
  it "calls functions of several types" $
    run mode mixed `shouldReturn` (5, 7)
  it "jumps over what a failure skips" $
    run mode skipping `shouldReturn` (Nothing, 3)

feeding :: Program 'Functions (Output Double)
feeding = do
  let hypotenuse = function "hypot" hypotAt
  a <- call hypotenuse (literal 3) (literal 4)
  output <$> call hypotenuse a (literal 12)

mixed :: Program 'Functions (Output (CSize, CInt))
mixed = do
  text <- constantBytes (read "\"ferry\"")
  size <- call (function "strlen" strlenAt) text
  number <- call (function "abs" absAt) (literal (-7))
  pure ((,) <$> output size <*> output number)

skipping :: Program 'Functions (Output (Maybe CInt, CInt))
skipping = do
  let absolute = function "abs" absAt
  first <- call absolute (literal 2)
  skipped <- ifFailed first (call absolute (literal 1))
  second <- call absolute (literal 3)
  pure ((,) <$> outputIfRan skipped <*> output second)

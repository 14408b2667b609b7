-- SPDX-License-Identifier: BSD-3-Clause
module Main (main) where

import qualified Ferry.CallSpec
import Test.Hspec (describe, hspec)

main :: IO ()
main = hspec $ do
  describe "Ferry.Call" Ferry.CallSpec.spec

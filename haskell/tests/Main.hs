-- SPDX-License-Identifier: BSD-3-Clause
module Main (main) where

import qualified Ferry.CallSpec
import qualified Ferry.ErrorSpec
import qualified Ferry.ModelSpec
import qualified Ferry.VectorsSpec
import Test.Hspec (describe, hspec)

main :: IO ()
main = hspec $ do
  describe "Ferry.Call" Ferry.CallSpec.spec
  describe "Ferry.Error" Ferry.ErrorSpec.spec
  describe "Ferry.Model" Ferry.ModelSpec.spec
  describe "spec/vectors" Ferry.VectorsSpec.spec

-- SPDX-License-Identifier: BSD-3-Clause
module Main (main) where

import qualified Ferry.ArgumentsSpec
import qualified Ferry.BatchSpec
import qualified Ferry.CallSpec
import qualified Ferry.CallbackSpec
import qualified Ferry.CollectorSpec
import qualified Ferry.ErrorSpec
import qualified Ferry.ExceptionSpec
import qualified Ferry.FilesSpec
import qualified Ferry.ForeignSpec
import qualified Ferry.HeldSpec
import qualified Ferry.ModelSpec
import qualified Ferry.OpenMP.BatchSpec
import qualified Ferry.OpenMP.SlicesSpec
import qualified Ferry.OpenMP.TaskSpec
import qualified Ferry.OpenMPSpec
import qualified Ferry.ShortCallsSpec
import qualified Ferry.StressSpec
import qualified Ferry.ThreadSpec
import qualified Ferry.TimeSliceSpec
import qualified Ferry.VectorsSpec
import qualified Ferry.WalkSpec
import qualified Ferry.WantedSpec
import Ferry.Watch (watched)
import qualified Ferry.WatchSpec
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import Test.Hspec (describe, hspec)

-- | Line by line, so that the output of a run that hangs ends at the example before.
main :: IO ()
main = hSetBuffering stdout LineBuffering >> suite

suite :: IO ()
suite = hspec . watched $ do
  describe "Ferry.Arguments" Ferry.ArgumentsSpec.spec
  describe "Ferry.Batch" Ferry.BatchSpec.spec
  describe "Ferry.Call" Ferry.CallSpec.spec
  describe "Ferry.Error" Ferry.ErrorSpec.spec
  describe "Ferry.Files" Ferry.FilesSpec.spec
  describe "Ferry.Files.walk" Ferry.WalkSpec.spec
  describe "Ferry.Model" Ferry.ModelSpec.spec
  describe "spec/vectors" Ferry.VectorsSpec.spec
  describe "Ferry.Stress" Ferry.StressSpec.spec
  describe "Ferry.Exception" Ferry.ExceptionSpec.spec
  describe "Ferry.Callback" Ferry.CallbackSpec.spec
  describe "Ferry.Foreign" Ferry.ForeignSpec.spec
  describe "Ferry.Held" Ferry.HeldSpec.spec
  describe "Ferry.Collector" Ferry.CollectorSpec.spec
  describe "Ferry.OpenMP" Ferry.OpenMPSpec.spec
  describe "Ferry.OpenMP.Batch" Ferry.OpenMP.BatchSpec.spec
  describe "Ferry.OpenMP.Slices" Ferry.OpenMP.SlicesSpec.spec
  describe "Ferry.OpenMP.Task" Ferry.OpenMP.TaskSpec.spec
  describe "Ferry.ShortCalls" Ferry.ShortCallsSpec.spec
  describe "Ferry.Thread" Ferry.ThreadSpec.spec
  describe "Ferry.TimeSlice" Ferry.TimeSliceSpec.spec
  describe "Ferry.Wanted" Ferry.WantedSpec.spec
  describe "Ferry.Watch" Ferry.WatchSpec.spec

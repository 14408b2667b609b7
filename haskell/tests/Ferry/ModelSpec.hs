-- SPDX-License-Identifier: BSD-3-Clause

-- | Every mode gives every program the meaning of @spec/program.md@.
module Ferry.ModelSpec (spec) where

import Control.Monad (forM)
import Ferry.Call
import Ferry.Model
import Test.Hspec
import Test.Hspec.QuickCheck (modifyMaxSuccess, prop)
import Test.QuickCheck

spec :: Spec
spec = modifyMaxSuccess (* 10) $ do
  prop "programs do what the model says in every mode, in every run" $ \test ->
    coverage test . conjoin $ map (agrees test) [minBound .. maxBound]
  prop "a program may be run in one mode after the other" $ \test ->
    forAll (listOf1 arbitraryBoundedEnum) $ \modes ->
      agreesIn (cycle modes) test {caseGiven = take 6 (cycle (caseGiven test))}

coverage :: Testable property => Case -> property -> Property
coverage test =
  cover 20 (any (elem Nothing . runResults) runs) "jumps over a call"
    . cover 20 (any ((< maximum (map runLast (meaningOf straight))) . runLast) runs) "ends early"
  where
    runs = meaningOf test
    straight = test {caseCalls = [one {callControl = Jumps 0 []} | one <- caseCalls test]}

agrees :: Case -> Mode -> Property
agrees test mode = counterexample (show mode) (agreesIn (repeat mode) test)

agreesIn :: [Mode] -> Case -> Property
agreesIn modes test = ioProperty $ do
  (inputs', prepared) <- prepareWith (programOf (caseCalls test))
  runs <- forM (zip modes (caseGiven test)) $ \(mode, given') -> do
    setGiven prepared inputs' given'
    runPrepared mode prepared
  pure . conjoin $
    [ counterexample (show (is, ought)) (property (sameRun (caseCalls test) is ought))
      | (is, ought) <- zip runs (meaningOf test)
    ]

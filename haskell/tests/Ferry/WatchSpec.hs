-- SPDX-License-Identifier: BSD-3-Clause

-- | What the suite itself does when an example hangs.
--
-- What these tests catch: a hang that costs the whole time limit of the suite and does not say which example it was.
module Ferry.WatchSpec (spec) where

import Control.Concurrent (threadDelay)
import Control.Monad (forever)
import Data.List (isInfixOf)
import Ferry.Runtime
import System.Exit (ExitCode (..))
import Test.Hspec

-- unsafe: it keeps the Capability for ever, and the first collection stops every other thread
foreign import ccall unsafe "runtime_hang" hang :: IO ()

spec :: Spec
spec = do
  child <- runIO isChild
  if child
    then do
      it "waits for ever" (forever (threadDelay 1000000) :: IO ())
      it "keeps its Capability" hang
    else describe "an example that hangs" $ do
      it "is named, and ends the suite" $ names "waits for ever"
      it "is named when no Haskell thread can run" $ names "keeps its Capability"

names :: String -> Expectation
names name = do
  (code, said) <- runAgainIn [("FERRY_HANG_SECONDS", "2")] [] ("/Ferry.Watch/" ++ name ++ "/")
  code `shouldBe` ExitFailure 3
  -- the end of what is printed, which is all that is shown of a long output
  last (lines said) `shouldSatisfy` (("hung: Ferry.Watch/" ++ name ++ " has not ended after 2 s") `isInfixOf`)

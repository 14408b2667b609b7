-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}

-- | An example that hangs is named, and ends the suite: @tests/cbits/watch.c@ says how.
module Ferry.Watch (watched) where

import Control.Exception (bracket_)
import Data.List (intercalate)
import Data.Maybe (fromMaybe)
import Ferry.Runtime
import Foreign.C.String (CString, withCString)
import Foreign.C.Types (CLong (..))
import System.Environment (lookupEnv)
import Test.Hspec.Core.Spec
import Text.Read (readMaybe)

-- unsafe, all three: none blocks, unless the process is about to end
foreign import ccall unsafe "watch_start" start :: CLong -> IO ()

foreign import ccall unsafe "watch_begin" begin :: CString -> IO ()

foreign import ccall unsafe "watch_end" end :: IO ()

-- | These examples, each of which may take so long.
watched :: Spec -> Spec
watched spec = do
  runIO (limitSeconds >>= start)
#if MIN_VERSION_hspec_core(2,10,0)
  mapSpecForest (map (named [])) spec
#else
  runIO (runSpecM spec) >>= fromSpecList . map (named [])
#endif

-- | Five minutes: on a machine with eight times as many busy threads as processors one example of the pressed suite
-- took more than two. Where a test starts the suite once more, the inner one hangs first, and says more.
-- FERRY_HANG_SECONDS says otherwise.
limitSeconds :: IO CLong
limitSeconds = do
  child <- isChild
  stress <- stressSeconds
  given <- lookupEnv "FERRY_HANG_SECONDS"
  pure $ fromMaybe ((if child then 100 else 300) + round (10 * stress)) (given >>= readMaybe)

-- | The groups above it, the innermost first.
named :: [String] -> SpecTree a -> SpecTree a
named above tree = case tree of
  Node group below -> Node group (map (named (group : above)) below)
  other -> fmap (watch above) other

watch :: [String] -> Item a -> Item a
watch above item = item {itemExample = \params hook tell -> during (itemExample item params hook tell)}
  where
    during = bracket_ (withCString name begin) end
    name = intercalate "/" (reverse (itemRequirement item : above))

-- SPDX-License-Identifier: BSD-3-Clause

-- | Cluster points with OpenBLAS, C that is compiled with @-fopenmp@, and Haskell bodies of parallel loops: all of them
-- run on the threads of one OpenMP runtime, which leaves the cores that Haskell's threads want to them.
--
-- Only @build-depends: ferry@ in the cabal file asks for this.
module Main (main) where

import Control.Monad
import Data.Int (Int32)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Ferry.OpenMP
import Foreign (Ptr, advancePtr)
import Foreign.C (CLong (..))
import Kmeans.Command
import Kmeans.Lloyd
import Kmeans.Points

-- safe: it takes long, and runs on several threads
foreign import ccall safe "kmeans_assign"
  assignBlock ::
    CLong -> CLong -> CLong -> Ptr Double -> Ptr Double -> Ptr Double -> Ptr Double -> Ptr Int32 -> IO CLong

main :: IO ()
main = command (Machine (parallelFor (dynamic 1) 0) assignByProducts)

-- | Assign the points block by block; a block is so small that its products with the centres fit into the caches.
assignByProducts :: Points -> Storable.Vector Double -> Nearest -> IO Int
assignByProducts (Points count width numbers) centres nearest = do
  buffer <- Mutable.unsafeNew (blockMost * clusters)
  Storable.unsafeWith numbers $ \points ->
    Storable.unsafeWith centres $ \centre ->
      Storable.unsafeWith (squaresOf width centres) $ \squares ->
        Mutable.unsafeWith buffer $ \products ->
          Mutable.unsafeWith nearest $ \chosen -> do
            changed <- forM [0, blockMost .. count - 1] $ \first ->
              assignBlock
                (fromIntegral (min blockMost (count - first)))
                (fromIntegral clusters)
                (fromIntegral width)
                (advancePtr points (first * width))
                centre
                squares
                products
                (advancePtr chosen first)
            pure (fromIntegral (sum changed))
  where
    clusters = Storable.length centres `div` width
    blockMost = 4096

-- SPDX-License-Identifier: BSD-3-Clause

-- | Cluster points with OpenBLAS, C that is compiled with @-fopenmp@, and Haskell bodies of parallel loops: all of them
-- run on the threads of one OpenMP runtime, which leaves the cores that Haskell's threads want to them.
--
-- Nothing here says so but @build-depends: ferry@ in the cabal file.
module Main (main) where

import Control.Monad
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Data.Int (Int32)
import Ferry.OpenMP
import Foreign (Ptr, advancePtr)
import Foreign.C (CDouble (..), CInt (..), CLong (..))
import Kmeans.Command
import Kmeans.Lloyd
import Kmeans.Points

-- safe: it works for long, on several threads
foreign import ccall safe "cblas_dgemm"
  dgemm ::
    CInt -> CInt -> CInt -> -- order, and what is transposed
    CInt -> CInt -> CInt -> -- rows and columns of the result, columns of the left matrix
    CDouble -> Ptr Double -> CInt -> -- factor, left matrix, its row length
    Ptr Double -> CInt -> -- right matrix, its row length
    CDouble -> Ptr Double -> CInt -> -- factor of what was there, result, its row length
    IO ()

-- safe: it works for long, on several threads
foreign import ccall safe "kmeans_nearest"
  nearestOf :: CLong -> CLong -> Ptr Double -> Ptr Double -> Ptr Int32 -> IO CLong

main :: IO ()
main = command (Machine (parallelFor (dynamic 1) 0) assignByProducts)

-- | The products of points and centres are a matrix: a block of its rows at a time, which the cores' caches hold.
assignByProducts :: Points -> Storable.Vector Double -> Nearest -> IO Int
assignByProducts (Points count width numbers) centres nearest = do
  products <- Mutable.unsafeNew (rowsMost * clusters)
  Storable.unsafeWith numbers $ \points -> Storable.unsafeWith centres $ \centre ->
    Storable.unsafeWith (squaresOf width centres) $ \squares -> Mutable.unsafeWith products $ \product' ->
      Mutable.unsafeWith nearest $ \cluster -> do
        changed <- forM [0, rowsMost .. count - 1] $ \row -> do
          let rows = min rowsMost (count - row)
          multiply (advancePtr points (row * width)) centre product' rows
          nearestOf (fromIntegral rows) (fromIntegral clusters) product' squares (advancePtr cluster row)
        pure (fromIntegral (sum changed))
  where
    clusters = Storable.length centres `div` width
    rowsMost = 4096
    multiply points centre product' rows =
      dgemm rowMajor asIs transposed (int rows) (int clusters) (int width) 1 points (int width) centre (int width) 0 product' (int clusters)
    int = fromIntegral
    rowMajor = 101
    asIs = 111
    transposed = 112

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | Lloyd's algorithm: give each point to the nearest centre, move each centre to the middle of its points, again.
--
-- A 'Machine' says how the two steps use the processors. The sums are made in blocks whose number does not depend on
-- the machine, and the blocks are added up in their order, so that every way of running them gives the same bits.
module Kmeans.Lloyd
  ( Machine (..),
    Nearest,
    Clusters (..),
    lloyd,
    squaresOf,
  )
where

import Control.Monad
import Data.Int (Int32)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Kmeans.Points

-- | For each point the number of its cluster.
type Nearest = Mutable.IOVector Int32

data Machine = Machine
  { -- | run an action for each number from 0 up to, and without, this one, in any order, several at once
    forBlocks :: Int -> (Int -> IO ()) -> IO (),
    -- | given the points and the centres, write the number of each point's nearest centre; how many have changed
    assign :: Points -> Storable.Vector Double -> Nearest -> IO Int
  }

data Clusters = Clusters
  { -- | how often all points were given to centres
    clusterPasses :: !Int,
    -- | how many points each cluster has
    clusterSizes :: !(Storable.Vector Int),
    -- | the centres, one after the other
    clusterCentres :: !(Storable.Vector Double)
  }

-- | Make clusters, which begin at points that lie evenly apart in the file. It ends when no point changes its cluster,
-- or after the given number of passes. The action gets the number of passes that are done, and of points that have
-- changed.
lloyd :: Machine -> (Int -> Int -> IO ()) -> Int -> Int -> Points -> IO Clusters
lloyd machine report clusters passesMost points = do
  nearest <- Mutable.replicate (pointCount points) (-1)
  let go !pass centres sizes
        | pass == passesMost = pure (Clusters pass sizes centres)
        | otherwise = do
          changed <- assign machine points centres nearest
          report (pass + 1) changed
          if changed == 0
            then pure (Clusters (pass + 1) sizes centres)
            else middles machine points clusters nearest centres >>= uncurry (go (pass + 1))
  go 0 begin (Storable.replicate clusters 0)
  where
    width = pointWidth points
    begin = Storable.concat [Storable.slice (from i * width) width (pointNumbers points) | i <- [0 .. clusters - 1]]
    from i = i * pointCount points `div` clusters

-- | The middle of each cluster's points, and how many there are. A cluster without points keeps its centre.
middles ::
  Machine ->
  Points ->
  Int ->
  Nearest ->
  Storable.Vector Double ->
  IO (Storable.Vector Double, Storable.Vector Int)
middles machine (Points count width numbers) clusters nearest centres = do
  sums <- Mutable.replicate (blocks * clusters * width) 0
  sizes <- Mutable.replicate (blocks * clusters) 0
  forBlocks machine blocks $ \block -> do
    let addPoint !i
          | i == (block + 1) * count `div` blocks = pure ()
          | otherwise = do
            cluster <- (block * clusters +) . fromIntegral <$> Mutable.unsafeRead nearest i
            Mutable.unsafeModify sizes (+ 1) cluster
            addNumbers (i * width) (cluster * width) width
            addPoint (i + 1)
        addNumbers !from !to !left = when (left > 0) $ do
          Mutable.unsafeModify sums (+ Storable.unsafeIndex numbers from) to
          addNumbers (from + 1) (to + 1) (left - 1)
    addPoint (block * count `div` blocks)
  total <- addBlocks clusters <$> Storable.unsafeFreeze sizes
  sum' <- addBlocks (clusters * width) <$> Storable.unsafeFreeze sums
  let middle i
        | size == 0 = Storable.unsafeIndex centres i
        | otherwise = Storable.unsafeIndex sum' i / fromIntegral size
        where
          size = Storable.unsafeIndex total (i `div` width)
  pure (Storable.generate (clusters * width) middle, total)
  where
    -- a block writes memory that no other block shares, and little enough for a core's own cache
    blocks = 16

-- | Add up the blocks of this length that a vector consists of.
addBlocks :: (Storable.Storable a, Num a) => Int -> Storable.Vector a -> Storable.Vector a
addBlocks size vector = Storable.generate size $ \i ->
  Storable.sum (Storable.generate (Storable.length vector `div` size) (\block -> vector Storable.! (block * size + i)))
{-# SPECIALIZE addBlocks :: Int -> Storable.Vector Double -> Storable.Vector Double #-}
{-# SPECIALIZE addBlocks :: Int -> Storable.Vector Int -> Storable.Vector Int #-}

-- | The square of each centre's length. A point is as near to a centre as this less twice their product is small.
squaresOf :: Int -> Storable.Vector Double -> Storable.Vector Double
squaresOf width centres = Storable.generate (Storable.length centres `div` width) $ \i ->
  Storable.sum (Storable.map (\number -> number * number) (Storable.slice (i * width) width centres))

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | The same program as Main.hs in Haskell alone, with 'forkIO'.
module Main (main) where

import Control.Concurrent
import Control.Exception (SomeException, mask_, throwIO, try)
import Control.Monad
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Kmeans.Command
import Kmeans.Lloyd
import Kmeans.Points

main :: IO ()
main = command (Machine forkBlocks assignByForks)

-- | As many threads as may run at once, each taking the next number until there is none.
forkBlocks :: Int -> (Int -> IO ()) -> IO ()
forkBlocks count body = do
  threads <- getNumCapabilities
  next <- newMVar 0
  ended <- forM [1 .. min threads count] $ \_ -> do
    end <- newEmptyMVar
    _ <- mask_ (forkIOWithUnmask (\unmask -> try (unmask (worker next)) >>= putMVar end))
    pure end
  forM_ ended (takeMVar >=> either (\failure -> throwIO (failure :: SomeException)) pure)
  where
    worker next = do
      block <- modifyMVar next (\block -> pure (block + 1, block))
      when (block < count) $ body block >> worker next

assignByForks :: Points -> Storable.Vector Double -> Nearest -> IO Int
assignByForks (Points count width numbers) centres nearest = do
  changes <- Mutable.replicate blocks 0
  forkBlocks blocks $ \block -> do
    let go !i !changed
          | i == (block + 1) * count `div` blocks = Mutable.unsafeWrite changes block changed
          | otherwise = do
            let best = nearestCentre (i * width)
            before <- Mutable.unsafeRead nearest i
            Mutable.unsafeWrite nearest i best
            go (i + 1) (if before == best then changed else changed + 1)
    go (block * count `div` blocks) (0 :: Int)
  Storable.sum <$> Storable.unsafeFreeze changes
  where
    blocks = 64
    clusters = Storable.length centres `div` width
    squares = squaresOf width centres
    distance !point !k = Storable.unsafeIndex squares k - 2 * productOf point (k * width) width 0
    nearestCentre !point = go 1 0 (distance point 0)
      where
        go !k !best !least
          | k == clusters = fromIntegral best
          | this < least = go (k + 1) k this
          | otherwise = go (k + 1) best least
          where
            this = distance point k
    productOf :: Int -> Int -> Int -> Double -> Double
    productOf !point !centre !left !sum'
      | left == 0 = sum'
      | otherwise =
        productOf (point + 1) (centre + 1) (left - 1) $
          sum' + Storable.unsafeIndex numbers point * Storable.unsafeIndex centres centre

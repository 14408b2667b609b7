-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Prepared programs that are kept for the next who needs one, since preparing one for 64 files takes as long as
-- reading them.
--
-- Invariant. A program is either kept or somebody's: it is taken before it is used, and put back when that went well.
-- So two threads never have the same one; the second prepares its own. Where an exception came, the program is left to
-- the garbage collector: in which state it was left nobody knows.
module Ferry.Internal.Files.Kept
  ( Kept,
    newKept,
    withKept,
  )
where

import Data.IORef (IORef, atomicModifyIORef', newIORef)
import qualified Data.IntMap.Strict as IntMap

-- | Programs by the number of files they are for: one of each width, for the process's lifetime.
newtype Kept a = Kept (IORef (IntMap.IntMap a))

-- | Nothing is kept yet. For a global: nothing but memory depends on how often this runs.
newKept :: IO (Kept a)
newKept = Kept <$> newIORef IntMap.empty

-- | Use the kept program of the least width that is enough for so many files, or a new one, which is then kept.
withKept :: Kept a -> [Int] -> Int -> (Int -> IO a) -> (a -> IO b) -> IO b
withKept (Kept programs) widths count prepareFor use = do
  found <- atomicModifyIORef' programs $ \kept -> (IntMap.delete width kept, IntMap.lookup width kept)
  program <- maybe (prepareFor width) pure found
  result <- use program
  atomicModifyIORef' programs $ \kept -> (IntMap.insert width program kept, ())
  pure result
  where
    width = minimum (maximum widths : filter (>= count) widths)

-- SPDX-License-Identifier: BSD-3-Clause

-- | What a program does that is linked with the package's shared library: loops, a C kernel that is Haskell, and a slot
-- that calls back without a mark, which does not hang.
module Main (main) where

import Data.IORef
import Ferry.Call
import Ferry.OpenMP
import Foreign.C.Types (CLong (..))
import Foreign.Ptr (FunPtr, nullPtr)

foreign import ccall "wrapper" wrapKernel :: Kernel () -> IO (FunPtr (Kernel ()))

foreign import ccall "wrapper" wrapFunction :: (CLong -> IO CLong) -> IO (FunPtr (CLong -> IO CLong))

main :: IO ()
main = do
  parallelReduce (dynamic 7) (Reduction 0 (+)) 0 1000 id >>= print
  seen <- newIORef (0 :: Int)
  kernel <- wrapKernel (\first past _ -> atomicModifyIORef' seen (\n -> (n + fromIntegral (past - first), ())))
  parallelForC (dynamic 10 `onThreads` 2) 0 1000 kernel nullPtr
  readIORef seen >>= print
  successor <- function "successor" <$> wrapFunction (pure . (+ 1))
  run Adaptive (output <$> call successor (literal 1)) >>= print

-- SPDX-License-Identifier: BSD-3-Clause

-- | A Haskell program that runs a C program's @main@ by a safe call, and ends with its status.
--
-- The C program is a shared object beside the name that this one is started under, with @.so@ added: a test that
-- starts itself again by @argv[0]@ finds the host there, as a link. It has the arguments as they were given.
--
-- scripts/compile/haskell.sh links it twice: with the package, so that the object uses its OpenMP runtime with GHC as
-- the co-scheduler; and without it, as any Haskell program on libgomp.
module Main (main) where

import Data.Bits ((.&.))
import Foreign.C.String (CString, peekCString, withCString)
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (FunPtr, Ptr, nullFunPtr, nullPtr)
import Foreign.Storable (peek)
import System.Exit (ExitCode (..), exitWith)
import System.IO (hPutStrLn, stderr)

type CMain = CInt -> Ptr CString -> IO CInt

-- safe: it runs the constructors of what it loads
foreign import ccall safe "dlopen" c_dlopen :: CString -> CInt -> IO (Ptr ())

-- unsafe: it looks into tables
foreign import ccall unsafe "dlsym" c_dlsym :: Ptr () -> CString -> IO (FunPtr CMain)

-- unsafe: it reads the message of the call before
foreign import ccall unsafe "dlerror" c_dlerror :: IO CString

-- unsafe: it reads two variables
foreign import ccall unsafe "getProgArgv" c_getProgArgv :: Ptr CInt -> Ptr (Ptr CString) -> IO ()

-- safe: it runs for as long as the program
foreign import ccall safe "dynamic" callMain :: FunPtr CMain -> CMain

main :: IO ()
main = alloca $ \countAt -> alloca $ \argumentsAt -> do
  c_getProgArgv countAt argumentsAt
  count <- peek countAt
  arguments <- peek argumentsAt
  name <- peekCString =<< peek arguments
  object <- withCString (name ++ ".so") (`c_dlopen` rtldNowGlobal)
  entry <- if object == nullPtr then pure nullFunPtr else withCString "main" (c_dlsym object)
  if entry == nullFunPtr
    then do
      hPutStrLn stderr =<< peekCString =<< c_dlerror
      exitWith (ExitFailure 127)
    else exitWith . exitCode =<< callMain entry count arguments
  where
    -- RTLD_NOW, RTLD_GLOBAL: every function is found or named now, and what the object opens finds its own
    rtldNowGlobal = 0x102

-- | What the system keeps of a status.
exitCode :: CInt -> ExitCode
exitCode status = case fromIntegral (status .&. 255) of
  0 -> ExitSuccess
  code -> ExitFailure code

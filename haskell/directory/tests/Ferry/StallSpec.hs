-- SPDX-License-Identifier: BSD-3-Clause

-- | No call stops another thread of its Capability: each system call that a function makes, one after the other, waits
-- until another Haskell thread opens a gate (@cbits/slow.c@), which it can do only if the Capability was given up.
module Ferry.StallSpec (spec) where

import Control.Concurrent
import Control.Exception (bracket, bracket_, finally)
import Control.Monad (forM_, unless, void)
import qualified Data.ByteString.Char8 as Char8
import Data.IORef
import Data.Maybe (isJust)
import Data.Time.Clock.POSIX (posixSecondsToUTCTime)
import Ferry.Agree (withFolder)
import Ferry.Directory hiding (isSymbolicLink)
import qualified Ferry.File as File
import Ferry.Posix.Files
import qualified Ferry.Posix.Files.ByteString as Bytes
import Foreign.C.Types (CInt (..), CLong (..))
import GHC.Clock (getMonotonicTimeNSec)
import System.IO (IOMode (ReadWriteMode), openFile)
import System.Posix.IO (closeFd, handleToFd)
import System.Posix.Types (Fd)
import Test.Hspec

-- unsafe, all four: they only set and read variables
foreign import ccall unsafe "slow_arm" arm :: CInt -> IO ()

foreign import ccall unsafe "slow_is_waiting" isWaiting :: IO CInt

foreign import ccall unsafe "slow_open" openGate :: IO ()

foreign import ccall unsafe "slow_disarm" disarm :: IO CInt

-- unsafe: it sets a variable
foreign import ccall unsafe "slow_delay" delay :: CLong -> IO ()

spec :: Spec
spec = around_ onOneCapability $ do
  mapM_ (\(name, act) -> lets name (const act)) (looking ++ changing ++ contents)
  mapM_ (uncurry lets) openFiles
  forM_ [("getFileStatus", void (getFileStatus "slow/file")), ("listDirectory", void (listDirectory "slow"))] $
    \(name, act) ->
      it (name ++ " stalls another thread for less than half of the disk's time") . inFolder $
        stallBeside act >>= (`shouldSatisfy` (< 1 / 2))

-- | For which part of the time that the disk takes another thread of the Capability stands still. The least of ten, or
-- the first that is short: beside other programs even a safe call that sleeps stalls it for tens of milliseconds.
-- (@bench/targets.toml@ says how short it is to be.)
stallBeside :: IO () -> IO Double
stallBeside act = go (10 :: Int)
  where
    go left = do
      stall <- once
      if stall < 1 / 2 || left == 1 then pure stall else min stall <$> go (left - 1)
    once = do
      done <- newIORef False
      result <- newEmptyMVar
      -- neither is the main thread, which is bound to an OS thread and dear to switch to
      _ <- forkOn 0 (getMonotonicTimeNSec >>= neighbour done 0 >>= putMVar result)
      yield
      _ <- forkOn 0 (bracket_ (delay delayNs) (delay 0) act `finally` writeIORef done True)
      longest <- takeMVar result
      pure (fromIntegral longest / fromIntegral delayNs)
    neighbour done longest last' = do
      yield
      now <- getMonotonicTimeNSec
      ended <- readIORef done
      let longest' = max longest (now - last')
      if ended then pure longest' else longest' `seq` neighbour done longest' now
    delayNs = 200000000

onOneCapability :: IO a -> IO a
onOneCapability act = bracket (getNumCapabilities <* setNumCapabilities 1) setNumCapabilities (const act)

-- | What the function does where there is a folder "slow", with a file, which is open, a link and an empty folder.
lets :: String -> (Fd -> IO ()) -> Spec
lets name act = it (name ++ " lets other threads run, at each of its calls") (go 0)
  where
    go skip = do
      state <-
        inFolder $
          bracket (openFile "slow/file" ReadWriteMode >>= handleToFd) closeFd (waitingAfter skip . act)
      state `shouldSatisfy` (/= 2)
      if state == 1 then go (skip + 1) else skip `shouldSatisfy` (> 0)

-- | In a folder with what 'lets' says.
inFolder :: IO a -> IO a
inFolder act = withFolder $ \folder ->
  bracket_ (setCurrentDirectory folder >> fill) (setCurrentDirectory "/") act

-- | What became of the call after so many others (@slow_disarm@).
waitingAfter :: CInt -> IO () -> IO CInt
waitingAfter skip act = do
  stop <- newEmptyMVar
  stopped <- newEmptyMVar
  bracket_ (arm skip) disarm $ do
    _ <- forkIO (openWhenWaiting stop >> putMVar stopped ())
    act
    putMVar stop ()
    takeMVar stopped
    disarm

-- | Open the gate once a call waits at it.
openWhenWaiting :: MVar () -> IO ()
openWhenWaiting stop = do
  waits <- isWaiting
  stopped <- tryReadMVar stop
  if waits /= 0 then openGate else unless (isJust stopped) (yield >> openWhenWaiting stop)

fill :: IO ()
fill = do
  createDirectory "slow"
  createDirectory "slow/empty"
  File.writeFile "slow/file" (Char8.pack "contents")
  createFileLink "slow file" "slow/link"

looking :: [(String, IO ())]
looking =
  [ ("doesFileExist", void (doesFileExist "slow/file")),
    ("doesDirectoryExist", void (doesDirectoryExist "slow")),
    ("doesPathExist", void (doesPathExist "slow/missing")),
    ("listDirectory", void (listDirectory "slow")),
    ("getFileSize", void (getFileSize "slow/file")),
    ("getPermissions", void (getPermissions "slow/file")),
    ("getModificationTime", void (getModificationTime "slow/file")),
    ("pathIsSymbolicLink", void (pathIsSymbolicLink "slow/link")),
    ("getSymbolicLinkTarget", void (getSymbolicLinkTarget "slow/link")),
    ("canonicalizePath", void (canonicalizePath "slow/missing")),
    ("getCurrentDirectory", void getCurrentDirectory),
    ("findFile", void (findFile ["slow"] "file")),
    ("getFileStatus", void (getFileStatus "slow/file")),
    ("getSymbolicLinkStatus", void (getSymbolicLinkStatus "slow/file")),
    ("ByteString.getFileStatus", void (Bytes.getFileStatus (Char8.pack "slow/file"))),
    ("fileAccess", void (fileAccess "slow/file" True False False)),
    ("fileExist", void (fileExist "slow/file")),
    ("getPathVar", void (getPathVar "slow/file" FileNameLimit))
  ]

changing :: [(String, IO ())]
changing =
  [ ("createDirectory", createDirectory "slow/new"),
    ("createDirectoryIfMissing", createDirectoryIfMissing True "slow/new/newer"),
    ("removeDirectory", removeDirectory "slow/empty"),
    ("removeDirectoryRecursive", removeDirectoryRecursive "slow"),
    ("removePathForcibly", removePathForcibly "slow"),
    ("renameDirectory", renameDirectory "slow/empty" "slow/new"),
    ("renameFile", renameFile "slow/file" "slow/new"),
    ("removeFile", removeFile "slow/file"),
    ("setPermissions", setPermissions "slow/file" emptyPermissions),
    ("setModificationTime", setModificationTime "slow/file" (posixSecondsToUTCTime 5)),
    ("setCurrentDirectory", setCurrentDirectory "slow"),
    ("createFileLink", createFileLink "file" "slow/new"),
    ("setFileMode", setFileMode "slow/file" 0o600),
    ("setOwnerAndGroup", setOwnerAndGroup "slow/file" (-1) (-1)),
    ("setSymbolicLinkOwnerAndGroup", setSymbolicLinkOwnerAndGroup "slow/link" (-1) (-1)),
    ("createLink", createLink "slow/file" "slow/new"),
    ("createNamedPipe", createNamedPipe "slow/new" 0o600),
    ("createDevice", createDevice "slow/new" (namedPipeMode `unionFileModes` 0o600) 0),
    ("setFileTimes", setFileTimes "slow/file" 1 2),
    ("setFileTimesHiRes", setFileTimesHiRes "slow/file" 1 2),
    ("setSymbolicLinkTimesHiRes", setSymbolicLinkTimesHiRes "slow/link" 1 2),
    ("touchFile", touchFile "slow/file"),
    ("touchSymbolicLink", touchSymbolicLink "slow/link"),
    ("setFileSize", setFileSize "slow/file" 3)
  ]

contents :: [(String, IO ())]
contents =
  [ ("readFile", void (File.readFile "slow/file")),
    ("writeFile", File.writeFile "slow/file" (Char8.pack "new")),
    ("appendFile", File.appendFile "slow/file" (Char8.pack "new")),
    ("writeFileAtomically", File.writeFileAtomically "slow/file" (Char8.pack "new")),
    ("copyFile", copyFile "slow/file" "slow/new"),
    ("copyFileWithMetadata", copyFileWithMetadata "slow/file" "slow/new")
  ]

openFiles :: [(String, Fd -> IO ())]
openFiles =
  [ ("getFdStatus", void . getFdStatus),
    ("setFdMode", (`setFdMode` 0o600)),
    ("setFdOwnerAndGroup", \fd -> setFdOwnerAndGroup fd (-1) (-1)),
    ("setFdTimesHiRes", \fd -> setFdTimesHiRes fd 1 2),
    ("touchFd", touchFd),
    ("setFdSize", (`setFdSize` 1)),
    ("getFdPathVar", \fd -> void (getFdPathVar fd FileNameLimit))
  ]

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Batches of system calls: any number of them for one crossing from Haskell to C.
--
-- > main = do
-- >   contents <- run Adaptive . mayBlock $ do
-- >     path <- constantBytes "/etc/hostname"
-- >     fd <- openat (literal atFdcwd) path (literal oRdonly) (literal 0)
-- >     stopOnFailure fd
-- >     buffer <- cells 4096
-- >     count <- read fd (address buffer) (literal 4096)
-- >     _ <- close fd
-- >     pure (readBytes (fromIntegral <$> result count) buffer)
-- >   print contents
module Ferry.Batch
  ( -- * System calls
    module Ferry.Internal.SystemCalls,

    -- * Results
    result,
    attempt,

    -- * Running
    run,
    prepare,
    module Ferry.Run,

    -- * The language
    module Ferry.Program,
  )
where

import qualified Data.ByteString.Char8 as Char8
import Ferry.Internal.C (executorLoop)
import Ferry.Internal.Prepare (prepareNotes)
import Ferry.Internal.Program
import Ferry.Internal.SystemCalls
import Ferry.Internal.Word
import Ferry.Program
import Ferry.Run
import Foreign.C.Error (Errno (..), errnoToIOError)

-- | A system call's result. When it failed, an 'IOError' that names the call and its path is thrown.
result :: Result a => Value a -> Output a
result value = resultWord value $ \called word ->
  if word < 0
    then ioError (errnoToIOError (callName called) (errnoOf word) Nothing (Char8.unpack <$> callPath called))
    else pure (fromWord word)

-- | A system call's result, or why it failed.
attempt :: Result a => Value a -> Output (Either Errno a)
attempt value = resultWord value $ \_ word -> pure (if word < 0 then Left (errnoOf word) else Right (fromWord word))

errnoOf :: Integral word => word -> Errno
errnoOf word = Errno (fromIntegral (negate word))

-- | Lay a program out, verify it and run it once. 'Ferry.Error.ProgramError' when it cannot be a batch.
run :: Mode -> Program 'SystemCalls (Output a) -> IO a
run mode program = prepare program >>= runPrepared mode

-- | Lay a program out and verify it, to be run many times. 'Ferry.Error.ProgramError' when it cannot be a batch.
prepare :: Program 'SystemCalls (Output a) -> IO (Prepared a)
prepare program = case runNotes program of (outputs, notes) -> prepareNotes executorLoop notes outputs

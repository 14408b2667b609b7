-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Any C functions, in any number, for one crossing from Haskell.
--
-- > foreign import ccall "&hypot" hypotAt :: FunPtr (Double -> Double -> Double)
-- >
-- > main = do
-- >   let hypotenuse = function "hypot" hypotAt
-- >   (width, prepared) <- prepareWith $ do
-- >     width <- parameter
-- >     floorDiagonal <- call hypotenuse (given width) 4
-- >     diagonal <- call hypotenuse floorDiagonal 12
-- >     pure (width, output diagonal)
-- >   setParameter prepared width 3
-- >   runPrepared Adaptive prepared >>= print
module Ferry.Call
  ( -- * Functions
    Function,
    FunctionType (Applied),
    function,
    call,

    -- * Running
    run,
    prepare,
    prepareWith,
    module Ferry.Run,

    -- * The language
    module Ferry.Program,
  )
where

import Data.Proxy (Proxy (..))
import Ferry.Internal.C (executorNull)
import Ferry.Internal.Function
import Ferry.Internal.Prepare (prepareProgram)
import Ferry.Internal.Program
import Ferry.Program
import Ferry.Run
import Foreign.Ptr (FunPtr, castFunPtr)

-- | A C function and its type.
data Function f = Function String (FunPtr ())

-- | The function at an address; the name is for messages. The type must be that of the C function: at most six
-- arguments, which are integers, pointers or doubles. Whether its result is in 'IO' makes no difference.
function :: FunctionType f => String -> FunPtr f -> Function f
function name at = Function name (castFunPtr at)
{-# INLINE function #-}

-- | Add a call: an argument is a 'Value' for each of the function's, the result is one.
call :: forall f. FunctionType f => Function f -> Applied f
call (Function name at) = apply (Proxy :: Proxy f) (Application name at 0 0 id)
{-# INLINE call #-}

-- | Lay a program out, verify it and run it once, which costs more than safe calls: 'prepareWith' and 'runPrepared' are
-- for what runs again. 'Ferry.Error.ProgramError' when it cannot be a batch.
run :: Mode -> Program 'Functions (Output a) -> IO a
run mode program = prepare program >>= runPrepared mode

-- | Lay a program out and verify it, to be run many times. 'Ferry.Error.ProgramError' when it cannot be a batch.
prepare :: Program 'Functions (Output a) -> IO (Prepared a)
prepare program = snd <$> prepareWith ((,) () <$> program)

-- | 'prepare', for a program with parameters: it gives them beside its outputs, for 'setParameter'.
prepareWith :: Program 'Functions (parameters, Output a) -> IO (parameters, Prepared a)
prepareWith = prepareProgram executorNull

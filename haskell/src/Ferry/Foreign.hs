-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE TemplateHaskellQuotes #-}

-- | Foreign imports that need not say @safe@ or @unsafe@: they cost about as much as @unsafe@ ones, and behave as
-- @safe@ ones do.
--
-- > {-# LANGUAGE TemplateHaskell #-}
-- > import Ferry.Foreign
-- >
-- > foreignImport "hypot" [t|Double -> Double -> Double|]
-- >
-- > main :: IO ()
-- > main = print (hypot 3 4)
--
-- The call keeps its Capability, the right to run Haskell code, until another thread wants it. A short call keeps it
-- throughout, and costs a few nanoseconds more than an @unsafe@ one. A call that goes on loses it: to a garbage
-- collection or another Haskell thread that wants it some microseconds later, to a thread that could run already when
-- the call began mostly in a fraction of a millisecond, and after 4 to 8 ms in any case. Other Haskell threads then run
-- while C does. At its end such a call waits for a Capability, as a @safe@ call does.
--
-- A function may block, take long, open a parallel region and call back into Haskell. An asynchronous exception
-- ('System.Timeout.timeout', 'Control.Concurrent.throwTo') waits until the function returns, as with a @safe@ call; an
-- interruptible call behaves as an @interruptible@ import does. After the call @errno@ is what the function has set.
-- The rules for @safe@ calls hold here too: a garbage collection may run during the call, so a pointer has to point to
-- memory that does not move (C's memory, what 'Foreign.Marshal.Alloc.alloca' gives, a 'FunPtr'), and the function has
-- to return in the ordinary way (no @longjmp@ past the call).
--
-- In programs without @-threaded@, with @-debug@, and where the system has no @membarrier@, each call is a @safe@ one.
-- Compile with optimisation: without it a call takes about as long as a @safe@ one.
module Ferry.Foreign
  ( -- * By address
    foreignCall,
    foreignCallInterruptible,

    -- * By name
    foreignImport,
    foreignImportInterruptible,
    foreignImportAs,

    -- * Types
    ForeignType,
    Argument,
    Result,
  )
where

import Data.Char (isAlphaNum, isLower)
import Ferry.Internal.Foreign
import Foreign.Ptr (FunPtr)
import Language.Haskell.TH

-- | A C function as a Haskell function. The type must be that of the C function: any number of arguments, of every type
-- that a @foreign import@ accepts, and a result of one of these or @()@. A type without 'IO' needs a pure function.
--
-- > foreign import ccall "&hypot" hypotAt :: FunPtr (Double -> Double -> Double)
-- >
-- > hypot :: Double -> Double -> Double
-- > hypot = foreignCall hypotAt
foreignCall :: ForeignType f => FunPtr f -> f
foreignCall at = apply (entry at) none
{-# INLINE foreignCall #-}

-- | 'foreignCall', but an asynchronous exception interrupts the function as it does that of an @interruptible@ import:
-- the system call that it blocks in fails with @EINTR@. Once the function has returned the exception is raised.
foreignCallInterruptible :: ForeignType f => FunPtr f -> f
foreignCallInterruptible at = apply (interruptibleEntry at) none
{-# INLINE foreignCallInterruptible #-}

-- | Declare a Haskell function of the same name as a C function, with this type.
foreignImport :: String -> Q Type -> Q [Dec]
foreignImport name = declare 'foreignCall name name

-- | 'foreignImport', for 'foreignCallInterruptible'.
foreignImportInterruptible :: String -> Q Type -> Q [Dec]
foreignImportInterruptible name = declare 'foreignCallInterruptible name name

-- | Declare a Haskell function with another name than the C function: the first argument is the C function's name, the
-- second the Haskell function's.
foreignImportAs :: String -> String -> Q Type -> Q [Dec]
foreignImportAs = declare 'foreignCall

declare :: Name -> String -> String -> Q Type -> Q [Dec]
declare how cName name typeOf
  | not (isVariable name) =
    fail ("Ferry.Foreign: " ++ show name ++ " cannot name a Haskell function: give another to foreignImportAs")
  | otherwise = do
    type' <- typeOf
    -- not newName: GHC confuses two of its names at top level if they look alike
    let at = mkName (name ++ "'address")
        addresses = ForeignD (ImportF CCall Unsafe ('&' : cName) at (AppT (ConT ''FunPtr) type'))
        function = mkName name
    pure [addresses, SigD function type', ValD (VarP function) (NormalB (AppE (VarE how) (VarE at))) []]

isVariable :: String -> Bool
isVariable name = case name of
  first : rest -> (isLower first || (first == '_' && not (null rest))) && all (\c -> isAlphaNum c || c `elem` "_'") rest
  [] -> False

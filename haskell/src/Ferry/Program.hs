-- SPDX-License-Identifier: BSD-3-Clause

-- | The language that batches are written in: calls in order, values that flow from one to a later one, and jumps that
-- only go forward. "Ferry.Call" adds C functions as calls, "Ferry.Batch" the system calls.
--
-- A program is described first and run later, so the monad has no results to look at: a call gives a 'Value', which may
-- be an argument of a later call, and what the program shall return is an 'Output'.
module Ferry.Program
  ( -- * Programs
    Program,
    Kind (..),

    -- * Values
    Value,
    literal,
    retype,
    Argument,
    Result,

    -- * Parameters
    Parameter,
    parameter,
    given,
    Parameters,
    parameterVector,
    givenAt,

    -- * Memory
    Cell,
    cell,
    cells,
    cellBytesMax,
    cellAt,
    address,
    contents,
    constantBytes,
    constant,
    keeping,

    -- * Control
    Outcome (..),
    Label,
    newLabel,
    place,
    jump,
    finish,
    stopOnFailure,
    ifFailed,
    unlessFailed,
    mayBlock,
    doesNotBlock,

    -- * Jumps on a value
    Compares,
    jumpIfEqual,
    finishIfEqual,
    ifEqual,
    unlessEqual,

    -- * Outputs
    Output,
    output,
    outputs,
    outputsInto,
    outputIfRan,
    readCell,
    readBytes,
    lastSlot,
  )
where

import Ferry.Internal.Comparison
import Ferry.Internal.Program
import Ferry.Internal.Word

-- | End the batch when the call fails: when its result is below 0.
stopOnFailure :: Value a -> Program kind ()
stopOnFailure value = finish value OnFailure

-- | Calls that run only when the call the value comes from failed. That call must be the one
-- added last, or the program is refused.
ifFailed :: Value a -> Program kind b -> Program kind b
ifFailed value body = do
  requireLast value
  after <- newLabel
  jump value OnZero after
  jump value OnPositive after
  result <- body
  place after
  pure result

-- | Calls that run only when the call the value comes from did not fail. That call must be the one
-- added last, or the program is refused.
unlessFailed :: Value a -> Program kind b -> Program kind b
unlessFailed value body = do
  requireLast value
  after <- newLabel
  jump value OnFailure after
  result <- body
  place after
  pure result

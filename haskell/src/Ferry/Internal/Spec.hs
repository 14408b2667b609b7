-- SPDX-License-Identifier: BSD-3-Clause
-- Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`.
{-# OPTIONS_HADDOCK not-home #-}

-- | The constants and limits of a batch.
module Ferry.Internal.Spec
  ( batchWordCopy,
    batchStop,
    batchSlotMayBlock,
    batchSlotsMax,
    batchArgsMax,
    batchJumpMax,
    slotBytes,
    slotNrOffset,
    slotJumpFailOffset,
    slotJumpZeroOffset,
    slotJumpPositiveOffset,
    slotArgcOffset,
    slotFlagsOffset,
    slotReservedOffset,
    slotArgOffset,
  )
where

-- | the call number of a word copy: a word from one address to another
batchWordCopy :: Int
batchWordCopy = -2

-- | a jump that ends the batch; every negative jump does
batchStop :: Int
batchStop = -1

-- | in a slot's flags: the call may take long; a hint that changes no result
batchSlotMayBlock :: Int
batchSlotMayBlock = 1

-- | slots in one batch
batchSlotsMax :: Int
batchSlotsMax = 1048576

-- | argument words in one slot
batchArgsMax :: Int
batchArgsMax = 6

-- | slots one jump can skip
batchJumpMax :: Int
batchJumpMax = 32767

-- | bytes of one slot
slotBytes :: Int
slotBytes = 64

-- | where @nr@ is in a slot
slotNrOffset :: Int
slotNrOffset = 0

-- | where @jump_fail@ is in a slot
slotJumpFailOffset :: Int
slotJumpFailOffset = 2

-- | where @jump_zero@ is in a slot
slotJumpZeroOffset :: Int
slotJumpZeroOffset = 4

-- | where @jump_positive@ is in a slot
slotJumpPositiveOffset :: Int
slotJumpPositiveOffset = 6

-- | where @argc@ is in a slot
slotArgcOffset :: Int
slotArgcOffset = 8

-- | where @flags@ is in a slot
slotFlagsOffset :: Int
slotFlagsOffset = 9

-- | where @reserved@ is in a slot
slotReservedOffset :: Int
slotReservedOffset = 10

-- | where @arg@ is in a slot
slotArgOffset :: Int
slotArgOffset = 16

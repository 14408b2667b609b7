-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Where words lie that "Ferry.Internal.Owner" reads, in words.
module Ferry.Internal.Offsets
  ( threadNumberAt,
    ownerAt,
  )
where

#include "DerivedConstants.h"
#include "batch/layout.h"

-- | A thread's number, from where the words of an array begin: one word behind the header that both have.
threadNumberAt :: Int
threadNumberAt = #{const (OFFSET_StgTSO_id - 8) / 8}

-- | The owner of a prepared program, from where that begins.
ownerAt :: Int
ownerAt = #{const FERRY_PROGRAM_OWNER / 8}

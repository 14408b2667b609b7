-- SPDX-License-Identifier: BSD-3-Clause

-- | Floats of 16 bits, which CBOR has and Haskell does not.
module Ferry.Internal.Ingress.Half
  ( fromHalf,
    toHalf,
  )
where

import Data.Bits (shiftL, shiftR, (.&.), (.|.))
import Data.Word (Word16)
import GHC.Float (castFloatToWord32)

-- | The value of the 16-bit float with these bits; the conversion is exact.
fromHalf :: Word16 -> Double
fromHalf half = case (half `shiftR` 10) .&. 0x1f of
  0 -> sign * fraction * 2 ** (-24)
  0x1f -> if half .&. 0x3ff == 0 then sign * (1 / 0) else 0 / 0
  exponent_ -> sign * (1 + fraction / 1024) * 2 ^^ (fromIntegral exponent_ - 15 :: Int)
  where
    sign = if half .&. 0x8000 == 0 then 1 else -1
    fraction = fromIntegral (half .&. 0x3ff)

-- | The bits of the 16-bit float with this value, which is no NaN, if there is one.
toHalf :: Float -> Maybe Word16
toHalf value
  | exponent_ == -127 && fraction == 0 = Just sign
  | exponent_ == 128 = if fraction == 0 then Just (sign .|. 0x7c00) else Nothing
  | exponent_ >= -14 && exponent_ <= 15 =
    if fraction .&. 0x1fff == 0
      then Just (sign .|. (fromIntegral (exponent_ + 15) `shiftL` 10) .|. fromIntegral (fraction `shiftR` 13))
      else Nothing
  -- subnormal as a 16-bit float: the leading one moves into the fraction
  | exponent_ >= -24 && exponent_ <= -15 =
    let leading = fraction .|. 0x00800000
        shift_ = -1 - exponent_
     in if leading .&. ((1 `shiftL` shift_) - 1) == 0
          then Just (sign .|. fromIntegral (leading `shiftR` shift_))
          else Nothing
  | otherwise = Nothing
  where
    bits = castFloatToWord32 value
    sign = fromIntegral (bits `shiftR` 16) .&. 0x8000
    exponent_ = fromIntegral ((bits `shiftR` 23) .&. 0xff) - 127 :: Int
    fraction = bits .&. 0x007fffff

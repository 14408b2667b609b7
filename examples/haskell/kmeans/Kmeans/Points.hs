-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | Points as a text file has them: one in each line, its numbers separated by commas, blanks or tabs.
module Kmeans.Points
  ( Points (..),
    parsePoints,
  )
where

import Control.Monad.ST (ST, runST)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.Char (isDigit)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable

-- | All points, one after the other, each of 'pointWidth' numbers. Storable, so that C can be given their address.
data Points = Points
  { pointCount :: !Int,
    pointWidth :: !Int,
    pointNumbers :: !(Storable.Vector Double)
  }

-- | The points of a file, or the number of the line that is wrong, from 1, and why. Lines that are empty or begin with
-- @#@ do not count.
parsePoints :: ByteString -> Either (Int, String) Points
parsePoints text = runST $ do
  numbers <- Mutable.new (width * (1 + Char8.count '\n' text))
  go numbers 0 1 text
  where
    width = maybe 0 (length . Char8.words . Char8.map blank) (firstPoint text)
    go :: Mutable.MVector s Double -> Int -> Int -> ByteString -> ST s (Either (Int, String) Points)
    go numbers !count !line rest
      | ByteString.null rest = do
        whole <- Storable.unsafeFreeze (Mutable.take (count * width) numbers)
        pure (Right (Points count width whole))
      | otherwise = do
        let (this, further) = Char8.break (== '\n') rest
        wrong <- if noPoint this then pure Nothing else parseLine numbers (count * width) width this
        case wrong of
          Just reason -> pure (Left (line, reason))
          Nothing -> go numbers (if noPoint this then count else count + 1) (line + 1) (ByteString.drop 1 further)

firstPoint :: ByteString -> Maybe ByteString
firstPoint text = case filter (not . noPoint) (Char8.lines text) of
  first : _ -> Just first
  [] -> Nothing

noPoint :: ByteString -> Bool
noPoint line = ByteString.null rest || Char8.head rest == '#'
  where
    rest = Char8.dropWhile isBlank line

isBlank :: Char -> Bool
isBlank char = char == ' ' || char == ',' || char == '\t' || char == '\r'

blank :: Char -> Char
blank char = if isBlank char then ' ' else char

-- | Write the numbers of a line to the vector, from an index on. Returns what is wrong with the line, if anything is.
parseLine :: Mutable.MVector s Double -> Int -> Int -> ByteString -> ST s (Maybe String)
parseLine numbers at width = go 0
  where
    go !seen line
      | ByteString.null rest = pure (if seen == width then Nothing else Just (miscounted seen))
      | seen == width = pure (Just (miscounted (seen + length (Char8.words (Char8.map blank rest)))))
      | otherwise = case parseNumber word of
        Just number -> Mutable.unsafeWrite numbers (at + seen) number >> go (seen + 1) further
        Nothing -> pure (Just ("'" ++ Char8.unpack (ByteString.take 40 word) ++ "' is not a number that can be used"))
      where
        rest = Char8.dropWhile isBlank line
        (word, further) = Char8.break isBlank rest
    miscounted seen = "it has " ++ show seen ++ " numbers, and the first point " ++ show width

-- | A decimal number, rounded as IEEE 754 says. A number of 15 digits and a power of ten up to 22 are both exact, so
-- that one division rounds their quotient correctly; all other numbers take a slower way.
parseNumber :: ByteString -> Maybe Double
parseNumber word = case Char8.uncons word of
  Just ('-', rest) -> negate <$> unsigned rest
  Just ('+', rest) -> unsigned rest
  _ -> unsigned word
  where
    unsigned text
      | places + ByteString.length whole == 0 = Nothing
      | ByteString.null rest = finite (scaled whole fraction 0)
      | Char8.head rest `elem` ("eE" :: String),
        Just (power, end) <- Char8.readInt (ByteString.drop 1 rest),
        ByteString.null end,
        abs power <= powerMost =
        finite (scaled whole fraction power)
      | otherwise = Nothing
      where
        (whole, afterWhole) = Char8.span isDigit text
        (fraction, rest) = case Char8.uncons afterWhole of
          Just ('.', more) -> Char8.span isDigit more
          _ -> (ByteString.empty, afterWhole)
        places = ByteString.length fraction
    finite number = if isInfinite number then Nothing else Just number
    powerMost = 400

-- | The number that has these digits before and behind its point, times a power of ten.
scaled :: ByteString -> ByteString -> Int -> Double
scaled whole fraction power
  | digits <= 15 && exponent' <= 0 && exponent' >= -22 =
    fromIntegral (valueOf 0 :: Int) / Storable.unsafeIndex powersOfTen (negate exponent')
  | otherwise = fromRational (fromInteger (valueOf 0) * 10 ^^ exponent')
  where
    digits = ByteString.length whole + ByteString.length fraction
    exponent' = power - ByteString.length fraction
    valueOf :: Num a => a -> a
    valueOf none = ByteString.foldl' shift (ByteString.foldl' shift none whole) fraction
    shift value digit = value * 10 + fromIntegral (digit - 48)
{-# INLINE scaled #-}

powersOfTen :: Storable.Vector Double
powersOfTen = Storable.generate 23 (10 ^)

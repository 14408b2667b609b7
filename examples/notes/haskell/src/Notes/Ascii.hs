-- SPDX-License-Identifier: BSD-3-Clause

-- | Characters as the library understands them, whatever the locale is: white space, and small letters.
module Notes.Ascii
  ( isBlank,
    isLetter,
    isDigit,
    toSmall,
    shown,
  )
where

import Data.Char (chr, isAsciiLower, isAsciiUpper, ord)
import Data.Text (Text)
import qualified Data.Text as Text

isBlank :: Char -> Bool
isBlank character = character == ' ' || (character >= '\t' && character <= '\r')

isLetter :: Char -> Bool
isLetter character = isAsciiLower character || isAsciiUpper character

isDigit :: Char -> Bool
isDigit character = character >= '0' && character <= '9'

-- | With small letters in place of capitals, of those that are ASCII.
toSmall :: Text -> Text
toSmall = Text.map (\character -> if isAsciiUpper character then chr (ord character + 32) else character)

-- | A number, in a sentence.
shown :: Show number => number -> Text
shown = Text.pack . show

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | Make a query for SQLite's full-text index of what a person types to search.
--
-- All words must occur, in any order and in capitals or not. @"a phrase"@ must occur as it stands; @begin*@ is the
-- begin of a word; @-word@ must not occur; @#tag@ is a tag of the note. No other character has a meaning, so that no
-- query is a syntax error in FTS5's own language.
module Notes.Query
  ( Query (..),
    parseQuery,
  )
where

import qualified Data.ByteString as Bytes
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (encodeUtf8)
import Notes.Ascii (isBlank, shown, toSmall)
import Notes.Fault (fault)

data Query = Query
  { -- | for FTS5; empty when only tags are asked for
    queryMatch :: !Text,
    -- | without @#@, in small letters
    queryTags :: ![Text]
  }

-- | What a word of a query says.
data Part
  = Wanted Text
  | Unwanted Text
  | Tag Text

-- | How many bytes a query may have.
queryBytesMax :: Int
queryBytesMax = 4096

-- | Make a query of what a person typed; one that makes no sense is a fault.
parseQuery :: Text -> IO Query
parseQuery text
  | bytes > queryBytesMax =
    fault (Text.concat ["the query has ", shown bytes, " bytes; at most ", shown queryBytesMax, " are allowed"])
  | Text.any (== '\0') text = fault "the query holds a zero byte"
  | otherwise = either fault pure (partsOf text >>= queryOf)
  where
    bytes = Bytes.length (encodeUtf8 text)

queryOf :: [Part] -> Either Text Query
queryOf parts
  | null wanted && null tags && null unwanted = Left "the query is empty"
  | null wanted && null tags = Left "a query needs a word that occurs; -words alone exclude everything"
  | null wanted && not (null unwanted) = Left "-words need a word beside the tags"
  | otherwise = Right (Query (Text.concat (Text.intercalate " AND " wanted : map (" NOT " <>) unwanted)) tags)
  where
    wanted = [word | Wanted word <- parts]
    unwanted = [word | Unwanted word <- parts]
    tags = [tag | Tag tag <- parts]

partsOf :: Text -> Either Text [Part]
partsOf text = case Text.uncons begun of
  Nothing -> Right []
  Just ('"', inside) -> case Text.breakOn "\"" inside of
    (_, "") -> Left "a quotation mark is not closed"
    (phrase, more) -> ([Wanted (quoted phrase) | not (Text.null phrase)] ++) <$> partsOf (Text.drop 1 more)
  Just _ ->
    let (word, more) = Text.break (\character -> isBlank character || character == '"') begun
     in (:) <$> partOf word <*> partsOf more
  where
    begun = Text.dropWhile isBlank text

partOf :: Text -> Either Text Part
partOf word = case Text.splitAt 1 word of
  ("#", "") -> Left "'#' stands alone; write the tag right behind it, as in #todo"
  ("-", "") -> Left "'-' stands alone; write the word right behind it, as in -draft"
  ("#", tag) -> Right (Tag (toSmall tag))
  ("-", unwanted) -> Right (Unwanted (quoted unwanted))
  _
    | Text.null stem -> Left "'*' stands alone; write the begin of a word before it"
    | stem == word -> Right (Wanted (quoted stem))
    | otherwise -> Right (Wanted (quoted stem <> "*"))
  where
    stem = Text.dropWhileEnd (== '*') word

-- | A word as a string of FTS5.
quoted :: Text -> Text
quoted word = Text.concat ["\"", Text.replace "\"" "\"\"" word, "\""]

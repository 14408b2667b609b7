-- SPDX-License-Identifier: BSD-3-Clause

-- | A vector of @spec/vectors@ as data; the format is described in the README there. Names are looked up later.
module Ferry.Vectors.Parse
  ( Vector (..),
    Slot (..),
    Memory (..),
    Content (..),
    Term (..),
    Sum,
    Expected (..),
    Wanted (..),
    Array (..),
    parseVector,
    expectationFor,
    slotCountOf,
  )
where

import Control.Applicative (many, optional, (<|>))
import Control.Monad (foldM, unless, void, when)
import Data.Char (isAlpha, isAlphaNum, isDigit, isHexDigit, isLower)
import Data.Int (Int64)
import Data.Maybe (fromMaybe, isJust)
import Numeric (readHex)
import Text.ParserCombinators.ReadP hiding (many, optional)

data Vector = Vector
  { vectorRules :: [Int],
    vectorFunctions :: Bool,
    vectorFlags :: Int64,
    vectorCount :: Maybe Int64,
    vectorSlotsArray :: Array,
    vectorRetsArray :: Array,
    -- | how many equal slots, and what each is
    vectorLines :: [(Int, Slot)],
    vectorMemory :: [(String, Memory)],
    -- | by executor; "" is every executor without one of its own
    vectorExpectations :: [(String, Wanted)],
    vectorAfters :: [(Sum, Content)]
  }
  deriving (Show)

data Slot = Slot
  { -- | a call's name, or a number
    slotCall :: Either String Int,
    slotArguments :: [Sum],
    slotSettings :: [(String, Int)]
  }
  deriving (Show)

-- | What a name of memory stands for.
data Memory = Zeros Int | Bytes String | Page String | File String | Missing
  deriving (Show)

-- | What is at an address after a run.
data Content = ContentWord Sum | ContentBytes String
  deriving (Show)

-- | A sum of signed terms.
type Sum = [(Bool, Term)]

data Term = Number Int64 | Real Double | Constant String | MemoryAt String | RetAt Int | ArgAt Int Int | SlotAt Int
  deriving (Show)

-- | What one slot gives.
data Expected = Untouched | NotNegative | Positive | NotANumber | Exactly Sum
  deriving (Show)

data Wanted
  = Ran [Expected] Int
  | -- | error, reason, slot
    Refused String String (Maybe Int)
  deriving (Show)

data Array = Good | Null | Misaligned
  deriving (Eq, Show)

-- | How many slots a vector has.
slotCountOf :: Vector -> Int
slotCountOf = sum . map fst . vectorLines

-- | What a vector says of an executor.
expectationFor :: String -> Vector -> Maybe Wanted
expectationFor executor vector = lookup executor (vectorExpectations vector) <|> lookup "" (vectorExpectations vector)

-- | A whole vector, or what is wrong with it.
parseVector :: String -> Either String Vector
parseVector text = do
  vector <- foldM addLine (Vector [] False 0 Nothing Good Good [] [] [] []) (zip [1 ..] (lines text))
  when (null (vectorRules vector)) (Left "no rules")
  when (null (vectorExpectations vector)) (Left "nothing is expected")
  mapM_ (checkExpectation (slotCountOf vector) . snd) (vectorExpectations vector)
  pure vector

checkExpectation :: Int -> Wanted -> Either String ()
checkExpectation slotCount expectation = case expectation of
  Ran results lastRan ->
    unless (length results == slotCount && lastRan < slotCount) (Left "not one result for each slot")
  Refused {} -> pure ()

addLine :: Vector -> (Int, String) -> Either String Vector
addLine vector (number, text) = case [change | (change, "") <- readP_to_S (line vector <* skipBlanks) text] of
  [change] -> pure change
  found -> Left ("line " ++ show number ++ ": " ++ show (length found) ++ " ways to read: " ++ text)

line :: Vector -> ReadP Vector
line vector = do
  skipBlanks
  -- a memory item's name is never followed by a parenthesis, a call's always
  (slot, vector') <- optionalWith (Nothing, vector) (memoryLine vector +++ slotLine vector)
  skipBlanks
  optionalWith vector' (char ';' *> skipBlanks *> comment slot vector')

-- Memory and slots ----------------------------------------------------------------------------------------------------

memoryLine :: Vector -> ReadP (Maybe Int, Vector)
memoryLine vector = do
  keyword <- name
  _ <- munch1 isBlank
  item <- name
  content <- case keyword of
    "data" -> equals *> ((Bytes <$> quoted) +++ (Zeros . fromIntegral <$> integer))
    "page" -> equals *> (Page <$> name)
    "file" -> equals *> (File <$> quoted)
    "missing" -> pure Missing
    _ -> pfail
  pure (Nothing, vector {vectorMemory = vectorMemory vector ++ [(item, content)]})

slotLine :: Vector -> ReadP (Maybe Int, Vector)
slotLine vector = do
  called <- (Left <$> name) +++ (Right . fromIntegral <$> (char '#' *> integer))
  arguments <- between (char '(' *> skipBlanks) (char ')') (sepBy (sumOf <* skipBlanks) (char ',' *> skipBlanks))
  settings <- many (skipBlanks *> ((,) <$> name <* equals <*> (fromIntegral <$> integer)))
  let times = fromMaybe 1 (lookup "times" settings)
  when (any ((`notElem` words "fail zero positive argc slot_flags reserved times") . fst) settings) pfail
  let slot = (times, Slot called arguments settings)
  pure (Just (slotCountOf vector), vector {vectorLines = vectorLines vector ++ [slot]})

-- Directives ----------------------------------------------------------------------------------------------------------

comment :: Maybe Int -> Vector -> ReadP Vector
comment slot vector = do
  rest <- look
  if isDirective rest then directive slot vector else vector <$ munch (const True)

-- | Whether the first word, but for an executor in parentheses, ends with a colon.
isDirective :: String -> Bool
isDirective = not . null . readP_to_S opening

opening :: ReadP (String, String)
opening = (,) <$> munch1 isLower <*> optionalWith "" (between (char '(') (char ')') name) <* char ':'

directive :: Maybe Int -> Vector -> ReadP Vector
directive slot vector = do
  (kind, executor) <- opening
  skipBlanks
  let expecting expectation = vector {vectorExpectations = vectorExpectations vector ++ [(executor, expectation)]}
  case kind of
    "error" -> (\code reason -> expecting (Refused code reason slot)) <$> (char '-' *> name) <*> (skipBlanks *> name)
    "run" -> expecting <$> ranLine
    _ | not (null executor) || isJust slot -> pfail
    "rules" ->
      (\rules -> vector {vectorRules = rules}) <$> sepBy1 (fromIntegral <$> (char 'R' *> integer)) (munch1 isBlank)
    "after" -> do
      at <- sumOf <* equals
      content <- (ContentBytes <$> quoted) +++ (ContentWord <$> sumOf)
      pure vector {vectorAfters = vectorAfters vector ++ [(at, content)]}
    "flags" -> (\flags -> vector {vectorFlags = flags}) <$> integer
    "count" -> (\count' -> vector {vectorCount = Just count'}) <$> integer
    "slots" -> (\array -> vector {vectorSlotsArray = array}) <$> arrayName
    "rets" -> (\array -> vector {vectorRetsArray = array}) <$> arrayName
    "table" -> vector {vectorFunctions = True} <$ string "functions"
    _ -> pfail

arrayName :: ReadP Array
arrayName = (Null <$ string "null") +++ (Misaligned <$ string "misaligned")

ranLine :: ReadP Wanted
ranLine = do
  results <- concat <$> many (expected <* munch1 isBlank)
  _ <- string "last"
  _ <- munch1 isBlank
  Ran results . fromIntegral <$> integer

-- | @RESULT@ or @RESULT*TIMES@
expected :: ReadP [Expected]
expected = do
  one <-
    choice
      [ NotNegative <$ string ">=0",
        Positive <$ string ">0",
        NotANumber <$ string "nan",
        Untouched <$ char '-',
        Exactly <$> sumOf
      ]
  case one of
    Exactly [(False, Constant "last")] -> pfail
    Exactly [(False, Constant "nan")] -> pfail
    _ -> pure ()
  times <- optionalWith 1 (char '*' *> integer)
  pure (replicate (fromIntegral times) one)

-- Words ---------------------------------------------------------------------------------------------------------------

sumOf :: ReadP Sum
sumOf = do
  negative <- isJust <$> optional (char '-')
  first <- term
  rest <- many ((,) <$> sign <*> term)
  pure ((negative, first) : rest)
  where
    sign = (False <$ char '+') +++ (True <$ char '-')

term :: ReadP Term
term =
  choice
    [ Number <$> natural,
      Real <$> real,
      Constant <$> name,
      MemoryAt <$> (char '&' *> name),
      RetAt <$> (string "$ret" *> index),
      ArgAt <$> (string "$arg" *> index) <*> index,
      SlotAt <$> (string "$slot" *> index)
    ]
  where
    index = between (char '[') (char ']') (fromIntegral <$> natural)

natural :: ReadP Int64
natural = do
  text <- munch1 isAlphaNum
  case text of
    _ | all isDigit text -> pure (fromInteger (read text))
    '0' : 'x' : digits | [(value, "")] <- readHex digits -> pure (fromInteger value)
    _ -> pfail

real :: ReadP Double
real = read <$> ((++) <$> munch1 isDigit <*> ((++) <$> string "." <*> munch1 isDigit))

integer :: ReadP Int64
integer = do
  negative <- isJust <$> optional (char '-')
  (if negative then negate else id) <$> natural

name :: ReadP String
name = (:) <$> satisfy (\c -> isAlpha c || c == '_') <*> munch (\c -> isAlphaNum c || c == '_')

quoted :: ReadP String
quoted = between (char '"') (char '"') (many (escaped +++ satisfy (`notElem` "\"\\")))
  where
    escaped = char '\\' *> (plain +++ hex)
    plain = choice [to <$ char from | (from, to) <- zip "nt0\\\"" "\n\t\0\\\""]
    hex = char 'x' *> (toEnum . sum . map fst . readHex <$> count 2 (satisfy isHexDigit))

equals :: ReadP ()
equals = skipBlanks <* char '=' <* skipBlanks

skipBlanks :: ReadP ()
skipBlanks = void (munch isBlank)

isBlank :: Char -> Bool
isBlank c = c == ' ' || c == '\t'

-- | What is there, or the default only if it is not.
optionalWith :: a -> ReadP a -> ReadP a
optionalWith fallback parser = parser <++ pure fallback

-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}
{-# LANGUAGE OverloadedStrings #-}

-- | Notes as files: plain text and Markdown below one folder. Symbolic links are not followed, so nothing outside of
-- the folder is read, and there is no cycle. Paths are in UTF-8, whatever the locale is.
module Notes.Folder
  ( NoteFile (..),
    NoteText (..),
    folderDepthMax,
    isNote,
    isHidden,
    joined,
    foldersIn,
    isFolder,
    checkedPath,
    askFile,
    notesBelow,
    readNote,
    replaceNote,
  )
where

import Control.Exception (IOException, bracket, try)
import Control.Monad (forM, unless, when)
import Data.Bits ((.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.ByteString.Internal (createAndTrim)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Containers.ListUtils (nubOrd)
import Data.Either (fromRight)
import Data.Foldable (forM_)
import Data.Int (Int64)
import Data.List (inits)
import Data.Maybe (catMaybes)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (decodeUtf8', encodeUtf8)
import Foreign.C.Error (throwErrnoIfMinus1Retry)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (castPtr, plusPtr)
import Notes.Ascii (isBlank, isDigit, isLetter, shown, toSmall)
import Notes.Fault (blaming, fault)
import System.Posix.ByteString
  ( Fd (..),
    FileMode,
    FileStatus,
    RawFilePath,
    closeFd,
    createDirectory,
    fdReadBuf,
    fdWriteBuf,
    fileSize,
    getFileStatus,
    getSymbolicLinkStatus,
    isDirectory,
    isRegularFile,
    isSymbolicLink,
    modificationTimeHiRes,
    rename,
  )
import System.Posix.Directory.ByteString (closeDirStream, openDirStream, readDirStream)
import System.Posix.Types (CMode (..))

data NoteFile = NoteFile
  { -- | below the folder, with @/@
    filePath :: !Text,
    fileModifiedNs :: !Int64,
    fileBytes :: !Int64
  }
  deriving (Eq)

data NoteText = NoteText
  { textTitle :: !Text,
    textBody :: !Text,
    -- | each tag once, in small letters, without @#@
    textTags :: ![Text]
  }

-- | A longer file is left out, and counted.
noteBytesMax :: Int64
noteBytesMax = 16 * 1024 * 1024

folderDepthMax :: Int
folderDepthMax = 64

-- | Whether a file with this path is a note.
isNote :: Text -> Bool
isNote path = not (Text.null stem || isHidden name) && toSmall extension `elem` ["md", "markdown", "txt"]
  where
    name = snd (Text.breakOnEnd "/" path)
    (stem, extension) = Text.breakOnEnd "." name

isHidden :: Text -> Bool
isHidden = Text.isPrefixOf "."

-- | A path below another; the folder itself has the path @""@.
joined :: Text -> Text -> Text
joined prefix name = if Text.null prefix then name else Text.concat [prefix, "/", name]

-- | Where a path below the folder lies.
located :: RawFilePath -> Text -> RawFilePath
located folder path = Bytes.concat [folder, "/", encodeUtf8 path]

statusOf :: RawFilePath -> IO (Maybe FileStatus)
statusOf file = either noStatus Just <$> try (getSymbolicLinkStatus file)
  where
    noStatus :: IOException -> Maybe FileStatus
    noStatus _ = Nothing

-- | Whether there is such a folder, also behind a symbolic link.
isFolder :: RawFilePath -> IO Bool
isFolder path = either noFolder isDirectory <$> try (getFileStatus path)
  where
    noFolder :: IOException -> Bool
    noFolder _ = False

-- | The file of a note that was named by a host; a path may not lead out of the folder.
checkedPath :: RawFilePath -> Text -> IO RawFilePath
checkedPath folder path = do
  when (Text.null path || Text.any (== '\0') path || Text.isPrefixOf "/" path || ".." `elem` parts) $
    refuse " is not a path below the folder"
  unless (isNote path) $ refuse " is no note; its name has to end in .md, .markdown, .txt"
  forM_ (drop 1 (inits parts)) $ \above -> do
    status <- statusOf (located folder (Text.intercalate "/" above))
    when (maybe False isSymbolicLink status) $ refuse " leads through a symbolic link"
  pure (located folder path)
  where
    parts = Text.splitOn "/" path
    refuse why = fault (Text.concat ["'", path, "'", why])

fileOf :: Text -> FileStatus -> NoteFile
fileOf path status =
  NoteFile
    { filePath = path,
      fileModifiedNs = truncate (modificationTimeHiRes status * 1000000000),
      fileBytes = fromIntegral (fileSize status)
    }

-- | Ask the file system about a note.
askFile :: RawFilePath -> Text -> IO (Maybe NoteFile)
askFile folder path = do
  status <- statusOf (located folder path)
  pure $ case status of
    Just found | isRegularFile found -> Just (fileOf path found)
    _ -> Nothing

-- | What lies in a folder and is not hidden, with its path below the whole; nothing in one that cannot be read. A name
-- that is not UTF-8 is left out, since hosts get paths as texts.
entriesOf :: RawFilePath -> Text -> IO [(Text, FileStatus)]
entriesOf folder prefix = do
  names <- fromRight [] <$> tryList (bracket (openDirStream (located folder prefix)) closeDirStream namesIn)
  catMaybes <$> forM [name | Right name <- map decodeUtf8' names, not (isHidden name)] withStatus
  where
    tryList :: IO a -> IO (Either IOException a)
    tryList = try
    namesIn stream = do
      name <- readDirStream stream
      if Bytes.null name then pure [] else (name :) <$> namesIn stream
    withStatus name = fmap ((,) (joined prefix name)) <$> statusOf (located folder (joined prefix name))

-- | The folders in one, by their paths below the whole.
foldersIn :: RawFilePath -> Text -> IO [Text]
foldersIn folder prefix = map fst . filter (isDirectory . snd) <$> entriesOf folder prefix

-- | Every note below the folder, in no particular order.
notesBelow :: RawFilePath -> IO [NoteFile]
notesBelow folder = concat <$> below 0 ""
  where
    below :: Int -> Text -> IO [[NoteFile]]
    below depth prefix = do
      entries <- entriesOf folder prefix
      let here = [fileOf path status | (path, status) <- entries, isRegularFile status, isNote path]
          deeper = [path | depth < folderDepthMax, (path, status) <- entries, isDirectory status]
      (here :) . concat <$> mapM (below (depth + 1)) deeper

-- ---- what is in them -----------------------------------------------------------------------------------------------

-- it may wait for the disk
foreign import capi safe "fcntl.h open" cOpen :: CString -> CInt -> CMode -> IO CInt

foreign import capi "fcntl.h value O_RDONLY" oReadOnly :: CInt

foreign import capi "fcntl.h value O_WRONLY" oWriteOnly :: CInt

foreign import capi "fcntl.h value O_CREAT" oCreate :: CInt

foreign import capi "fcntl.h value O_TRUNC" oTruncate :: CInt

foreign import capi "fcntl.h value O_NOFOLLOW" oNoFollow :: CInt

foreign import capi "fcntl.h value O_CLOEXEC" oCloseOnExec :: CInt

-- | Use a file, which is no symbolic link.
withFile :: RawFilePath -> CInt -> (Fd -> IO a) -> IO a
withFile file flags = bracket open closeFd
  where
    open = Bytes.useAsCString file $ \name ->
      Fd <$> throwErrnoIfMinus1Retry "open" (cOpen name (flags .|. oNoFollow .|. oCloseOnExec) newFileMode)

newFileMode :: FileMode
newFileMode = 0o666

-- | The first bytes of a file, or all that it has.
readBytes :: RawFilePath -> Int -> IO ByteString
readBytes file count = withFile file oReadOnly $ \from ->
  createAndTrim count $ \buffer ->
    let go done
          | done == count = pure done
          | otherwise = do
            got <- fdReadBuf from (buffer `plusPtr` done) (fromIntegral (count - done))
            if got == 0 then pure done else go (done + fromIntegral got)
     in go 0

-- | Read a note.
readNote :: RawFilePath -> NoteFile -> IO NoteText
readNote folder (NoteFile path _ bytes) = do
  when (bytes > noteBytesMax) $
    fault (Text.concat [path, " has ", shown bytes, " bytes; at most ", shown noteBytesMax, " are read"])
  body <- blaming ("cannot read " <> path) (readBytes (located folder path) (fromIntegral bytes))
  case decodeUtf8' body of
    Left _ -> fault (Text.concat [path, " is not UTF-8 at byte ", shown (wrongByte body)])
    Right text -> pure (NoteText (titleOf path text) text (tagsOf text))

-- | The first byte that is not of UTF-8 (RFC 3629), or how many there are.
wrongByte :: ByteString -> Int
wrongByte body = go 0
  where
    go at = case Bytes.unpack (Bytes.take 4 (Bytes.drop at body)) of
      [] -> at
      first : after
        | first < 0x80 -> go (at + 1)
        | first < 0xc2 || first > 0xf4 || length after < more -> at
        | and (zipWith ($) (begins first : repeat (within 0x80 0xbf)) (take more after)) -> go (at + more + 1)
        | otherwise -> at
        where
          more
            | first < 0xe0 = 1
            | first < 0xf0 = 2
            | otherwise = 3
    within low high byte = byte >= low && byte <= high
    -- what the second byte may be: this leaves out what is overlong, a surrogate, or too great
    begins first = case first of
      0xe0 -> within 0xa0 0xbf
      0xed -> within 0x80 0x9f
      0xf0 -> within 0x90 0xbf
      0xf4 -> within 0x80 0x8f
      _ -> within 0x80 0xbf

-- | The first line that has words, or the file's name.
titleOf :: Text -> Text -> Text
titleOf path body = case filter (not . Text.null) (map bare (Text.split (`elem` ['\n', '\r']) body)) of
  title : _ -> title
  [] -> Text.dropEnd 1 (fst (Text.breakOnEnd "." (snd (Text.breakOnEnd "/" path))))
  where
    bare = Text.dropAround (\character -> isBlank character || character == '#')

-- | Words that start with @#@, at the start of a word, and go on with a letter.
tagsOf :: Text -> [Text]
tagsOf = nubOrd . go True
  where
    -- whether a tag may stand where the text begins
    go mayBegin text = case Text.breakOn "#" text of
      (_, "") -> []
      (before, found) ->
        let (name, more) = Text.span isOfTag (Text.drop 1 found)
            isTag = if Text.null before then mayBegin else isBlank (Text.last before) || Text.last before == '('
            begins = isTag && maybe False (not . isNumber) (fst <$> Text.uncons name)
         in [toSmall name | begins] ++ go False more
    isOfTag character = isLetter character || isDigit character || character `elem` ['_', '-', '/'] || isOther character
    -- other alphabets
    isOther character = character >= '\x80'
    isNumber character = isDigit character || character `elem` ['-', '/']

-- | Write a note such that it is replaced as a whole or not at all; folders that are missing are made.
replaceNote :: RawFilePath -> Text -> Text -> IO ()
replaceNote folder path text = do
  blaming (Text.concat ["cannot make a folder for '", path, "'"]) $
    forM_ (drop 1 (inits above)) $ \parts -> do
      let made = located folder (Text.intercalate "/" parts)
      there <- isFolder made
      unless there $ createDirectory made 0o777
  blaming (Text.concat ["cannot write '", path, "'"]) $ do
    withFile fresh (oWriteOnly .|. oCreate .|. oTruncate) (writeAll (encodeUtf8 text))
    rename fresh (located folder path)
  where
    names = Text.splitOn "/" path
    above = init names
    fresh = located folder (Text.intercalate "/" (above ++ [Text.concat [".", last names, ".new"]]))

writeAll :: ByteString -> Fd -> IO ()
writeAll bytes to = unless (Bytes.null bytes) $ do
  done <- unsafeUseAsCStringLen bytes $ \(start, count) -> fdWriteBuf to (castPtr start) (fromIntegral count)
  writeAll (Bytes.drop (fromIntegral done) bytes) to

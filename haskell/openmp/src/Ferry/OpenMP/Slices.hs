-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE GADTs #-}
{-# LANGUAGE LinearTypes #-}

-- | Arrays that threads change in place, where no two are ever handed the same elements: the compiler checks it.
--
-- A 'Slice' is a part of an array that nobody else has. Functions on slices are linear (@%1 ->@): who is given one uses
-- it exactly once, by handing it on. So a slice can neither be used twice, nor be kept once it was divided, nor be
-- forgotten.
--
-- > -- a quicksort whose two halves are sorted at once, in place
-- > sort :: Slice Double %1 -> Slice Double
-- > sort slice = divide (lengthSlice slice)
-- >   where
-- >     divide :: (Ur Int, Slice Double) %1 -> Slice Double
-- >     divide (Ur n, part)
-- >       | n < 2 = part
-- >       | otherwise = conquer (partition n part)
-- >     conquer :: (Ur Int, Slice Double) %1 -> Slice Double
-- >     conquer (Ur middle, part) = bothSlices middle sort sort part
-- >
-- > sorted <- modifySlices Nothing sort vector
-- >
-- > -- does not compile: two functions would have the same elements
-- > wrong part = (mapSlice (+ 1) part, mapSlice (* 2) part)
--
-- What comes out depends neither on the number of threads nor on who was faster. The functions are written with
-- @LinearTypes@; take results apart by function arguments or @case@, since GHC's @let@ is not linear.
module Ferry.OpenMP.Slices
  ( -- * Slices
    Slice,
    modifySlices,

    -- * Dividing the work
    forSlices,
    bothSlices,

    -- * The work of one thread
    mapSlice,
    imapSlice,
    foldSlice,
    readSlice,
    writeSlice,
    swapSlice,
    lengthSlice,
    kernelSlice,

    -- * What is not linear
    Ur (..),
  )
where

import Control.Exception (evaluate, throwIO)
import Control.Monad (unless, void, when)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Ferry.Internal.OpenMP.C (Kernel, callKernel)
import Ferry.Internal.OpenMP.Loop (OpenMPError (BadArgument))
import Ferry.Internal.OpenMP.Reduction (forRange)
import Ferry.OpenMP.Task
import Foreign.Ptr (FunPtr)
import Foreign.Storable (Storable)
import System.IO.Unsafe (unsafePerformIO)

-- | A part of an array that nobody else has.
data Slice a where
  Slice :: !Tasks -> !(Mutable.IOVector a) -> Slice a

-- | A value that may be used any number of times.
data Ur a where
  Ur :: a -> Ur a

-- Every effect is one 'unsafePerformIO', which is strict in the slice and returns it: what a slice was made by has been
-- done before what it is given to begins. There is one reference to each slice, so nothing is done twice.

-- | Change the elements.
change :: (Tasks -> Mutable.IOVector a -> IO ()) -> Slice a %1 -> Slice a
change act (Slice tasks part) = unsafePerformIO $ Slice tasks part <$ act tasks part
{-# INLINE change #-}

-- | Look at the elements.
look :: (Mutable.IOVector a -> IO b) -> Slice a %1 -> (Ur b, Slice a)
look act (Slice tasks part) = unsafePerformIO $ act part >>= \found -> found `seq` pure (Ur found, Slice tasks part)
{-# INLINE look #-}

-- | Copy the vector, open a region of at most so many threads ('Nothing': the default), and let the function change the
-- copy.
--
-- > modifySlices threads (mapSlice f) vector == pure (Data.Vector.Storable.map f vector)
modifySlices :: Storable a => Maybe Int -> (Slice a %1 -> Slice a) -> Storable.Vector a -> IO (Storable.Vector a)
modifySlices threads function vector = do
  copy <- Storable.thaw vector
  withTasks threads $ \tasks -> void (evaluate (function (Slice tasks copy)))
  Storable.unsafeFreeze copy

-- | Divide a slice into parts of so many elements, the last perhaps shorter, and let each be changed as a task of its
-- own. The function is told the index of its part's first element in the slice.
forSlices :: Storable a => Int -> (Int -> Slice a %1 -> Slice a) -> Slice a %1 -> Slice a
forSlices size function = change $ \tasks whole -> do
  when (size < 1) . throwIO . BadArgument $ "forSlices: parts of " ++ show size ++ " elements; give 1 or more"
  let count = Mutable.length whole
      part first =
        void . evaluate $ function first (Slice tasks (Mutable.unsafeSlice first (min size (count - first)) whole))
      go first
        | first >= count = pure ()
        -- who divides does the last part
        | count - first <= size = part first
        | otherwise = task tasks (part first) >> go (first + size)
  go 0
  taskWait tasks

-- | Divide a slice before the element of this index, and let both parts be changed at once.
bothSlices :: Storable a => Int -> (Slice a %1 -> Slice a) -> (Slice a %1 -> Slice a) -> Slice a %1 -> Slice a
bothSlices at left right = change $ \tasks whole -> do
  inside "bothSlices" (at >= 0 && at <= Mutable.length whole) at whole
  task tasks (void (evaluate (left (Slice tasks (Mutable.unsafeTake at whole)))))
  _ <- evaluate (right (Slice tasks (Mutable.unsafeDrop at whole)))
  taskWait tasks

-- | Apply a function to each element.
mapSlice :: Storable a => (a -> a) -> Slice a %1 -> Slice a
mapSlice f = imapSlice (const f)
{-# INLINE mapSlice #-}

-- | Apply a function to each element and its index.
imapSlice :: Storable a => (Int -> a -> a) -> Slice a %1 -> Slice a
imapSlice f = change $ \_ part -> forRange 0 (Mutable.length part) $ \i ->
  Mutable.unsafeRead part i >>= Mutable.unsafeWrite part i . f i
{-# INLINE imapSlice #-}

-- | Fold the elements from the left, strictly.
foldSlice :: Storable a => (b -> a -> b) -> b -> Slice a %1 -> (Ur b, Slice a)
foldSlice f start = look $ \part ->
  let go i result
        | i >= Mutable.length part = pure result
        | otherwise = Mutable.unsafeRead part i >>= \value -> let next = f result value in next `seq` go (i + 1) next
   in start `seq` go 0 start
{-# INLINE foldSlice #-}

-- | The element of this index. 'BadArgument' when there is none.
readSlice :: Storable a => Int -> Slice a %1 -> (Ur a, Slice a)
readSlice i = look $ \part -> inside "readSlice" (isIndex i part) i part >> Mutable.unsafeRead part i
{-# INLINE readSlice #-}

-- | Replace the element of this index. 'BadArgument' when there is none.
writeSlice :: Storable a => Int -> a -> Slice a %1 -> Slice a
writeSlice i value = change $ \_ part ->
  inside "writeSlice" (isIndex i part) i part >> Mutable.unsafeWrite part i value
{-# INLINE writeSlice #-}

-- | Exchange two elements. 'BadArgument' where there is none.
swapSlice :: Storable a => Int -> Int -> Slice a %1 -> Slice a
swapSlice i k = change $ \_ part -> do
  inside "swapSlice" (isIndex i part) i part
  inside "swapSlice" (isIndex k part) k part
  Mutable.unsafeSwap part i k
{-# INLINE swapSlice #-}

-- | How many elements there are.
lengthSlice :: Storable a => Slice a %1 -> (Ur Int, Slice a)
lengthSlice = look (pure . Mutable.length)
{-# INLINE lengthSlice #-}

-- | Let a C kernel change the elements: it is called once, with 0, their number, and the address of the first.
kernelSlice :: Storable a => FunPtr (Kernel a) -> Slice a %1 -> Slice a
kernelSlice kernel = change $ \_ part ->
  Mutable.unsafeWith part (callKernel kernel 0 (fromIntegral (Mutable.length part)))

isIndex :: Storable a => Int -> Mutable.IOVector a -> Bool
isIndex i part = i >= 0 && i < Mutable.length part

inside :: Storable a => String -> Bool -> Int -> Mutable.IOVector a -> IO ()
inside name is i part =
  unless is . throwIO . BadArgument $
    name ++ ": index " ++ show i ++ " of a slice of " ++ show (Mutable.length part) ++ " elements"

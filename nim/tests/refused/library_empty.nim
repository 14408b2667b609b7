# refused: the library has no methods
import ferry
ferryLibrary bad, "1.0.0"

# SPDX-License-Identifier: BSD-3-Clause
## Ferry, the provider's side in Nim: a library of ordinary procedures, called by programs in other languages on a
## thread of its own. docs/ingress-nim.md says how to write one.

import ferry/[annotate, asks, calls, codecs, handles, library, runtime, streams]

export annotate.ferryType, annotate.ferryEnum, annotate.ferryHandle, annotate.ferryConstant
export annotate.ferryConstructor, annotate.ferryDestructor, annotate.ferryMethod, annotate.ferryStatic
export annotate.ferryIdempotent, annotate.ferryEvent, annotate.ferryAsk, library.ferryLibrary, codecs.ferryCodecs
export handles.FerryHandle, handles.closeHandle, runtime.FerryError, runtime.newFerryError
export calls.FerryCall, calls.FerryCancelled, calls.thisCall, calls.isCancelled, calls.cancelled
export streams.FerryStream, streams.give, streams.tryGive, streams.isStopped, streams.stopped
export asks.FerryUnanswered, asks.FerryUnansweredReason, asks.openQuestions

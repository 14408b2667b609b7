# SPDX-License-Identifier: BSD-3-Clause
## Questions that a library asks its host, and the answers that it waits for (spec/interface.md, A1 to A8).
##
## A question is a handle with a Future. It is closed when that is finished, so an answer that comes later, or twice, is
## refused by the core. While a question is open, a timer looks whether its time is over, whether anybody still listens,
## and whether the call in whose course it was asked has ended.
##
## Everything here runs on the library thread.

import std/[asyncdispatch, monotimes, times]
import "."/[calls, handles, provider]

const
  QuestionsMax* = 64
    ## How many questions of one context may be open (A4).
  QuestionMs* = 60_000
    ## How long an answer is waited for, unless the library says otherwise.
  QuestionMsMax* = 86_400_000
  LookMs = 100
    ## How often the timer looks.

type
  FerryUnansweredReason* = enum
    ## Why a question has no answer.
    Nobody,     ## the host does not listen, or has stopped
    TooMany,    ## as many questions are open as may be
    TooLate,    ## no answer came in time
    HostFailed  ## the host's function failed; the message says why
  FerryUnanswered* = object of CatchableError
    ## What a question fails with to which no answer came.
    reason*: FerryUnansweredReason
    text*: string ## as `msg`, to which asyncdispatch adds a traceback in a debug build
  QuestionBase* = ref object of FerryHandle
    ## A question, whatever its answer is.
    event: uint32
    due: MonoTime
    call: FerryCall ## the call in whose course it was asked
    isOpen: bool
    place: int      ## in `open`, from 1; 0: not there
    refuse: RefuseFn
  RefuseFn = proc (question: QuestionBase; e: ref Exception) {.nimcall, raises: [], gcsafe.}
  FerryQuestion*[T] = ref object of QuestionBase
    ## A question whose answer is a T.
    answer*: Future[T]

var
  open {.threadvar.}: seq[QuestionBase] ## the context's questions that are open
  askEventsFrom*: uint32 ## the number of the first event that asks; set once, when the library is loaded

{.push raises: [], gcsafe, stackTrace: off.}

proc unanswered*(reason: FerryUnansweredReason; message: string): ref FerryUnanswered =
  (ref FerryUnanswered)(reason: reason, msg: message, text: message)

proc over(question: QuestionBase) =
  ## The question has its outcome: hosts know it no longer.
  question.isOpen = false
  closeHandle(question)
  if question.place == 0: return
  let last = open[^1]
  open[question.place - 1] = last
  last.place = question.place
  question.place = 0
  open.setLen(open.len - 1)

proc refuseWith*(question: QuestionBase; e: ref Exception) =
  ## The question fails.
  if not question.isOpen: return
  question.over()
  question.refuse(question, e)

proc refuseAs[T](question: QuestionBase; e: ref Exception) {.nimcall.} =
  try: FerryQuestion[T](question).answer.fail(e)
  except Exception: discard # what waits has failed, and is reported by its own future

proc answerWith*[T](question: FerryQuestion[T]; value: sink T) =
  ## The host has answered.
  if not question.isOpen: return
  question.over()
  try: question.answer.complete(value)
  except Exception: discard

proc answerNothing*(question: FerryQuestion[void]) =
  ## The host has answered a question that has no value for an answer.
  if not question.isOpen: return
  question.over()
  try: question.answer.complete()
  except Exception: discard

proc isHeard(question: QuestionBase): bool = eventWires(handlesOf, question.event) != 0

proc nobody(): ref FerryUnanswered = unanswered(Nobody, "nobody answers: the host does not listen to the question")

proc look(question: QuestionBase) =
  if question.call.isCancelled: question.refuseWith(newException(FerryCancelled, "cancelled"))
  elif getMonoTime() >= question.due: question.refuseWith(unanswered(TooLate, "no answer came in time"))
  elif not question.isHeard: question.refuseWith(nobody())

proc lookLater(question: QuestionBase) =
  let left = clamp((question.due - getMonoTime()).inMilliseconds + 1, 0, LookMs)
  try:
    sleepAsync(int(left)).addCallback(proc () {.gcsafe.} =
      if question.isOpen: question.look()
      if question.isOpen: question.lookLater())
  except Exception as e: question.refuseWith(e)

proc beginQuestion*[T](question: FerryQuestion[T]; ask: uint32; waitMs: int; during: FerryCall): bool =
  ## Begin a question, of the ask of that number. Returns whether it is to be sent; otherwise it has failed.
  question.answer = newFuture[T]("ferry.ask")
  question.event = askEventsFrom + ask
  question.refuse = refuseAs[T]
  question.call = during.orThisCall
  question.due = getMonoTime() + initDuration(milliseconds = clamp(waitMs, 0, QuestionMsMax))
  question.isOpen = true
  if question.call.isCancelled: question.refuseWith(newException(FerryCancelled, "cancelled"))
  elif open.len >= QuestionsMax:
    question.refuseWith(unanswered(TooMany, "too many questions are open: " & $QuestionsMax & " of one context may be"))
  elif not question.isHeard: question.refuseWith(nobody())
  else:
    open.add(question)
    question.place = open.len
  question.isOpen

proc followQuestion*(question: QuestionBase) =
  ## The question was sent.
  if not question.isKnown:
    question.refuseWith(newException(ValueError, "the question could not be sent"))
    return
  question.lookLater()
  if not question.call.isSome: return
  try:
    question.call.cancelled.addCallback(proc () {.gcsafe.} =
      question.refuseWith(newException(FerryCancelled, "cancelled")))
  except Exception as e: question.refuseWith(e)

proc endQuestions*(): bool =
  ## The context is about to end: fail all questions. Returns whether there were any.
  result = open.len > 0
  while open.len > 0: open[^1].refuseWith(newException(FerryCancelled, "the context ends"))

proc forgetQuestions*() =
  ## The context has ended.
  for question in open: question.isOpen = false
  open.setLen(0)

{.pop.}

proc openQuestions*(): int = open.len
  ## How many questions of this context are open.

# SPDX-License-Identifier: BSD-3-Clause
"""What a question to the host comes to (A1): an event, methods that bring its answer, a handle and an object.

So a question needs no codec, no kind of request and no rule for the network of its own, in any language.
"""

from __future__ import annotations

from dataclasses import replace

from ferry.bindgen import names
from ferry.bindgen.model import (
    Ask,
    EnumRef,
    Event,
    Field,
    Handle,
    HandleRef,
    Interface,
    Method,
    Object,
    ObjectRef,
    Scalar,
    Type,
)
from ferry.bindgen.node import DescriptionError

#: The field of what is asked, and the first parameter of each answer: by which the library knows the question.
QUESTION = "question"
#: How many questions of one context may be open, and so how many of them wait for one listener (A4).
QUESTIONS_MAX = 64


def of(
    name: str, params: tuple[Field, ...], returns: Type | None, error: EnumRef | ObjectRef | None, doc: str, place: int
) -> Ask:
    """Return a question with the names that come with it."""
    pascal = names.pascal(name)
    ways = (f"{name}_return", f"{name}_raise" if error else "", f"{name}_fail")
    return Ask(name, params, returns, error, doc, place, f"{pascal}Question", f"{pascal}Asked", *ways)


def check(interface: Interface) -> None:
    """Refuse names that questions take for themselves, and questions without a context to ask them in."""
    plain = {
        "$.methods": {method.name.replace("_", ""): method.name for method in interface.methods},
        "$.types": {declared.name.lower(): declared.name for declared in interface.types},
        "$.events": {event.name.replace("_", ""): event.name for event in interface.events},
    }
    for ask in interface.asks:
        where = f"$.asks[{ask.place}]"
        if not interface.constructor:
            raise DescriptionError(where, "is a question, and there is no constructor; add one: a context asks it")
        for place, field in enumerate(ask.params):
            if field.name.replace("_", "") == QUESTION:
                raise DescriptionError(
                    f"{where}.params[{place}].name", f"is {field.name!r}, which every question has already; rename it"
                )
        for name, taken in (
            (ask.name, "$.events"),
            (ask.by_return, "$.methods"),
            (ask.by_raise, "$.methods"),
            (ask.by_fail, "$.methods"),
            (ask.question, "$.types"),
            (ask.asked, "$.types"),
        ):
            key = name.replace("_", "").lower()
            if key and key in plain[taken]:
                raise DescriptionError(
                    f"{where}.name",
                    f"makes {name!r} a name of its own, and {taken} has {plain[taken][key]!r}; rename one",
                )
            plain[taken][key] = name


def expanded(interface: Interface) -> Interface:
    """Return the interface with what comes with its questions, behind everything else (I4)."""
    methods, types, events = list(interface.methods), list(interface.types), list(interface.events)
    handles = len(interface.handles)
    for ask in interface.asks:
        types.append(Handle(ask.question, handles, f"A question that `{ask.name}` asks."))
        types.append(_asked(ask))
        events.append(Event(ask.name, len(events), ObjectRef(ask.asked), "drop_oldest", QUESTIONS_MAX, ask.doc, ask))
        methods += _methods(ask, len(methods))
        handles += 1
    return replace(interface, methods=tuple(methods), types=tuple(types), events=tuple(events))


def _asked(ask: Ask) -> Object:
    question = Field(QUESTION, HandleRef(ask.question), "The question, to be given back with its answer.")
    return Object(ask.asked, (question, *ask.params), f"What `{ask.name}` asks.")


def _methods(ask: Ask, number: int) -> list[Method]:
    """Return the methods that bring an answer."""
    question = Field(QUESTION, HandleRef(ask.question), f"A question that `{ask.name}` asked.")
    ways: list[tuple[str, Field | None, str]] = [
        (ask.by_return, Field("value", ask.returns, "The answer.") if ask.returns else None, "Answer"),
        (ask.by_raise, Field("error", ask.error, "Why there is no answer.") if ask.error else None, "Refuse"),
        (ask.by_fail, Field("message", Scalar("string"), "Why there is no answer, for people."), "Fail to answer"),
    ]
    return [
        Method(
            name,
            number + place,
            "method",
            (question, field) if field else (question,),
            None,
            f"{verb} what `{ask.name}` asked.",
            place=ask.place,
            ask=ask,
        )
        for place, (name, field, verb) in enumerate(way for way in ways if way[0])
    ]

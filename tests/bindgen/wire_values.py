# SPDX-License-Identifier: BSD-3-Clause
"""Random values of the types of a description, as JSON has them (spec/wire)."""

from collections.abc import Callable
from typing import Any

from ferry.bindgen.model import NOTHING, EnumRef, HandleRef, Interface, Map, ObjectRef, Option, Scalar, Seq, Type
from hypothesis import strategies as st

#: Lists and maps inside so many others are empty.
DEEPEST = 2


def values(
    types: Interface, type_: Type, scalars: Callable[[Scalar], st.SearchStrategy[Any]], deep: int = 0
) -> st.SearchStrategy[Any]:
    """Values of a type of `types`; `scalars` has those of a scalar type."""

    def inner(item: Type, deeper: int = 0) -> st.SearchStrategy[Any]:
        return values(types, item, scalars, deep + deeper)

    if isinstance(type_, Seq | Map) and deep > DEEPEST:
        return st.just([])
    if isinstance(type_, Option):
        return st.none() | inner(type_.item)
    if isinstance(type_, Seq):
        return st.lists(inner(type_.item, 1), max_size=4)
    if isinstance(type_, Map):
        pairs = st.tuples(inner(type_.key), inner(type_.value, 1)).map(list)
        return st.lists(pairs, max_size=4, unique_by=lambda pair: pair[0])
    if type_ == NOTHING:
        return st.none()
    if isinstance(type_, ObjectRef):
        declared = types.object(type_.name)
        fields = {field.name: inner(field.type, 1) for field in declared.fields}
        if declared.is_variant:
            return st.one_of([st.fixed_dictionaries({name: value}) for name, value in fields.items()])
        return st.fixed_dictionaries(fields)
    if isinstance(type_, EnumRef):
        return st.sampled_from([value.name for value in types.enum(type_.name).values])
    if isinstance(type_, HandleRef):
        return st.integers(0, (1 << 64) - 1)
    return scalars(type_)


def messages(
    types: Interface, scalars: Callable[[Scalar], st.SearchStrategy[Any]]
) -> st.SearchStrategy[tuple[str, Any]]:
    """A method of `types` and a value that it may return."""
    returned = [(method.name, method.returns) for method in types.methods if method.returns is not None]
    return st.one_of([st.tuples(st.just(name), values(types, type_, scalars)) for name, type_ in returned])

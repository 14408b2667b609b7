# SPDX-License-Identifier: BSD-3-Clause
"""libferry.so through ctypes: the batch's structs, and errno watched around every call (R9)."""

import ctypes
from collections.abc import Sequence

from paths import BUILD

ERRNO_MARK = 4242


class Slot(ctypes.Structure):
    """struct batch_slot."""

    _fields_ = (
        ("nr", ctypes.c_int16),
        ("jump_fail", ctypes.c_int16),
        ("jump_zero", ctypes.c_int16),
        ("jump_positive", ctypes.c_int16),
        ("argc", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 6),
        ("arg", ctypes.c_int64 * 6),
    )


class Error(ctypes.Structure):
    """struct batch_error."""

    _fields_ = (("code", ctypes.c_int), ("reason", ctypes.c_int), ("slot", ctypes.c_long))


class Executor(ctypes.Structure):
    """struct batch_executor; the functions are called by the library alone."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("check", ctypes.c_void_p),
        ("run", ctypes.c_void_p),
        ("run_part", ctypes.c_void_p),
    )


class Prepared(ctypes.Structure):
    """struct batch_prepared."""

    _fields_ = (
        ("executor", ctypes.c_void_p),
        ("slots", ctypes.c_void_p),
        ("rets", ctypes.c_void_p),
        ("count", ctypes.c_size_t),
    )


class Function(ctypes.Structure):
    """struct batch_function."""

    _fields_ = (
        ("address", ctypes.c_void_p),
        ("argc", ctypes.c_uint8),
        ("double_mask", ctypes.c_uint8),
        ("result", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 5),
        ("name", ctypes.c_char_p),
    )


class CallExecutor(ctypes.Structure):
    """struct batch_call_executor."""

    _fields_ = (
        ("executor", Executor),
        ("functions", ctypes.POINTER(Function)),
        ("function_count", ctypes.c_size_t),
    )


class Label(ctypes.Structure):
    """struct batch_label."""

    _fields_ = (("target", ctypes.c_long), ("pending", ctypes.c_long * 3))


class Value(ctypes.Structure):
    """struct batch_value."""

    _fields_ = (("slot", ctypes.c_long), ("batch", ctypes.c_uint), ("kind", ctypes.c_uint))


class Argument(ctypes.Structure):
    """struct batch_argument; a value is one as it stands, and kind 0 is a word."""

    _fields_ = (("word", ctypes.c_long), ("batch", ctypes.c_uint), ("kind", ctypes.c_uint))


class Builder(ctypes.Structure):
    """struct batch_builder."""

    _fields_ = (
        ("slots", ctypes.POINTER(Slot)),
        ("rets", ctypes.POINTER(ctypes.c_long)),
        ("capacity", ctypes.c_size_t),
        ("count", ctypes.c_size_t),
        ("unresolved", ctypes.c_long),
        ("joined", ctypes.c_long),
        ("settled", ctypes.c_long),
        ("proven", ctypes.c_long),
        ("batch", ctypes.c_uint),
        ("error", Error),
    )


def load() -> ctypes.CDLL:
    """The library of the build under test, with the types of what is called here."""
    library = ctypes.CDLL(str(BUILD / "lib" / "libferry.so"), use_errno=True)
    pointer, size, word = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long
    library.batch_verify.argtypes = [pointer, pointer, size, ctypes.c_ulong, ctypes.POINTER(Error)]
    library.batch_run.argtypes = [pointer, pointer, pointer, size, ctypes.c_ulong, ctypes.POINTER(Error)]
    library.batch_run.restype = word
    prepared = ctypes.POINTER(Prepared)
    library.batch_prepare.argtypes = [prepared, pointer, pointer, pointer, size, ctypes.c_ulong, ctypes.POINTER(Error)]
    library.batch_prepared_run_while.argtypes = [prepared, size, ctypes.POINTER(ctypes.c_ulong)]
    library.batch_prepared_run_while.restype = word
    library.batch_prepared_run_some.argtypes = [prepared, size, size]
    library.batch_prepared_run_some.restype = word
    library.batch_result_next.argtypes = [pointer, pointer, word, word]
    library.batch_result_next.restype = word
    library.batch_result_failed.argtypes = [pointer, pointer, word]
    library.batch_result_failed.restype = word
    builder, label = ctypes.POINTER(Builder), ctypes.POINTER(Label)
    library.batch_builder_init.argtypes = [builder, pointer, pointer, size]
    library.batch_builder_init.restype = None
    library.batch_builder_call.argtypes = [builder, ctypes.c_int, ctypes.c_uint, pointer]
    library.batch_builder_copy.argtypes = [builder, pointer, pointer]
    library.batch_builder_load_word.argtypes = [builder, pointer]
    library.batch_builder_add_arguments.argtypes = [builder, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Argument)]
    library.batch_builder_value.argtypes = [builder, word]
    library.batch_builder_jump.argtypes = [builder, Value, ctypes.c_int, label]
    library.batch_builder_may_block.argtypes = [builder, Value]
    library.batch_builder_stop.argtypes = [builder, Value, ctypes.c_int]
    library.batch_builder_label.argtypes = [builder, label]
    library.batch_builder_finish.argtypes = [builder, ctypes.POINTER(Error)]
    library.batch_builder_finish.restype = word
    for name in ("call", "copy", "load_word", "add_arguments", "value"):
        getattr(library, f"batch_builder_{name}").restype = Value
    return library


LIBRARY = load()


def executor(name: str) -> ctypes.Structure:
    """An executor without state of its own."""
    return Executor.in_dll(LIBRARY, f"batch_executor_{name}")


def call_executor(functions: Sequence[tuple[object, int]]) -> tuple[CallExecutor, object]:
    """An executor over C functions of long arguments and result; keep both parts alive while it is used."""
    table = (Function * len(functions))()
    for entry, (function, argc) in zip(table, functions, strict=True):
        entry.address = ctypes.cast(function, ctypes.c_void_p) if function else None  # type: ignore[arg-type]
        entry.argc = argc
    call = CallExecutor()
    code = LIBRARY.batch_call_executor_init(ctypes.byref(call), table, ctypes.c_size_t(len(functions)))
    assert code == 0
    return call, table


def run(on: ctypes.Structure, rets: ctypes.Array[ctypes.c_long], slots: ctypes.Array[Slot], count: int) -> int:
    """batch_run without flags; errno must stay as it is."""
    error = Error()
    ctypes.set_errno(ERRNO_MARK)
    last = LIBRARY.batch_run(ctypes.byref(on), rets, slots, count, 0, ctypes.byref(error))
    assert ctypes.get_errno() == ERRNO_MARK
    return int(last)

"""The one decorator of all kernels, and the intrinsics that numba does not offer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from llvmlite import ir
from numba.extending import intrinsic

from ._cache import KernelCache


def jit(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile on first call, without the GIL; cache on disk if a folder is writable."""
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    with suppress(RuntimeError):  # no writable folder for the cache: compile in each process
        compiled._cache = KernelCache(function)
    return compiled  # type: ignore[no-any-return]


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, for functions that only kernels call: no Python wrapper, no cache entry."""
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)


def inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `inner`, for the shortest functions: numba inlines them, which saves the call."""
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", inline="always"
    )(function)


def jit_reassociate(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, but LLVM may reorder floating-point sums and so vectorise them."""
    return jit(function, fastmath={"reassoc", "contract"})


@intrinsic  # type: ignore[untyped-decorator]
def popcount(typingctx: Any, word: Any) -> Any:
    """Count the set bits of a 64-bit word."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return numba.uint64(numba.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def within(typingctx: Any, values: Any, begin: Any, low: Any, length: Any) -> Any:
    """Compare 64 values of 32 bits: bit i of the word is low <= values[begin + i] < low + length.

    One vector operation: seven times as fast as 64 shifted bits.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, vector = ir.IntType(32), ir.VectorType(ir.IntType(32), 64)

        def repeated(value: Any) -> Any:
            first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, number(0))
            return builder.shuffle_vector(first, first, ir.Constant(vector, [number(0)] * 64))

        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.bitcast(builder.gep(data, [args[1]]), vector.as_pointer())
        # Unsigned: a value below the range wraps around and lies far above it.
        above_low = builder.sub(builder.load(place, align=4), repeated(args[2]))
        return builder.bitcast(
            builder.icmp_unsigned("<", above_low, repeated(args[3])), ir.IntType(64)
        )

    return numba.uint64(values, numba.intp, numba.uint32, numba.uint32), codegen


@intrinsic  # type: ignore[untyped-decorator]
def add_product(typingctx: Any, low: Any, high: Any, a: Any, b: Any) -> Any:
    """Add a * b to a 128-bit number, taken and returned as its low and high word."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, wide = ir.IntType(64), ir.IntType(128)
        low, high, a, b = (builder.zext(arg, wide) for arg in args)
        total = builder.add(builder.mul(a, b), builder.or_(low, builder.shl(high, wide(64))))
        words = (builder.trunc(part, word) for part in (total, builder.lshr(total, wide(64))))
        return context.make_tuple(builder, signature.return_type, tuple(words))

    word = numba.uint64
    return numba.types.UniTuple(word, 2)(word, word, word, word), codegen

"""Sets of rows in blocks of 512 bits, each handled as one vector.

Arrays of blocks are flat arrays of 64-bit words, eight to a block. The loops over blocks are
written for the back end of the compiler: from loops over words it would not make whole vectors,
and counting would take three times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

ROWS = 512  # rows of a block
WORDS = 8  # words of a block

_WORD = ir.IntType(64)
_BLOCK = ir.VectorType(_WORD, WORDS)


class _Array:
    """An array that an intrinsic gets."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any, i: int) -> None:
        self.builder = builder
        self.data = context.make_array(signature.args[i])(context, builder, args[i]).data

    def word(self, i: Any) -> Any:
        """Pointer to a word."""
        return self.builder.gep(self.data, [i])

    def block(self, i: Any) -> Any:
        """Pointer to the block that begins with a word."""
        return self.builder.bitcast(self.word(i), _BLOCK.as_pointer())


@contextmanager
def _each_common(
    builder: Any, blocks: _Array, begin: Any, at: _Array, n: Any, bits: _Array, offset: Any
) -> Iterator[tuple[Any, Any]]:
    """Loop over n blocks: how many words come before each, and what it has in common with bits."""
    with cgutils.for_range(builder, n, intp=_WORD) as loop:
        before = builder.mul(loop.index, _WORD(WORDS))
        place = builder.add(builder.load(at.word(loop.index)), offset)
        block = builder.load(blocks.block(builder.add(begin, before)), align=8)
        yield before, builder.and_(block, builder.load(bits.block(place), align=8))


@intrinsic  # type: ignore[untyped-decorator]
def intersect(
    typingctx: Any, blocks: Any, begin: Any, out: Any, at: Any, n: Any, bits: Any, offset: Any
) -> Any:
    """Intersect n blocks, from word `begin` on, with blocks of bits; put them at `out` and on.

    The i-th of them meets the block of bits that begins with word at[i] + offset.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        blocks, at, bits = (_Array(context, builder, signature, args, i) for i in (0, 3, 5))
        _, begin, out, _, n, _, offset = args
        with _each_common(builder, blocks, begin, at, n, bits, offset) as (before, both):
            builder.store(both, blocks.block(builder.add(out, before)), align=8)
        return context.get_dummy_value()

    word = numba.int64
    return numba.void(blocks, word, word, at, word, bits, word), codegen


@intrinsic  # type: ignore[untyped-decorator]
def count_common(
    typingctx: Any, blocks: Any, begin: Any, at: Any, n: Any, bits: Any, offset: Any
) -> Any:
    """Count the rows that n blocks have in common with blocks of bits, see `intersect`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        blocks, at, bits = (_Array(context, builder, signature, args, i) for i in (0, 2, 4))
        _, begin, _, n, _, offset = args
        popcount = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_BLOCK, [_BLOCK]), f"llvm.ctpop.v{WORDS}i64"
        )
        counts = cgutils.alloca_once_value(builder, ir.Constant(_BLOCK, [0] * WORDS))
        with _each_common(builder, blocks, begin, at, n, bits, offset) as (_, both):
            more = builder.call(popcount, [both])
            builder.store(builder.add(builder.load(counts), more), counts)
        total = builder.load(counts)
        lane = ir.IntType(32)
        for half in (4, 2, 1):
            turned = [lane((i + half) % WORDS) for i in range(WORDS)]
            turn = ir.Constant(ir.VectorType(lane, WORDS), turned)
            total = builder.add(total, builder.shuffle_vector(total, total, turn))
        return builder.extract_element(total, lane(0))

    word = numba.int64
    return numba.uint64(blocks, word, at, word, bits, word), codegen

"""Sets of rows in blocks of 512 bits, each handled as one vector.

Arrays of blocks are flat arrays of 64-bit words, eight to a block. The operations on a block are
LLVM vector instructions: LLVM does not turn loops over words into whole vectors, and counting
would take four times as long.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

ROWS = 512  # rows of a block
WORDS = 8  # words of a block

_BLOCK = ir.VectorType(ir.IntType(64), WORDS)


def _block(context: Any, builder: Any, signature: Any, args: Any, i: int) -> Any:
    """Pointer to a block: argument i is an array, the next one the first word of the block."""
    data = context.make_array(signature.args[i])(context, builder, args[i]).data
    return builder.bitcast(builder.gep(data, [args[i + 1]]), _BLOCK.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def intersect(typingctx: Any, one: Any, i: Any, other: Any, j: Any, out: Any, k: Any) -> Any:
    """Store the intersection of two blocks in a third, each given by its array and first word."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one, other, out = (_block(context, builder, signature, args, i) for i in (0, 2, 4))
        both = builder.and_(builder.load(one, align=8), builder.load(other, align=8))
        builder.store(both, out, align=8)
        return context.get_dummy_value()

    return numba.void(one, numba.int64, other, numba.int64, out, numba.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def count_common(typingctx: Any, one: Any, i: Any, other: Any, j: Any) -> Any:
    """Count the rows that two blocks have in common, each given by its array and first word."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one, other = (_block(context, builder, signature, args, i) for i in (0, 2))
        both = builder.and_(builder.load(one, align=8), builder.load(other, align=8))

        def call(name: str, result: Any, block: Any) -> Any:
            kind = ir.FunctionType(result, [_BLOCK])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [block])

        counts = call(f"llvm.ctpop.v{WORDS}i64", _BLOCK, both)
        return call(f"llvm.vector.reduce.add.v{WORDS}i64", ir.IntType(64), counts)

    return numba.uint64(one, numba.int64, other, numba.int64), codegen

"""Converts columns of Polars to arrays of C, and back."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import polars as pl

from podium.scoring.kernel.library import compiled
from podium.scoring.kernel.structures import Cells

PADDING = 64
"""Bytes after every text, so that eight bytes can be loaded from any position in it."""

_JOINED_TEXTS = 1 << 18
_VIEW_BYTES, _POINTER_BYTES = 16, ctypes.sizeof(ctypes.c_void_p)

Numeric = (
    type[pl.UInt8]
    | type[pl.UInt16]
    | type[pl.UInt32]
    | type[pl.UInt64]
    | type[pl.Int32]
    | type[pl.Int64]
    | type[pl.Float64]
)
_BYTES: dict[Any, int] = {
    **{pl.UInt8: 1, pl.UInt16: 2, pl.UInt32: 4, pl.UInt64: 8},
    **{pl.Int32: 4, pl.Int64: 8, pl.Float64: 8},
}
_FORMATS: dict[Any, ctypes.c_char_p] = {
    **{pl.UInt8: ctypes.c_char_p(b"C"), pl.UInt16: ctypes.c_char_p(b"S")},
    **{pl.UInt32: ctypes.c_char_p(b"I"), pl.UInt64: ctypes.c_char_p(b"L")},
    **{pl.Int32: ctypes.c_char_p(b"i"), pl.Int64: ctypes.c_char_p(b"l")},
    pl.Float64: ctypes.c_char_p(b"g"),
}


class _ArrowArray(ctypes.Structure):
    """`struct ArrowArray` of the Arrow C data interface."""

    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        ("children", ctypes.POINTER(ctypes.c_void_p)),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _ArrowSchema(ctypes.Structure):
    """`struct ArrowSchema` of the Arrow C data interface."""

    _fields_ = (
        ("format", ctypes.c_void_p),
        ("name", ctypes.c_void_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class _ArrowArrayStream(ctypes.Structure):
    """The first fields of `struct ArrowArrayStream`."""

    _fields_ = (
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
    )


_pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in.restype = ctypes.c_void_p
_pointer_in.argtypes = (ctypes.py_object, ctypes.c_char_p)
_capsule_of = ctypes.pythonapi.PyCapsule_New
_capsule_of.restype = ctypes.py_object
_capsule_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_SCHEMA, _ARRAY = ctypes.c_char_p(b"arrow_schema"), ctypes.c_char_p(b"arrow_array")


class _Lent:
    """A column exported by Polars: `array` is valid for as long as this lives."""

    def __init__(self, series: pl.Series) -> None:
        self.array = _ArrowArray()
        if series.null_count():
            raise ValueError("a column with nulls is not an array")
        capsule = series.rechunk().__arrow_c_stream__(None)
        stream = _ArrowArrayStream.from_address(_pointer_in(capsule, b"arrow_array_stream"))
        if stream.get_next(ctypes.addressof(stream), ctypes.addressof(self.array)):
            raise MemoryError("the column cannot be had as an array")

    def __del__(self) -> None:
        # The stream of an empty column may hold no array at all.
        if self.array.release:
            self.array.release(ctypes.addressof(self.array))


class Column:
    """The values of a numeric column without nulls, at `address` for as long as this lives."""

    def __init__(self, series: pl.Series) -> None:
        self._lent, self._width = _Lent(series), _BYTES[series.dtype]
        array = self._lent.array
        start = array.buffers[1] if array.release else None
        self.address: int | None = start and start + array.offset * self._width

    def view(self) -> memoryview:
        """Returns the bytes of all values without a copy."""
        if self.address is None:
            return memoryview(b"")
        size = self._lent.array.length * self._width
        return memoryview((ctypes.c_char * size).from_address(self.address))


class CellColumn:
    """The cells of a column with at least one row, texts or lists of Int64 without nulls, as the
    structure `c` of the compiled functions, for as long as this lives."""

    def __init__(self, series: pl.Series) -> None:
        self._lent, self.c = _Lent(series), Cells()
        array = self._lent.array
        values, offset = array.buffers[1], array.offset
        if series.dtype == pl.String:
            # Validity and views come before the buffers of text.
            self.c.views = values + _VIEW_BYTES * offset
            self.c.buffers = ctypes.addressof(array.buffers.contents) + 2 * _POINTER_BYTES
            return
        items = _ArrowArray.from_address(array.children[0])
        if items.null_count:
            raise ValueError("a list with nulls is not an array")
        self.c.starts = values + _BYTES[pl.Int64] * offset
        self.c.numbers = (items.buffers[1] or 0) + _BYTES[pl.Int64] * items.offset


class Filled:
    """Memory for a column that C writes, at `address`; zeroed, or uninitialized. Raises
    RuntimeError where the kernel was not compiled, MemoryError where there is no memory.

    The memory is allocated by the C library, and Polars takes it over without a copy.
    """

    def __init__(self, kind: Numeric, count: int, *, zeros: bool = False) -> None:
        self._kind, self._count, self.address = kind, count, 0
        self.address = compiled().podium_make_room(count * _BYTES[kind], zeros) or 0
        if not self.address:
            raise MemoryError("there is no room for a column")

    def column(self, count: int | None = None) -> pl.Series:
        """Returns the column, or its first values. It can be called once."""
        given = _HandedOver(self.address, self._kind, self._count if count is None else count)
        self.address = 0
        return pl.Series(given)

    def __del__(self) -> None:
        if self.address:
            compiled().podium_drop_room(self.address)


class TextColumn:
    """Concatenated texts in UTF-8: `text` at `address`; number n begins at `starts[n]`, and
    `starts` has one entry more than there are texts (Int64)."""

    def __init__(self, series: pl.Series) -> None:
        lengths = series.str.len_bytes().cast(pl.Int64)
        none = pl.Series([0], dtype=pl.Int64)
        self.starts = Column(pl.concat([none, lengths.cum_sum()]))
        self._text = Array(int(lengths.sum()) + PADDING)
        size = 0
        for texts in series.to_frame().iter_slices(_JOINED_TEXTS):
            joined = texts.to_series().str.join("").item().encode()
            self._text.bytes[size : size + len(joined)] = joined
            size += len(joined)
        self.address = self._text.address


def texts_at(address: int, size: int) -> pl.Series:
    """Splits bytes of ASCII into their lines, String."""
    text = ctypes.string_at(address, size).decode("ascii")
    return pl.Series([text.removesuffix("\n")]).str.split("\n").explode()


class _Memory:
    """Memory that C writes to, at `address`; `bytes` of the classes below."""

    def __init__(self, memory: bytearray | mmap.mmap, size: int) -> None:
        # While a view exists, the memory cannot be resized.
        self._view = (ctypes.c_char * size).from_buffer(memory)
        self.address = ctypes.addressof(self._view)

    def column(self, kind: Numeric, count: int) -> pl.Series:
        """Copies the first numbers into a column. Raises RuntimeError where the kernel was not
        compiled."""
        copy = Filled(kind, count)
        ctypes.memmove(copy.address, self.address, count * _BYTES[kind])
        return copy.column()

    def texts(self, size: int) -> pl.Series:
        """Splits the first bytes into their lines, String."""
        return texts_at(self.address, size)


class Workspace(_Memory):
    """Memory of zeros that C writes to. Megabytes that are never written cost neither time nor
    memory."""

    def __init__(self, size: int) -> None:
        self.bytes = mmap.mmap(-1, max(1, size), access=mmap.ACCESS_COPY)
        super().__init__(self.bytes, size)


class Array(_Memory):
    """Memory that C writes to, filled with zeros or another byte."""

    def __init__(self, size: int, fill: bytes = b"\0") -> None:
        self.bytes = bytearray(fill) * size if fill != b"\0" else bytearray(size)
        super().__init__(self.bytes, size)


class _HandedOver:
    """A filled column whose memory Polars takes over."""

    def __init__(self, address: int, kind: Numeric, count: int) -> None:
        self._schema, self._array = _ArrowSchema(), _ArrowArray()
        compiled().podium_make_column(
            address,
            count,
            _FORMATS[kind],
            ctypes.addressof(self._schema),
            ctypes.addressof(self._array),
        )

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Exports the column, for one reader."""
        return (
            _capsule_of(ctypes.addressof(self._schema), _SCHEMA, None),
            _capsule_of(ctypes.addressof(self._array), _ARRAY, None),
        )

"""The stream of Arrow that `pmon relog -f arrows` writes: batches of columns, as arrays of NumPy.

Only what pmon writes is understood (docs/reference/formats/arrow.md): texts are dictionaries with
indices of 32 bits, all else has 64 bits, nothing is compressed or nested. The metadata are FlatBuffers:
Apache Arrow, format/Message.fbs and Schema.fbs.
"""
# SPDX-License-Identifier: MIT

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING, Any, Dict, Generator, Iterator, List, NamedTuple, Optional, Tuple

if TYPE_CHECKING:
    import numpy

INT, DOUBLE, TEXT, TIMESTAMP = 2, 3, 5, 10     # Schema.fbs, union Type
SCHEMA, DICTIONARY, RECORDS = 1, 2, 3          # Message.fbs, union MessageHeader


class Column(NamedTuple):
    kind: int
    values: "numpy.ndarray[Any, Any]"                   # of texts: places in the dictionary, -1 for none
    valid: Optional["numpy.ndarray[Any, Any]"]          # None: all
    texts: Optional[List[str]]                          # grows while the stream is read


class Field(NamedTuple):
    name: str
    kind: int
    nullable: bool
    dictionary: Optional[int]


class Records(NamedTuple):
    """A batch of rows as it came"""

    fields: List[Field]
    texts: Dict[int, List[str]]     # by the number of the dictionary; they grow while the stream is read
    rows: int
    nodes: List[Tuple[int, int]]    # length and number of nulls of each column
    buffers: List[Tuple[int, int]]  # place and size in the body: two of each column
    body: bytes


class _Table:
    """A table of FlatBuffers: its fields by their number"""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at
        self.fields = at - self._int("<i", at)

    def _int(self, form: str, at: int) -> int:
        value: int = struct.unpack_from(form, self.data, at)[0]
        return value

    def _place(self, field: int) -> int:
        entry = 4 + 2 * field
        offset = self._int("<H", self.fields + entry) if entry < self._int("<H", self.fields) else 0
        return self.at + offset if offset else 0

    def number(self, field: int, form: str) -> int:
        place = self._place(field)
        return self._int(form, place) if place else 0

    def _follow(self, place: int) -> int:
        return place + self._int("<I", place)

    def table(self, field: int) -> Optional["_Table"]:
        place = self._place(field)
        return _Table(self.data, self._follow(place)) if place else None

    def text(self, field: int) -> str:
        start = self._follow(self._place(field))
        return self.data[start + 4:start + 4 + self._int("<I", start)].decode("utf-8")

    def tables(self, field: int) -> List["_Table"]:
        start = self._follow(self._place(field))
        return [_Table(self.data, self._follow(start + 4 + 4 * i)) for i in range(self._int("<I", start))]

    def pairs(self, field: int) -> List[Tuple[int, int]]:
        start = self._follow(self._place(field))
        places = range(start + 4, start + 4 + 16 * self._int("<I", start), 16)
        return [(self._int("<q", place), self._int("<q", place + 8)) for place in places]


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise EOFError("the stream of pmon ends early")
    return data


def _messages(stream: IO[bytes]) -> Iterator[Tuple[int, _Table, bytes]]:
    """Kind, header and body of each message; a stream that pmon could not finish ends like any other."""
    while True:
        begin = stream.read(8)
        if len(begin) < 8:
            return
        mark, size = struct.unpack("<Ii", begin)
        if mark != 0xFFFFFFFF:
            raise ValueError("this is not a stream of Arrow")
        if size == 0:
            return
        data = _exactly(stream, size)
        message = _Table(data, struct.unpack_from("<I", data)[0])
        header = message.table(2)
        assert header is not None
        yield message.number(1, "<B"), header, _exactly(stream, message.number(3, "<q"))


def _field(table: _Table) -> Field:
    dictionary = table.table(4)
    return Field(table.text(0), table.number(2, "<B"), table.number(1, "<B") != 0, dictionary.number(0, "<q") if dictionary else None)


def _texts(records: _Table, body: bytes) -> List[str]:
    count = records.number(0, "<q")
    (_, _), (places, _), (start, _) = records.pairs(2)
    ends = struct.unpack_from("<%di" % (count + 1), body, places) if count > 0 else (0,)
    return [body[start + ends[i]:start + ends[i + 1]].decode("utf-8") for i in range(count)]


def _column(field: Field, count: int, nulls: int, buffers: List[Tuple[int, int]], body: bytes,
            texts: Dict[int, List[str]]) -> Column:
    import numpy as np

    (bits, _), (start, _) = buffers
    valid = None
    if nulls > 0:
        packed = np.frombuffer(body, np.uint8, (count + 7) // 8, bits)
        valid = np.unpackbits(packed, count=count, bitorder="little").astype(bool)
    if field.dictionary is not None:
        places = np.frombuffer(body, "<i4", count, start)
        return Column(TEXT, places if valid is None else np.where(valid, places, -1), None,
                      texts.setdefault(field.dictionary, []))
    form = {INT: "<i8", DOUBLE: "<f8", TIMESTAMP: "<M8[ns]"}[field.kind]
    return Column(field.kind, np.frombuffer(body, form, count, start), valid, None)


def records(stream: IO[bytes], wanted: Optional[List[str]]) -> Generator[Records, None, None]:
    """The schema, as a batch without rows, and each batch. All columns that are wanted must be there."""
    fields: List[Field] = []
    texts: Dict[int, List[str]] = {}
    for kind, header, body in _messages(stream):
        if kind == SCHEMA:
            fields = [_field(table) for table in header.tables(1)]
            missing = set(wanted or []) - {field.name for field in fields}
            if missing:
                raise ValueError("there is no column %s; there are %s" % (
                    ", ".join(sorted(missing)), ", ".join(field.name for field in fields)))
            yield Records(fields, texts, 0, [], [], b"")
        elif kind == DICTIONARY:
            batch = header.table(1)
            assert batch is not None
            known = texts.setdefault(header.number(0, "<q"), [])
            if header.number(2, "<B") == 0:
                known.clear()
            known += _texts(batch, body)
        elif kind == RECORDS:
            yield Records(fields, texts, header.number(0, "<q"), header.pairs(1), header.pairs(2), body)


def columns(batch: Records, wanted: Optional[List[str]]) -> Dict[str, Column]:
    """The columns that are wanted, or all, of a batch of rows."""
    return {field.name: _column(field, batch.rows, batch.nodes[i][1], batch.buffers[2 * i:2 * i + 2], batch.body, batch.texts)
            for i, field in enumerate(batch.fields) if wanted is None or field.name in wanted}

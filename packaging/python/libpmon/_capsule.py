"""Tidy rows through Arrow's C stream interface, in a PyCapsule, for packages that have Arrow themselves.

Columns are not copied: consumers get pointers into the messages that pmon sent. Who releases what: Apache
Arrow, "The Arrow C data interface" and "The Arrow C stream interface". _live holds what a consumer has not
released yet.
"""
# SPDX-License-Identifier: MIT

from __future__ import annotations

import ctypes
import errno
from ctypes import CFUNCTYPE, c_char_p, c_int, c_int64, c_void_p
from itertools import count
from typing import Any, Callable, Dict, Generator, List, Optional, Tuple

from . import _arrow


class ArrowSchema(ctypes.Structure):
    _fields_ = [("format", c_void_p), ("name", c_void_p), ("metadata", c_void_p), ("flags", c_int64), ("n_children", c_int64),
                ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


class ArrowArray(ctypes.Structure):
    _fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
                ("buffers", c_void_p), ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


class ArrowArrayStream(ctypes.Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


NAME = b"arrow_array_stream"
NULLABLE = 2
FORMATS = {_arrow.INT: b"l", _arrow.DOUBLE: b"g", _arrow.TIMESTAMP: b"tsn:UTC"}

_live: Dict[int, Any] = {}
_keys = count(1)
_Release = CFUNCTYPE(None, c_void_p)


def _keep(what: Any) -> int:
    key = next(_keys)
    _live[key] = what
    return key


def _release_at(kind: Any, address: Optional[int]) -> None:
    if address:
        release = kind.from_address(address).release
        if release:
            _Release(release)(address)


def _releaser(kind: Any) -> Any:
    def release(address: int) -> None:
        node = kind.from_address(address)
        if node.n_children > 0:
            for child in (c_void_p * node.n_children).from_address(node.children):
                _release_at(kind, child)
        _release_at(kind, node.dictionary)
        _live.pop(node.private_data, None)
        node.release = None
    return _Release(release)


_release_schema, _release_array = _releaser(ArrowSchema), _releaser(ArrowArray)


def _address(what: Any) -> Optional[int]:
    return None if what is None else ctypes.addressof(what)


def _pointers(nodes: List[Any]) -> Any:
    return (c_void_p * max(len(nodes), 1))(*map(ctypes.addressof, nodes))


def _fill_schema(out: ArrowSchema, form: bytes, name: bytes, nullable: bool, children: List[ArrowSchema],
                 dictionary: Optional[ArrowSchema]) -> None:
    texts = ctypes.create_string_buffer(form), ctypes.create_string_buffer(name)
    pointers = _pointers(children)
    out.format, out.name, out.metadata = ctypes.addressof(texts[0]), ctypes.addressof(texts[1]), None
    out.flags, out.n_children, out.children = NULLABLE if nullable else 0, len(children), ctypes.addressof(pointers)
    out.dictionary, out.release = _address(dictionary), ctypes.cast(_release_schema, c_void_p).value
    out.private_data = _keep((texts, pointers, children, dictionary))


def _fill_array(out: ArrowArray, length: int, nulls: int, buffers: List[Optional[int]], children: List[ArrowArray],
                dictionary: Optional[ArrowArray], owner: Any) -> None:
    places, pointers = (c_void_p * len(buffers))(*buffers), _pointers(children)
    out.length, out.null_count, out.offset, out.n_buffers, out.n_children = length, nulls, 0, len(buffers), len(children)
    out.buffers, out.children, out.dictionary = ctypes.addressof(places), ctypes.addressof(pointers), _address(dictionary)
    out.release = ctypes.cast(_release_array, c_void_p).value
    out.private_data = _keep((places, pointers, children, dictionary, owner))


def _bytes_at(data: bytes) -> int:
    place = ctypes.cast(c_char_p(data), c_void_p).value
    assert place is not None
    return place


class _Source:
    """What a stream reads from: the batches of one run of pmon"""

    def __init__(self, batches: Generator[_arrow.Records, None, None], wanted: Optional[List[str]]) -> None:
        self.batches, self.wanted = batches, wanted
        self.first: Optional[_arrow.Records] = None
        self.error: Any = None
        self.texts: Dict[int, Tuple[int, Any, bytes]] = {}

    def _columns(self, fields: List[_arrow.Field]) -> List[Tuple[int, _arrow.Field]]:
        return [(i, field) for i, field in enumerate(fields) if self.wanted is None or field.name in self.wanted]

    def schema(self, out: ArrowSchema) -> None:
        if self.first is None:  # the first item has the schema and no rows
            self.first = next(self.batches)
        children = []
        for _, field in self._columns(self.first.fields):
            child, dictionary = ArrowSchema(), None
            if field.dictionary is not None:
                dictionary = ArrowSchema()
                _fill_schema(dictionary, b"u", b"", False, [], None)
            _fill_schema(child, b"i" if dictionary else FORMATS[field.kind], field.name.encode(), field.nullable, [], dictionary)
            children.append(child)
        _fill_schema(out, b"+s", b"", False, children, None)

    def _dictionary(self, number: int, texts: List[str]) -> ArrowArray:
        known = self.texts.get(number)
        if known is None or known[0] != len(texts):
            parts = [text.encode("utf-8") for text in texts]
            ends = (ctypes.c_int32 * (len(parts) + 1))()
            for i, part in enumerate(parts):
                ends[i + 1] = ends[i] + len(part)
            known = self.texts[number] = (len(texts), ends, b"".join(parts))
        array = ArrowArray()
        _fill_array(array, len(texts), 0, [None, ctypes.addressof(known[1]), _bytes_at(known[2])], [], None, known)
        return array

    def next(self, out: ArrowArray) -> None:
        if self.first is None:
            self.first = next(self.batches)
        records = next(self.batches, None)
        if records is None:
            out.release = None
            return
        start, children = _bytes_at(records.body), []
        for i, field in self._columns(records.fields):
            (bits, _), (values, _) = records.buffers[2 * i:2 * i + 2]
            nulls = records.nodes[i][1]
            child, dictionary = ArrowArray(), None
            if field.dictionary is not None:
                dictionary = self._dictionary(field.dictionary, records.texts.setdefault(field.dictionary, []))
            _fill_array(child, records.rows, nulls, [start + bits if nulls else None, start + values], [], dictionary, records.body)
            children.append(child)
        _fill_array(out, records.rows, 0, [None], children, None, None)


def _guarded(call: Callable[[_Source, Any], None], kind: Any) -> Any:
    def guarded(stream: int, out: int) -> int:
        source = _live[ArrowArrayStream.from_address(stream).private_data]
        try:
            call(source, kind.from_address(out))
            return 0
        except BaseException as error:  # nothing may pass through the caller, which is C
            source.error = ctypes.create_string_buffer(str(error).encode("utf-8"))
            return errno.EIO
    return CFUNCTYPE(c_int, c_void_p, c_void_p)(guarded)


def _last_error(stream: int) -> Optional[int]:
    return _address(_live[ArrowArrayStream.from_address(stream).private_data].error)


def _release_stream(address: int) -> None:
    stream = ArrowArrayStream.from_address(address)
    source = _live.pop(stream.private_data, None)
    if source is not None:
        source.batches.close()
    stream.release = None


_get_schema, _get_next = _guarded(_Source.schema, ArrowSchema), _guarded(_Source.next, ArrowArray)
_get_last_error = CFUNCTYPE(c_void_p, c_void_p)(_last_error)
_stream_release = _Release(_release_stream)

# Our own prototypes: one set on ctypes.pythonapi would change the function for every package in the process.
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))


def _drop(capsule: int) -> None:
    address = _pointer_of(capsule, NAME)
    _release_at(ArrowArrayStream, address)
    _live.pop(-address, None)


_drop_capsule = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def capsule(batches: Generator[_arrow.Records, None, None], wanted: Optional[List[str]]) -> Any:
    stream = ArrowArrayStream()
    for name, call in (("get_schema", _get_schema), ("get_next", _get_next), ("get_last_error", _get_last_error),
                       ("release", _stream_release)):
        setattr(stream, name, ctypes.cast(call, c_void_p).value)
    stream.private_data = _keep(_Source(batches, wanted))
    _live[-ctypes.addressof(stream)] = stream  # until the capsule goes
    return _new_capsule(ctypes.addressof(stream), NAME, ctypes.cast(_drop_capsule, c_void_p))

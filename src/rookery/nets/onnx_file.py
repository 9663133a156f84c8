"""Reading an ONNX file as what it is, a protocol buffer, without the `onnx` package that trainers have.

Only what the files of this project have is understood, and all else is refused: models may hold loops, calls
of functions and references to other files, and a runtime that is given one does what it says.

https://github.com/onnx/onnx/blob/main/onnx/onnx.proto numbers the fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from struct import unpack
from typing import Any

import numpy as np
from numpy.typing import NDArray

_VARINT, _BYTES, _FLOAT = 0, 2, 5
"""How a field is laid out; the other ways are never used here."""
_TYPES: dict[int, Any] = {
    1: np.dtype("<f4"),
    3: np.dtype("i1"),
    7: np.dtype("<i8"),
    10: np.dtype("<f2"),
}
"""The types of tensors that are read: FLOAT, INT8, INT64 and FLOAT16."""

Attribute = int | float | list[int]
Attributes = dict[str, Attribute]


@dataclass(frozen=True)
class Node:
    """One operation of a graph."""

    kind: str
    inputs: tuple[str, ...]
    output: str
    attributes: Attributes


@dataclass(frozen=True)
class Model:
    """A graph, its constants and what the file says of itself."""

    nodes: list[Node]
    constants: dict[str, NDArray[Any]]
    inputs: list[str]
    outputs: list[str]
    card: dict[str, str]
    opsets: list[tuple[str, int]]


def read(content: bytes) -> Model:
    """The model in a file.

    Raises:
        ValueError: it is none, or has more to it than we write.
    """
    try:
        return _model(memoryview(content))
    except (IndexError, UnicodeDecodeError):
        raise ValueError("it is cut off, or no ONNX file") from None


def _model(data: memoryview) -> Model:
    graph: memoryview | None = None
    card, opsets = {}, []
    for field, value in _fields(data, "the model", {1, 2, 3, 4, 5, 6, 7, 8, 14}):
        if field == 7:
            if graph is not None:
                raise ValueError("it has two graphs")
            graph = _bytes(value)
        elif field == 8:
            said = dict(_fields(_bytes(value), "an operator set", {1, 2}))
            opsets.append((_text(said.get(1, memoryview(b""))), int(said.get(2, 0))))
        elif field == 14:
            said = dict(_fields(_bytes(value), "its card", {1, 2}))
            card[_text(said.get(1, memoryview(b"")))] = _text(said.get(2, memoryview(b"")))
    if graph is None:
        raise ValueError("it has no graph")
    nodes, constants = list[Node](), dict[str, NDArray[Any]]()
    inputs, outputs = list[str](), list[str]()
    for field, value in _fields(graph, "the graph", {1, 2, 5, 10, 11, 12}):
        if field == 1:
            nodes.append(_node(_bytes(value)))
        elif field == 5:
            name, array = _tensor(_bytes(value))
            constants[name] = array
        elif field in (11, 12):
            said = dict(_fields(_bytes(value), "an input or output", {1, 2, 3}))
            (inputs if field == 11 else outputs).append(_text(said.get(1, memoryview(b""))))
    return Model(nodes, constants, inputs, outputs, card, opsets)


def _node(data: memoryview) -> Node:
    inputs, outputs, kind, attributes = [], [], "", Attributes()
    for field, value in _fields(data, "a node", {1, 2, 3, 4, 5, 6}):
        if field == 1:
            inputs.append(_text(value))
        elif field == 2:
            outputs.append(_text(value))
        elif field == 4:
            kind = _text(value)
        elif field == 5:
            name, said = _attribute(_bytes(value))
            attributes[name] = said
    if len(outputs) != 1:
        raise ValueError("a node has one output here")
    return Node(kind, tuple(inputs), outputs[0], attributes)


def _attribute(data: memoryview) -> tuple[str, Attribute]:
    """A number or a list of whole ones; graphs, as loops have them, are none."""
    name, number, numbers = "", None, list[int]()
    for field, value in _fields(data, "an attribute", {1, 2, 3, 8, 20}, float_field=2):
        if field == 1:
            name = _text(value)
        elif field == 2:
            number = unpack("<f", _bytes(value))[0]
        elif field == 3:
            number = _whole(value)
        elif field == 8:
            numbers += [_whole(value)] if isinstance(value, int) else _packed(value)
    return name, numbers if number is None else number


def _tensor(data: memoryview) -> tuple[str, NDArray[Any]]:
    """A constant that lies in the file itself, as raw bytes."""
    name, shape, kind, raw = "", list[int](), 0, memoryview(b"")
    for field, value in _fields(data, "a constant", {1, 2, 8, 9}):
        if field == 1:
            shape += [_whole(value)] if isinstance(value, int) else _packed(value)
        elif field == 2:
            kind = _whole(value)
        elif field == 8:
            name = _text(value)
        elif field == 9:
            raw = _bytes(value)
    if kind not in _TYPES:
        raise ValueError(f"a constant of type {kind} is none that we write")
    if any(size < 0 for size in shape) or prod(shape) * _TYPES[kind].itemsize != len(raw):
        raise ValueError("a constant is not as long as it says")
    return name, np.frombuffer(raw, _TYPES[kind]).reshape(shape)


def _fields(
    data: memoryview, what: str, known: set[int], float_field: int | None = None
) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message, one after the other; one that is not known is an error, never passed over.

    float_field: the one of them that is a float, given as its four bytes.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        field, wire = key >> 3, key & 7
        if field not in known:
            raise ValueError(f"{what} has a field {field}, which we never write")
        value: int | memoryview
        if (wire == _FLOAT) != (field == float_field):
            raise ValueError(f"{what} is no part of an ONNX file")
        if wire == _VARINT:
            value, at = _varint(data, at)
        elif wire == _FLOAT:
            if len(data) - at < 4:
                raise IndexError
            value, at = data[at : at + 4], at + 4
        elif wire == _BYTES:
            length, at = _varint(data, at)
            if length > len(data) - at:
                raise IndexError
            value, at = data[at : at + length], at + length
        else:
            raise ValueError(f"{what} is no part of an ONNX file")
        yield field, value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise IndexError


def _packed(data: memoryview) -> list[int]:
    numbers, at = [], 0
    while at < len(data):
        number, at = _varint(data, at)
        numbers.append(_whole(number))
    return numbers


def _whole(value: int | memoryview) -> int:
    """Numbers below 0 are written as their complement in 64 bits."""
    if not isinstance(value, int):
        raise ValueError("a number is no number")
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a part is a number")
    return value


def _text(value: int | memoryview) -> str:
    return bytes(_bytes(value)).decode()

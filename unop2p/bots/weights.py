"""Learned weights: their file format, and what they foretell, in numpy or in plain Python.

A file is JSON: the widths of the layers, how they were trained, and the weights as base64 of 16-bit
floats, little end first; of each layer first the matrix, input by input, then what is added.
"""

import base64
import binascii
import importlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from unop2p.bots import layout
from unop2p.errors import LocalError

FORMAT: Final = "unop2p-weights-1"
WIDTH_MAX: Final = 1024
LAYERS_MAX: Final = 6
Row = tuple[float, ...]


class WeightsError(LocalError):
    """These are no weights of a bot."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A network, as its file tells it."""

    sizes: tuple[int, ...]
    """Width of each layer, the input first; the last is 1."""
    matrices: tuple[tuple[Row, ...], ...]
    """By layer: by input, what goes to each output."""
    added: tuple[Row, ...]
    trained: Mapping[str, Any]
    """How: plan, seed, samples."""


def dump(sizes: Sequence[int], flat: Sequence[float], trained: Mapping[str, Any]) -> str:
    """Write a file; the inverse of `parse` but for rounding to 16 bits.

    Args:
        sizes: widths of the layers.
        flat: all numbers in the order of the file.
        trained: how they came about, plain JSON values.
    """
    packed = base64.b64encode(struct.pack(f"<{len(flat)}e", *flat)).decode("ascii")
    lines = [packed[place : place + 100] for place in range(0, len(packed), 100)]
    held = {"format": FORMAT, "layers": list(sizes), "trained": dict(trained), "weights": lines}
    return json.dumps(held, indent=1) + "\n"


def parse(text: str) -> Weights:
    """Read a file.

    Raises:
        WeightsError: it is not one, or for other features than this version's.
    """
    try:
        held = json.loads(text)
        sizes = tuple(held["layers"])
        trained = held["trained"]
        packed = base64.b64decode("".join(held["weights"]), validate=True)
        known = held["format"] == FORMAT
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error) as error:
        message = "The file cannot be read."
        raise WeightsError(message) from error
    fine = (
        known
        and isinstance(trained, dict)
        and 2 <= len(sizes) <= LAYERS_MAX
        and all(type(size) is int and 0 < size <= WIDTH_MAX for size in sizes)
    )
    if not fine or sizes[0] != layout.SIZE or sizes[-1] != 1:
        message = f"It has to be {FORMAT}, from {layout.SIZE} features to one forecast."
        raise WeightsError(message)
    count = sum(wide * narrow + narrow for wide, narrow in pairwise(sizes))
    if len(packed) != 2 * count:
        message = f"It holds {len(packed) // 2} numbers where its layers have {count}."
        raise WeightsError(message)
    numbers = struct.unpack(f"<{count}e", packed)
    if not all(abs(number) < float("inf") for number in numbers):
        message = "One of its numbers is none."
        raise WeightsError(message)
    return _cut(sizes, numbers, trained)


def _cut(sizes: tuple[int, ...], numbers: Sequence[float], trained: Mapping[str, Any]) -> Weights:
    matrices: list[tuple[Row, ...]] = []
    added: list[Row] = []
    at = 0
    for wide, narrow in pairwise(sizes):
        rows = [tuple(numbers[at + row * narrow : at + (row + 1) * narrow]) for row in range(wide)]
        at += wide * narrow
        matrices.append(tuple(rows))
        added.append(tuple(numbers[at : at + narrow]))
        at += narrow
    return Weights(sizes=sizes, matrices=tuple(matrices), added=tuple(added), trained=trained)


@lru_cache(maxsize=32)
def shipped(name: str) -> Weights:
    """Return weights that come with the program, `net-two` for one."""
    data = resources.files("unop2p.bots").joinpath("data", f"{name}.json")
    return parse(data.read_text(encoding="utf-8"))


def numpy_or_none() -> Any | None:  # noqa: ANN401  # a module
    """Return numpy where it is installed."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


@dataclass(slots=True)
class Forecaster:
    """Foretells what moves are worth, with numpy if it is there and wanted.

    Both ways give the same up to rounding errors, which `values` cuts off.
    """

    weights: Weights
    fast: bool = True
    arrays: list[Any] = field(default_factory=list)
    numpy: Any = None

    def __post_init__(self) -> None:
        """Look for numpy."""
        self.numpy = numpy_or_none() if self.fast else None
        if self.numpy is not None:
            for matrix, added in zip(self.weights.matrices, self.weights.added, strict=True):
                self.arrays += [self.numpy.array(part, "float32") for part in (matrix, added)]

    def values(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return the forecast of each move, in hundreds of points, to four digits."""
        found = self._arrays(rows) if self.numpy is not None else map(self._plain, rows)
        return [round(value, 4) for value in found]

    def _arrays(self, rows: Sequence[Sequence[float]]) -> list[float]:
        layer = self.numpy.array(rows, "float32")
        last = len(self.arrays) - 2
        for place in range(0, len(self.arrays), 2):
            layer = layer @ self.arrays[place] + self.arrays[place + 1]
            if place < last:
                layer = self.numpy.maximum(layer, 0)
        found: list[float] = layer[:, 0].tolist()
        return found

    def _plain(self, row: Sequence[float]) -> float:
        layer: Sequence[float] = row
        last = len(self.weights.added) - 1
        for place, matrix in enumerate(self.weights.matrices):
            total: list[float] = list(self.weights.added[place])
            for value, line in zip(layer, matrix, strict=True):
                if value == 1.0:
                    total = [one + other for one, other in zip(total, line, strict=True)]
                elif value:
                    total = [one + value * other for one, other in zip(total, line, strict=True)]
            layer = [max(one, 0.0) for one in total] if place < last else total
        return layer[0]

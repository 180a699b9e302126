"""Where each field of a record's line lies: paths by name, and the bytes that they take.

A line holds messages whose payload is JSON within a JSON string; a genesis holds messages whose payload
is JSON in base64. Both are looked into, so that every field of every message has a place of its own.
"""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Places = Callable[[int], int]
"""From an index within a text to the index of the byte of the line that holds it."""


@dataclass(frozen=True, slots=True)
class Span:
    """A field, or the name of one."""

    path: str
    """Names joined by dots; list indices are left out, and the kind of a message or body stands in."""
    places: tuple[int, ...]
    """Its bytes in the line, first to last; a byte of base64 inside base64 counts once."""


def spans(line: bytes) -> list[Span]:
    """Return the place of every field of a line, without its newline."""
    return list(_value(line.decode(), 0, "", lambda index: index)[0])


def _value(text: str, start: int, path: str, place: Places) -> tuple[list[Span], int]:
    """Scan the JSON value that begins at `start`; return its spans and where it ends."""
    first = text[start]
    if first == "{":
        return _object(text, start, path, place)
    if first == "[":
        found: list[Span] = []
        at = start + 1
        while text[at] != "]":
            inner, at = _value(text, at, path, place)
            found += inner
            at += text[at] == ","
        if not found:
            found.append(_span(f"{path}[]", start, at + 1, place))
        return found, at + 1
    if first == '"':
        end = _string_end(text, start)
        return list(_string(text, start + 1, end - 1, path, place)), end
    end = start
    while text[end] not in ",]}":
        end += 1
    return [_span(path, start, end, place)], end


def _object(text: str, start: int, path: str, place: Places) -> tuple[list[Span], int]:
    end = _whole(text, start)
    kind = json.loads(text[start:end]).get("kind")
    here = f"{path}<{kind}>" if kind is not None else path
    found: list[Span] = []
    at = start + 1
    while text[at] != "}":
        name_end = _string_end(text, at)
        name = text[at + 1 : name_end - 1]
        inner_path = f"{here}.{name}".lstrip(".")
        found.append(_span(f"{inner_path}#name", at + 1, name_end - 1, place))
        inner, at = _value(text, name_end + 1, inner_path, place)
        found += inner
        at += text[at] == ","
    return found, at + 1


def _string(text: str, start: int, end: int, path: str, place: Places) -> Iterator[Span]:
    raw = text[start:end]
    if path.endswith("payload"):
        inner, indices = _unescaped(raw)
        if inner.startswith("{"):
            yield from _value(inner, 0, path, lambda index: place(start + indices[index]))[0]
            return
        decoded = base64.urlsafe_b64decode(raw).decode()
        yield from _value(decoded, 0, path, lambda index: place(start + index * 4 // 3))[0]
        return
    yield _span(path, start, end, place)


def _span(path: str, start: int, end: int, place: Places) -> Span:
    return Span(path, tuple(place(index) for index in range(start, end)))


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _whole(text: str, start: int) -> int:
    _, end = json.JSONDecoder().raw_decode(text, start)
    return end


def _unescaped(raw: str) -> tuple[str, list[int]]:
    """Return a JSON string's text, and for each of its characters where it stands in `raw`."""
    out: list[str] = []
    indices: list[int] = []
    at = 0
    while at < len(raw):
        length = 1
        if raw[at] == "\\":
            length = 6 if raw[at + 1] == "u" else 2
        piece: Any = json.loads(f'"{raw[at : at + length]}"')
        out.append(piece)
        indices.append(at)
        at += length
    return "".join(out), indices

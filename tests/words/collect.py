"""Every sentence of the program that is marked for the catalogs, found in its source.

A marked sentence is the first argument, or the first two, of one of the functions of `unop2p.words`; or
the docstring of an error class, which is the sentence that a person reads.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unop2p.cli.help_text import parts_of
from unop2p.words import TYPED

ROOT = Path(__file__).parents[2]
FUNCTIONS = {"said": 1, "mark": 1, "said_n": 2, "typed": 1}
"""How many of the first arguments are sentences."""
METHODS = {"say": 1, "say_n": 2}


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a catalog."""

    one: str
    many: str = ""
    context: str | None = None

    @property
    def key(self) -> tuple[str | None, str]:
        """Return what tells it from others."""
        return (self.context, self.one)


@dataclass(slots=True)
class Found:
    """All messages, with the files that they stand in."""

    places: dict[Message, list[str]] = field(default_factory=dict)

    def add(self, message: Message, place: str) -> None:
        """Note a message."""
        seen = self.places.setdefault(message, [])
        if place not in seen:
            seen.append(place)


def sources() -> list[Path]:
    """Return the files of the package."""
    return sorted((ROOT / "unop2p").rglob("*.py"))


def text_of(node: ast.expr, named: Mapping[str, str] | None = None) -> str | None:
    """Return a string that is written out, here or under a name of its file, or None."""
    if isinstance(node, ast.Name):
        return (named or {}).get(node.id)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def named_texts(tree: ast.Module) -> dict[str, str]:
    """Return the strings that a file gives names to."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            text = text_of(node.value)
            found |= {node.target.id: text} if text is not None else {}
    return found


def marked_arguments(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that are sentences for the catalogs."""
    match call.func:
        case ast.Name(id=name) if name in FUNCTIONS:
            return call.args[: FUNCTIONS[name]]
        # A method is often given a short name first: `say = words.say`.
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in METHODS:
            return call.args[: METHODS[name]]
        case _:
            return []


def help_in(node: ast.AST) -> str | None:
    """Return the help text that an option, an argument, a group or a command has."""
    match node:
        case ast.Call(func=ast.Attribute(attr="Option" | "Argument" | "Typer"), keywords=keywords):
            texts = [text_of(keyword.value) for keyword in keywords if keyword.arg == "help"]
            return texts[0] if texts else None
        case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Attribute(attr="command"))]):
            return ast.get_docstring(node)
        case _:
            return None


def messages_in(tree: ast.Module) -> Iterator[Message]:
    """Yield the marked sentences of one file."""
    named = named_texts(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            texts = [text_of(argument, named) for argument in marked_arguments(node)]
            if texts and texts[0] is not None:
                is_typed = isinstance(node.func, ast.Name) and node.func.id == "typed"
                many = texts[1] or "" if len(texts) > 1 else ""
                yield Message(texts[0], many, TYPED if is_typed else None)
        for part in parts_of(help_in(node) or ""):
            if part.sentence:
                yield Message(part.sentence)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
            doc = " ".join((ast.get_docstring(node) or "").split())
            if doc:
                yield Message(doc)


def collect() -> Found:
    """Return all messages of the program."""
    found = Found()
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for message in messages_in(tree):
            found.add(message, path.relative_to(ROOT).as_posix())
    return found

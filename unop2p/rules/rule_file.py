"""Rule files: a table's own rules as TOML. Text in, options out.

```toml
preset = "polish"            # left out: official

[set]                        # any options, as `unop2p rules` lists them
deck = "112_shuffle"
target = 300

[[cards]]                    # up to three blank cards with a meaning of their own
name = "thunder"
count = 2                    # how many of the three blanks; left out: 1
effects = ["choose color", "draw 2 next", "skip next"]
```

What effects there are, and in which order a card does them: `blanks.py`.
"""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from unop2p.errors import InvalidOptionsError
from unop2p.rules.blanks import ALLOWED, BLANKS, BlankCard, blank_card, check_cards
from unop2p.rules.options import FIELD_NAMES, PRESETS, Options, preset, with_overrides
from unop2p.rules.toml_text import TomlTextError, read_toml
from unop2p.words import quoted, said

T = TypeVar("T")

KEYS: Final = ("preset", "set", "cards")
CARD_KEYS: Final = ("name", "count", "effects")
BYTES_MAX: Final = 64 * 1024
"""A rule file is a page at most; more is a mistake."""


class RuleFileError(InvalidOptionsError):
    """The rule file is wrong."""

    exit_code = 2


def parse_rule_file(text: str) -> Options:
    """Read a rule file.

    Args:
        text: the whole file.

    Raises:
        RuleFileError: it is no TOML, or a key in it is wrong; the message gives the line, the key
            and what is allowed.
    """
    if len(text) > BYTES_MAX:
        message = said("It is longer than {bytes_max} KiB.", bytes_max=BYTES_MAX // 1024)
        raise RuleFileError(message)
    try:
        document = read_toml(text)
    except TomlTextError as error:
        raise RuleFileError(error.args[0]) from error
    source = _Source(text)
    for key in document:
        if key not in KEYS:
            names = ", ".join(KEYS)
            reason = (
                said(
                    "there is no such key; there are: {names}. Options go under [set].", names=names
                )
                if key in FIELD_NAMES
                else said("there is no such key; there are: {names}.", names=names)
            )
            raise source.error(key=key, reason=reason)
    name = document.get("preset", "official")
    if not isinstance(name, str) or name not in PRESETS:
        raise source.error(
            key="preset",
            reason=said(
                "it is one of {names}, not {name}.", names=", ".join(PRESETS), name=quoted(name)
            ),
        )
    cards = _cards(document.get("cards", []), source)
    overrides = document.get("set", {})
    if not isinstance(overrides, dict):
        raise source.error(key="set", reason=said("it is written as [set], with options under it."))
    options = preset(name)
    if cards and "blank_cards" in overrides:
        reason = said("give the cards once: here, or as [[cards]].")
        raise source.error(key="blank_cards", reason=reason, section="set")
    together = overrides | ({"blank_cards": cards} if cards else {})
    try:
        return with_overrides(options, together)
    except InvalidOptionsError as error:
        raise source.option_error(error.detail(), overrides, cards=bool(cards)) from error


def _cards(given: object, source: "_Source") -> tuple[BlankCard, ...]:
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        reason = said("each card is written as [[cards]] with its keys under it.")
        raise source.error(key="cards", reason=reason)
    if len(given) > BLANKS:
        message = said(
            "a deck has {blanks} blank cards, and there are {given} [[cards]].",
            blanks=BLANKS,
            given=len(given),
        )
        raise source.error(key="cards", reason=message, place=BLANKS)
    cards = tuple(_card(item, place, source) for place, item in enumerate(given))
    source.guard("cards", len(cards) - 1, lambda: check_cards(cards))
    return cards


def _card(item: dict[str, object], place: int, source: "_Source") -> BlankCard:
    for key in item:
        if key not in CARD_KEYS:
            allowed = said("there is no such key; a card has: {names}.", names=", ".join(CARD_KEYS))
            raise source.error(key=key, reason=allowed, section="cards", place=place)
    for key in ("name", "effects"):
        if key not in item:
            message = said("card number {place} has no `{key}`.", place=place + 1, key=key)
            raise source.error(key="cards", reason=message, place=place)
    effects = item["effects"]
    if not isinstance(effects, list) or not all(isinstance(each, str) for each in effects):
        reason = said("it is a list of effects: {allowed}.", allowed=ALLOWED)
        raise source.error(key="effects", reason=reason, section="cards", place=place)
    name, count = item["name"], item.get("count", 1)
    # One thing at a time, so that an error names the line that it is about.
    plain = ["choose color"]
    source.guard("name", place, lambda: blank_card(name, plain), section="cards")
    source.guard("count", place, lambda: blank_card(name, plain, count), section="cards")
    return source.guard("effects", place, lambda: blank_card(name, effects, count), section="cards")


class _Source:
    """The text of a file, to say on which line a key stands."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()

    def error(
        self, *, key: str, reason: str, section: str = "", place: int | None = None
    ) -> RuleFileError:
        """Return the error for a key."""
        line = self._line(key, section, place)
        shown = f"{section}.{key}" if section else key
        if line is None:
            return RuleFileError(said("Key `{shown}`: {reason}", shown=shown, reason=reason))
        return RuleFileError(
            said("Line {line}, key `{shown}`: {reason}", line=line, shown=shown, reason=reason)
        )

    def guard(self, key: str, place: int, make: Callable[[], T], section: str = "") -> T:
        """Return what `make` makes; an error in it is told with the line of the key."""
        try:
            return make()
        except InvalidOptionsError as error:
            raise self.error(
                key=key, reason=error.detail(), section=section, place=place
            ) from error

    def option_error(
        self, reason: str, overrides: dict[str, object], *, cards: bool
    ) -> RuleFileError:
        """Return the error for options: for the first of those set that the reason names."""
        named = [key for key in re.findall(r"`(\w+)", reason) if key in overrides]
        unknown = [key for key in overrides if key not in FIELD_NAMES]
        if unknown or named:
            return self.error(key=(unknown or named)[0], reason=reason, section="set")
        return self.error(key="cards" if cards else "set", reason=reason)

    def _line(self, key: str, section: str, place: int | None) -> int | None:
        """Return the line of a key, counted from 1; None where it is not written plainly."""
        current, count = "", -1
        written = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""")
        for number, line in enumerate(self._lines, start=1):
            header = re.match(r"\s*(\[\[?)\s*([\w-]+)\s*\]", line)
            if header:
                current = header[2]
                count += header[1] == "[[" and current == "cards"
                if not section and current == key and place in (None, count):
                    return number
            elif current == section and place in (None, count) and written.match(line):
                return number
        return None

"""Blank cards that mean something: a name, and an effect put together from a few primitives.

Written on one line, as it travels in the options: `thunder x2: choose color, draw 2 next, skip next`.

What a card does happens in this order, whatever the order in which it was written:

1. `discard color`: with the card its player may put down all own cards of one color, under it;
2. `choose color`: the player names the color in force; without it that color stays;
3. `reverse`: the direction turns; with two seats its player moves again;
4. `swap hands` with a chosen seat, or `rotate hands` in the direction of play, or `shuffle hands`;
5. `draw N next`, `draw N others`, `draw N chosen`: seats take N cards, and keep their turn;
6. `skip next`: the next seat loses its turn; or `play again`: the player moves once more.

"Next" is meant in the direction that is in force after the card. Where a card asks for a chosen seat
twice (a swap and a draw), it is the same seat. Nothing of this is an attack, so nothing answers it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from unop2p.errors import InvalidOptionsError
from unop2p.words import quoted, said

BLANKS: Final = 3
"""Blank cards of a deck of 112."""
DRAW_MAX: Final = 9
"""The most cards that one effect makes a seat draw."""
NAME_CHARACTERS_MIN: Final = 3
NAME_CHARACTERS_MAX: Final = 16
COMMANDS: Final = (
    *("accept", "begin", "bye", "call", "catch", "challenge", "chat", "color", "draw", "drop"),
    *("exit", "hand", "help", "hint", "keep", "leave", "legal", "pass", "play", "quit", "ready"),
    *("rules", "say", "score", "swap", "table", "undo", "unready", "verify", "void", "why"),
)
"""What is typed at the table to do something else than to play a card."""
RESERVED: Final = ("red", "yellow", "green", "blue", "uno", "wb1", "wb2", "wb3", *COMMANDS)
"""Words that mean something else where a name can be typed; shorter ones are cards and colors."""


class Whom(StrEnum):
    """Who draws."""

    NEXT = "next"
    OTHERS = "others"
    CHOSEN = "chosen"


class HandMove(StrEnum):
    """What becomes of the hands."""

    STAY = "stay"
    SWAP = "swap"
    ROTATE = "rotate"
    SHUFFLE = "shuffle"


DISCARD: Final = "discard color"
COLOR: Final = "choose color"
REVERSE: Final = "reverse"
SKIP: Final = "skip next"
AGAIN: Final = "play again"
HANDS: Final = {f"{move} hands": move for move in HandMove if move is not HandMove.STAY}
DRAWS: Final = {
    f"draw {count} {whom}": (whom, count) for whom in Whom for count in range(1, DRAW_MAX + 1)
}
ORDER: Final = (DISCARD, COLOR, REVERSE, *HANDS, *DRAWS, SKIP, AGAIN)
"""Every effect, in the order in which a card does them."""
ALLOWED: Final = (
    f"{DISCARD}, {COLOR}, {REVERSE}, {', '.join(HANDS)}, draw N next, draw N others, "
    f"draw N chosen (N from 1 to {DRAW_MAX}), {SKIP}, {AGAIN}"
)
"""The effects as a person reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankRule:
    """What a blank card does, read from its effects."""

    names_color: bool
    discards: bool
    reverses: bool
    hands: HandMove
    draws: tuple[tuple[Whom, int], ...]
    skips: bool
    again: bool

    @property
    def needs_seat(self) -> bool:
        """Whether its player chooses a seat."""
        return self.hands is HandMove.SWAP or any(whom is Whom.CHOSEN for whom, _ in self.draws)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankCard:
    """A blank card with a meaning of its own.

    Raises:
        InvalidOptionsError: a name, count or effect that cannot be, or effects that contradict.
    """

    name: str
    """One word of letters, digits and hyphens."""
    effects: tuple[str, ...]
    """In the order of `ORDER`."""
    count: int = 1
    """How many of the blanks of a deck this card is, 1 to 3."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _check_name(self.name)
        if type(self.count) is not int or not 1 <= self.count <= BLANKS:
            message = said(
                "`count` of `{name}` cannot be {count}; it may be: 1 to {blanks}.",
                name=self.name,
                count=quoted(self.count),
                blanks=BLANKS,
            )
            raise InvalidOptionsError(message)
        _check_effects(self.name, self.effects)

    @property
    def rule(self) -> BlankRule:
        """What the card does."""
        return rule_of(self.effects)


@lru_cache(maxsize=256)
def rule_of(effects: tuple[str, ...]) -> BlankRule:
    """Return what effects come to; asked for every card that is judged, so it is read once."""
    return BlankRule(
        names_color=COLOR in effects,
        discards=DISCARD in effects,
        reverses=REVERSE in effects,
        hands=next((HANDS[item] for item in effects if item in HANDS), HandMove.STAY),
        draws=tuple(DRAWS[item] for item in effects if item in DRAWS),
        skips=SKIP in effects,
        again=AGAIN in effects,
    )


def _check_name(name: object) -> None:
    word = name.replace("-", "") if isinstance(name, str) else ""
    if (
        not isinstance(name, str)
        or not NAME_CHARACTERS_MIN <= len(name) <= NAME_CHARACTERS_MAX
        or not word.isalnum()
        or word.isdigit()
    ):
        message = said(
            "a blank card cannot be called {name}; a name is one word of "
            "{name_characters_min} to {name_characters_max} letters, digits and hyphens, "
            "with a letter in it.",
            name=quoted(name),
            name_characters_min=NAME_CHARACTERS_MIN,
            name_characters_max=NAME_CHARACTERS_MAX,
        )
        raise InvalidOptionsError(message)
    if name.lower() in RESERVED:
        message = said(
            "a blank card cannot be called {name}: at the table that word means something else.",
            name=quoted(name),
        )
        raise InvalidOptionsError(message)


def _check_effects(name: str, effects: tuple[str, ...]) -> None:
    reason = None
    unknown = [item for item in effects if item not in ORDER]
    draws = [DRAWS[item][0] for item in effects if item in DRAWS]
    if unknown:
        reason = said(
            "knows no effect {unknown}; it may hold: {allowed}.",
            unknown=quoted(unknown[0]),
            allowed=ALLOWED,
        )
    elif not effects:
        reason = said("has no effect; it may hold: {allowed}.", allowed=ALLOWED)
    elif len(set(effects)) < len(effects) or len(set(draws)) < len(draws):
        reason = said("does the same twice.")
    elif sum(item in HANDS for item in effects) > 1:
        reason = said("moves the hands twice: choose one of swap, rotate and shuffle.")
    elif SKIP in effects and AGAIN in effects:
        reason = said("cannot both skip the next seat and let its player move again.")
    elif tuple(item for item in ORDER if item in effects) != effects:
        reason = said("has its effects out of order.")
    if reason is not None:
        message = said("the card `{name}` {reason}", name=name, reason=reason)
        raise InvalidOptionsError(message)


def blank_card(name: object, effects: Sequence[str], count: object = 1) -> BlankCard:
    """Return a card from effects in any order and spacing.

    Raises:
        InvalidOptionsError: a name, count or effect that cannot be, or effects that contradict.
    """
    tidy = [" ".join(item.lower().split()) for item in effects]
    place = {item: index for index, item in enumerate(ORDER)}
    ordered = tuple(sorted(tidy, key=lambda item: place.get(item, -1)))
    return BlankCard(name=name, effects=ordered, count=count)  # type: ignore[arg-type]  # it checks


def card_text(card: BlankCard) -> str:
    """Return a card on one line; the inverse of `read_card`.

    >>> card_text(blank_card("thunder", ["skip next", "choose color", "draw 2 next"], 2))
    'thunder x2: choose color, draw 2 next, skip next'
    """
    return f"{card.name} x{card.count}: {', '.join(card.effects)}"


def read_card(text: object) -> BlankCard:
    """Read a card on one line, `NAME xCOUNT: EFFECT, EFFECT`; the count may be left out.

    Raises:
        InvalidOptionsError: it is not written so, or cannot be played.
    """
    found = re.fullmatch(r"\s*(\S+?)(?:\s+x(\d))?\s*:(.*)", text) if isinstance(text, str) else None
    if found is None:
        message = said(
            "{text} is no blank card; one is written `thunder x2: choose color, skip next`.",
            text=quoted(text),
        )
        raise InvalidOptionsError(message)
    effects = [item for item in found[3].split(",") if item.strip()]
    return blank_card(found[1], effects, int(found[2] or 1))


def check_cards(cards: Sequence[BlankCard]) -> None:
    """Raise `InvalidOptionsError` unless the cards are no more than the blanks, of different names."""
    names = [card.name.casefold() for card in cards]
    twice = [card.name for card in cards if names.count(card.name.casefold()) > 1]
    if twice:
        message = said("two blank cards are called `{twice}`.", twice=twice[0])
        raise InvalidOptionsError(message)
    total = sum(card.count for card in cards)
    if total > BLANKS:
        message = said(
            "the deck has {blanks} blank cards, and {total} were given a meaning.",
            blanks=BLANKS,
            total=total,
        )
        raise InvalidOptionsError(message)


PLAIN: Final[Mapping[str, BlankRule]] = {
    "wild": rule_of((COLOR,)),
    "swap_hands": rule_of((COLOR, "swap hands")),
    "others_draw_one": rule_of((COLOR, "draw 1 others")),
    "removed": rule_of((COLOR,)),
}
"""What the blanks without a name do, by the option `blank_effect`."""

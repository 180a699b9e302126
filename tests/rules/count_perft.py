"""All continuations of small positions, counted by the engine and by the plain reading of the rules.

    python -m tests.rules.count_perft          count with both, and write tests/rules/perft/counts.toml

A node is a position in which somebody is asked. Every lawful move of the seat in turn is a branch; in a
reaction, that nobody says anything, and each thing that one seat can say. The number for depth d is how
many rows of d such branches there are; a round that is over has none. Cards are shuffled into the order
in which they lie, so chance plays no part.
"""

import copy
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.rules import naive
from unop2p.ids import Seat
from unop2p.rules.cards import Face, deck_for
from unop2p.rules.dealt import Card, DealtGame
from unop2p.rules.due import TURNS, ReactionDue
from unop2p.rules.match import start_match
from unop2p.rules.options import PRESETS, Options, options_to_dict, with_overrides

FOLDER = Path(__file__).with_name("perft")
DEPTH = 5
"""As far as the file counts."""


class NoChance:
    """A shuffle that leaves every card where it lies."""

    def randrange(self, stop: int, /) -> int:
        """Return the greatest number allowed."""
        return stop - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One entry of positions.toml."""

    name: str
    hands: tuple[tuple[str, ...], ...]
    top: str
    pile: tuple[str, ...]
    discards: tuple[str, ...]
    """Under the top, uppermost first."""
    overrides: dict[str, Any]

    def options(self, preset: str) -> Options:
        """Return the rules under a preset."""
        return with_overrides(PRESETS[preset], self.overrides)


def positions() -> list[Position]:
    """Read positions.toml."""
    document = tomllib.loads((FOLDER / "positions.toml").read_text(encoding="utf-8"))
    return [
        Position(
            name=item["name"],
            hands=tuple(tuple(hand.split()) for hand in item["hands"]),
            top=item["top"],
            pile=tuple(item["pile"].split()),
            discards=tuple(item.get("discards", "").split()),
            overrides=item.get("options", {}),
        )
        for item in document["position"]
    ]


def counts() -> dict[str, dict[str, list[int]]]:
    """Read counts.toml: by position and preset, the number for depth 1, 2, ..."""
    document = tomllib.loads((FOLDER / "counts.toml").read_text(encoding="utf-8"))
    return {item.pop("name"): item for item in document["position"]}


# -- the engine --------------------------------------------------------------------------------


def engine_game(position: Position, preset: str) -> DealtGame:
    """Lay a position out for the engine."""
    options = position.options(preset)
    order = tuple(Seat(seat) for seat in range(len(position.hands)))
    match = start_match(options, order, order[-1])
    hands: dict[Seat, list[Card]] = {
        seat: [Face(card) for card in position.hands[seat]] for seat in order
    }
    top = Face(position.top)
    return DealtGame(
        match=match,
        position=replace(
            match.start_round(),
            turn=order[0],
            due=TURNS[order[0]],
            discards=(*(Face(card) for card in reversed(position.discards)), top),
            color=top.color,
            hand_counts=tuple(len(hands[seat]) for seat in order),
            pile_count=len(position.pile),
        ),
        rng=NoChance(),
        hands=hands,
        pile=[Face(card) for card in position.pile],
        auto_accept=False,
    )


def engine_next(game: DealtGame) -> Iterator[DealtGame]:
    """Yield the game after each branch."""

    if isinstance(game.round.due, ReactionDue):
        silent = game.copy()
        silent.react(())
        yield silent
        for seat in game.asked:
            for move in game.legal(seat):
                said = game.copy()
                said.react(((seat, move),))
                yield said
        return
    for seat in game.asked:
        for move in game.legal(seat):
            after = game.copy()
            after.act(seat, move)
            yield after


def engine_count(game: DealtGame, depth: int) -> int:
    """Return the number for a depth."""
    if depth == 0:
        return 1
    return sum(engine_count(after, depth - 1) for after in engine_next(game))


# -- the plain reading -------------------------------------------------------------------------


def plain_game(position: Position, preset: str) -> naive.Game:
    """Lay a position out for the plain reading."""
    options = position.options(preset)
    deck = [str(face.value) for face in deck_for(options)]
    seats = len(position.hands)
    game = naive.Game(options_to_dict(options), seats, seats - 1, deck)
    game.hands = [list(hand) for hand in position.hands]
    game.pile = list(position.pile)
    game.disc = [*reversed(position.discards), position.top]
    game.color = position.top[0]
    game.turn, game.dir, game.asked = 0, 1, "turn"
    game.faced, game.drawn, game.naming = None, None, False
    return game


def plain_next(game: naive.Game) -> Iterator[naive.Game]:
    """Yield the game after each branch."""
    if game.asked == "react":
        silent = copy.deepcopy(game)
        silent.react({})
        yield silent
        for seat in range(game.n):
            for text in game.legal(seat):
                said = copy.deepcopy(game)
                said.react({seat: text})
                yield said
    elif game.asked == "turn":
        for text in game.legal(game.turn):
            after = copy.deepcopy(game)
            assert after.do(game.turn, text) == "accepted"
            yield after


def plain_count(game: naive.Game, depth: int) -> int:
    """Return the number for a depth."""
    if depth == 0:
        return 1
    return sum(plain_count(after, depth - 1) for after in plain_next(game))


def main() -> None:
    lines = [
        "# Made by `python -m tests.rules.count_perft`, which counts with the engine and with the plain",
        "# reading of the rules, and writes nothing where they differ. Numbers for depth 1 to 5.",
    ]
    for position in positions():
        lines += ["", "[[position]]", f'name = "{position.name}"']
        for preset in PRESETS:
            engine, plain = engine_game(position, preset), plain_game(position, preset)
            found = [engine_count(engine, depth) for depth in range(1, DEPTH + 1)]
            other = [plain_count(plain, depth) for depth in range(1, DEPTH + 1)]
            if found != other:
                sys.exit(f"{position.name} under {preset}: {found} by the engine, {other} plainly")
            lines.append(f"{preset} = {found}")
            print(position.name, preset, found, flush=True)
    (FOLDER / "counts.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

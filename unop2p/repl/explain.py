"""What may be played and why not, and the rules in force, as lines. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from unop2p.repl.commands import DROP, sorted_hand
from unop2p.repl.paint import Paint, name, names
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import Face, discards_color, effect_of
from unop2p.rules.describe import differences
from unop2p.rules.legal import barring, refusal, why_not
from unop2p.rules.moves import Catch, Draw, Move, Pass, Play, move_text
from unop2p.rules.options import PRESETS, Options
from unop2p.rules.position import TurnPhase
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words, reason_of, said, said_n

SHORT_RULES: Final = 6
"""So many rules are told when one sits down."""
CARD_WIDTH: Final = 5


def one_of(words: Words, items: Sequence[str]) -> str:
    """Return things of which one counts: "draw or keep"."""
    return reduce(lambda one, other: words.say("{one} or {other}", one=one, other=other), items)


# -- what may be played ----------------------------------------------------------------------------


def typed_moves(legal: Iterable[Move], view: TableView, words: Words) -> str:
    """Return what can be typed, cards by notation, each once."""
    told: dict[str, None] = {}
    for move in legal:
        match move:
            case Play():
                told[f"`{move.cards[0].lower()}`"] = None
            case Pass():
                told["`keep`"] = None
            case _:
                text = move_text(move, names(view))
                told[f"`{text if isinstance(move, Catch) else text.lower()}`"] = None
    return one_of(words, list(told)) if told else words.say("wait")


def legal_lines(view: TableView, paint: Paint) -> list[str]:
    """Return for each card whether it can be played, and else why not; then the other moves."""
    state, words = view.round, paint.words
    if not view.legal or state is None or view.seat is None:
        return [f"  {_nothing_to_do(view, words)}"]
    plays: dict[Face, list[Play]] = {}
    others: list[Move] = []
    for move in view.legal:
        if isinstance(move, Play):
            plays.setdefault(move.cards[0], []).append(move)
        else:
            others.append(move)
    on_turn = view.my_turn and state.phase is not TurnPhase.COLOR
    lines: list[str] = []
    for face in dict.fromkeys(sorted_hand(view.hand) if on_turn else plays):
        told = _ways(view, plays[face], words) if face in plays else _why_not(view, face, words)
        lines.append(f"  {paint.card(face)}{' ' * (CARD_WIDTH - len(face))}{told}")
    if others:
        moves = typed_moves(others, view, words)
        other = words.say("Or {moves}.", moves=moves) if plays else _you_may(moves, words)
        lines.append(f"  {other}")
    for asked, move in ((TurnPhase.START, Draw()), (TurnPhase.AFTER_DRAW, Pass())):
        if view.my_turn and state.phase is asked and move not in view.legal:
            barred = refusal(state, view.seat, move, view.hand, view.drawn)
            lines.append(f"  {words.tell(barred or '')}")
    return lines


def _you_may(moves: str, words: Words) -> str:
    return words.say("You may {moves}.", moves=moves)


def _ways(view: TableView, ways: Sequence[Play], words: Words) -> str:
    """Return that a card can be played, what is to be named with it, and what it risks."""
    first = ways[0]
    typed = first.cards[0].lower()
    told = [words.say("yes")]
    if first.color is not None:
        told.append(words.say("name a color, `{card} g`", card=typed))
    if first.target is not None:
        others = dict.fromkeys(name(view, way.target) for way in ways if way.target is not None)
        swaps = effect_of(first.cards[0], view.options) is HandMove.SWAP
        names = ", ".join(others)
        told.append(
            words.say("say with whom you swap hands: {names}", names=names)
            if swaps
            else words.say("say whom it hits: {names}", names=names)
        )
    if discards_color(first.cards[0], view.options):
        told.append(words.say("put down a color with it, `... {drop} r`", drop=DROP))
    elif any(len(way.cards) > 1 for way in ways):
        told.append(words.say("two at once, `{card} {card}`", card=typed))
    if any(way.uno for way in ways):
        told.append(words.say("it leaves one card: add `uno`"))
    risk = barring(view.round, first, view.hand) if view.round is not None else None
    if risk is not None and view.my_turn:
        told.append(words.say("but a challenge would find you guilty, as {risk}", risk=risk))
    return f"{'; '.join(told)}."


def _why_not(view: TableView, face: Face, words: Words) -> str:
    """Return why a card of the own hand cannot be played, in the words of the rules."""
    assert view.round is not None
    assert view.seat is not None
    reason = why_not(view.round, view.seat, face, view.hand, view.drawn) or said("not now.")
    return words.say("no: {reason}", reason=reason_of(reason))


def _nothing_to_do(view: TableView, words: Words) -> str:
    state = view.round
    if view.stage is not Stage.PLAYING or state is None or view.seat is None or state.over:
        return words.say("Nothing is yours to do now.")
    if state.turn == view.seat:
        return words.say("Your word is said: a moment.")
    return words.say(
        "It is {name}'s turn: nothing is yours to do now.", name=name(view, state.turn)
    )


# -- the rules in force ----------------------------------------------------------------------------


def rules_lines(
    options: Options, described: Sequence[str], *, short: bool, words: Words = ENGLISH
) -> list[str]:
    """Return which rules are played, with what differs from `official` first.

    Args:
        options: the rules.
        described: the same in sentences.
        short: a few lines only, for who sits down.
        words: the language of the person.
    """
    telling = telling_rules(options)
    told = [words.say("Rules: {rules}.", rules=rules_name(options))]
    if not short:
        other = [line for line in described if line not in telling]
        if telling:
            told.append(words.say("Other than in `official`:"))
            told += [f"  {words.tell(line)}" for line in telling]
            told.append(words.say("As in `official`:"))
        told += [f"  {words.tell(line)}" for line in other]
    elif telling:
        # What a short list leaves out is counted, or nobody would look for it.
        left = len(telling) - SHORT_RULES
        told += [f"  {words.tell(line)}" for line in telling[:SHORT_RULES]]
        more = words.say_n("... and {n} more: `rules`.", "... and {n} more: `rules`.", left)
        told.append(f"  {more}" if left > 0 else f"  {words.say('All: `rules`.')}")
    else:
        told[0] += f" {words.say('`rules` shows them all.')}"
    return [f"  {line}" for line in told]


def safety_line(resilience: int, words: Words = ENGLISH) -> str:
    """Return what a table's resilience means for who sits down: who together could read a hand.

    Args:
        resilience: for how many absent seats the others can stand in.
        words: the language of the person.
    """
    if not resilience:
        return words.say(
            "A hand stays hidden even from all the other seats together. Nobody stands in for a seat "
            "that is away."
        )
    if resilience == 1:
        return words.say(
            "One seat may be away, and the others stand in for it: a hand stays hidden unless all the "
            "other seats give it away together."
        )
    return words.say(
        "Up to {away} seats may be away, and the others stand in for them: a hand stays hidden unless "
        "all the other seats but {less} give it away together.",
        away=resilience,
        less=resilience - 1,
    )


def rules_name(options: Options) -> str:
    """Return which rules these are, in a few words.

    >>> rules_name(PRESETS["greek"])
    'greek'
    >>> rules_name(replace(PRESETS["official"], target=100))
    'official, to 100 points'
    """
    for preset, known in PRESETS.items():
        if options == known:
            return preset
        if options == replace(known, target=options.target):
            count = options.target
            if options.match_end == "rounds":
                return said_n(
                    "{preset}, to {n} round won",
                    "{preset}, to {n} rounds won",
                    count,
                    preset=preset,
                )
            return said_n("{preset}, to {n} point", "{preset}, to {n} points", count, preset=preset)
    return said("this table's own")


_SETUP: Final = (
    "deck",
    "blank_effect",
    "dealer_selection",
    "first_action",
    "first_wild",
    "action_points",
    "extra_wild_points",
)
"""Options that change no move after the first card: they are told last."""


def telling_rules(options: Options) -> list[str]:
    """Return what differs from `official`, what changes a player's moves first."""
    official = PRESETS["official"]
    same_setup = replace(official, **{field: getattr(options, field) for field in _SETUP})
    first = differences(options, same_setup)
    return [*first, *(line for line in differences(options, official) if line not in first)]

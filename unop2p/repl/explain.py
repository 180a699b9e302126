"""What may be played and why not, and the rules in force, as lines. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
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

SHORT_RULES: Final = 6
"""So many rules are told when one sits down."""
CARD_WIDTH: Final = 4

# -- what may be played ----------------------------------------------------------------------------


def typed_moves(legal: Iterable[Move], view: TableView) -> str:
    """Return what can be typed, cards by notation, each once."""
    said: dict[str, None] = {}
    for move in legal:
        match move:
            case Play():
                said[f"`{move.cards[0].lower()}`"] = None
            case Pass():
                said["`keep`"] = None
            case _:
                text = move_text(move, names(view))
                said[f"`{text if isinstance(move, Catch) else text.lower()}`"] = None
    return " or ".join(said) or "wait"


def legal_lines(view: TableView, paint: Paint) -> list[str]:
    """Return for each card whether it can be played, and else why not; then the other moves."""
    state = view.round
    if not view.legal or state is None or view.seat is None:
        return [f"  {_nothing_to_do(view)}"]
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
        said = _ways(view, plays[face]) if face in plays else _why_not(view, face)
        lines.append(f"  {paint.card(face)}{' ' * (CARD_WIDTH - len(face))}{said}")
    if others:
        lines.append(f"  {'Or' if plays else 'You may'} {typed_moves(others, view)}.")
    for asked, move in ((TurnPhase.START, Draw()), (TurnPhase.AFTER_DRAW, Pass())):
        if view.my_turn and state.phase is asked and move not in view.legal:
            lines.append(f"  {refusal(state, view.seat, move, view.hand, view.drawn)}")
    return lines


def _ways(view: TableView, ways: Sequence[Play]) -> str:
    """Return that a card can be played, what is to be named with it, and what it risks."""
    first = ways[0]
    typed = first.cards[0].lower()
    said = ["yes"]
    if first.color is not None:
        said.append(f"name a color, `{typed} g`")
    if first.target is not None:
        others = dict.fromkeys(name(view, way.target) for way in ways if way.target is not None)
        swaps = effect_of(first.cards[0], view.options) is HandMove.SWAP
        asked = "with whom you swap hands" if swaps else "whom it hits"
        said.append(f"say {asked}: {', '.join(others)}")
    if discards_color(first.cards[0], view.options):
        said.append(f"put down a color with it, `... {DROP} r`")
    elif any(len(way.cards) > 1 for way in ways):
        said.append(f"two at once, `{typed} {typed}`")
    if any(way.uno for way in ways):
        said.append("it leaves one card: add `uno`")
    risk = barring(view.round, first, view.hand) if view.round is not None else None
    if risk is not None and view.my_turn:
        said.append(f"but a challenge would find you guilty, as {risk}")
    return f"{'; '.join(said)}."


def _why_not(view: TableView, face: Face) -> str:
    """Return why a card of the own hand cannot be played, in the words of the rules."""
    assert view.round is not None
    assert view.seat is not None
    reason = why_not(view.round, view.seat, face, view.hand, view.drawn) or "not now."
    return f"no: {reason.removeprefix(f'{face} refused: ')}"


def _nothing_to_do(view: TableView) -> str:
    state = view.round
    if view.stage is not Stage.PLAYING or state is None or view.seat is None or state.over:
        return "Nothing is yours to do now."
    if state.turn == view.seat:
        return "Your word is said: a moment."
    return f"It is {name(view, state.turn)}'s turn: nothing is yours to do now."


# -- the rules in force ----------------------------------------------------------------------------


def rules_lines(options: Options, described: Sequence[str], *, short: bool) -> list[str]:
    """Return which rules are played, with what differs from `official` first.

    Args:
        options: the rules.
        described: the same in sentences.
        short: a few lines only, for who sits down.
    """
    telling = telling_rules(options)
    said = [f"Rules: {rules_name(options)}."]
    if not short:
        other = [line for line in described if line not in telling]
        if telling:
            said += ["Other than in `official`:", *(f"  {line}" for line in telling)]
            said.append("As in `official`:")
        said += [f"  {line}" for line in other]
    elif telling:
        # What a short list leaves out is counted, or nobody would look for it.
        left = len(telling) - SHORT_RULES
        said += [f"  {line}" for line in telling[:SHORT_RULES]]
        said.append(f"  ... and {left} more: `rules`." if left > 0 else "  All: `rules`.")
    else:
        said[0] += " `rules` shows them all."
    return [f"  {line}" for line in said]


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
            unit = "rounds won" if options.match_end == "rounds" else "points"
            return f"{preset}, to {options.target} {unit}"
    return "this table's own"


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

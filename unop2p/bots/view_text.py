"""A view as plain JSON values, and back: nothing is lost, and nothing else is in it."""

from collections.abc import Mapping
from typing import Any, Final

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import Color, Face, Kind
from unop2p.rules.due import REACTIONS, TURNS, ReactionDue, TurnDue
from unop2p.rules.match import Match
from unop2p.rules.options import Options
from unop2p.rules.position import Attack, Resume, Round, TurnPhase, with_own_dict
from unop2p.rules.view import PlayerView

_PLAIN: Final = ("dealer", "turn", "direction", "pile_count", "actor", "idle", "fouled")
_TUPLES: Final = ("players", "partners", "hand_counts")
_SETS: Final = ("away", "catchable", "called", "fined")


def view_dict(view: PlayerView) -> dict[str, Any]:
    """Return all that a player sees while it is asked for a move; the rules are left out."""
    match = view.match
    return {
        "seat": view.seat,
        "hand": list(view.hand),
        "drawn": view.drawn,
        "round": _round_dict(view.round),
        "match": {
            "order": list(match.order),
            "dealer": match.dealer,
            "totals": list(match.totals),
            "rounds_won": list(match.rounds_won),
            "rounds_played": match.rounds_played,
            "out": sorted(match.out),
            "winners": list(match.winners),
        },
    }


def _round_dict(state: Round) -> dict[str, Any]:
    due, attack = state.due, state.attack
    assert isinstance(due, TurnDue | ReactionDue), "only then is a bot asked"
    return {
        "due": "turn" if isinstance(due, TurnDue) else "reaction",
        "asked": due.seat if isinstance(due, TurnDue) else due.actor,
        "phase": state.phase,
        **{name: getattr(state, name) for name in _PLAIN},
        **{name: list(getattr(state, name)) for name in _TUPLES},
        **{name: sorted(getattr(state, name)) for name in _SETS},
        "discards": list(state.discards),
        "color": state.color,
        "attack": None
        if attack is None
        else {
            "kind": attack.kind,
            "cards": attack.cards,
            "by": attack.by,
            "forbidden": None if attack.forbidden is None else list(attack.forbidden),
            "hand_count": attack.hand_count,
            "prior_color": attack.prior_color,
        },
        "dry": sorted([seat, color.value] for seat, color in state.dry),
        "effect": state.effect,
        "effect_target": state.effect_target,
        "owed": [list(pair) for pair in state.owed],
        "resume": state.resume,
    }


def read_view(found: Mapping[str, Any], options: Options) -> PlayerView:
    """Return the view of a dict that `view_dict` has made.

    Args:
        found: from our own program only: a wrong one raises KeyError, TypeError or ValueError.
        options: the rules, as they were told.
    """
    match = found["match"]
    order = tuple(Seat(seat) for seat in match["order"])
    return PlayerView(
        round=_read_round(found["round"], options),
        match=Match(
            options=options,
            seat_count=len(order),
            order=order,
            dealer=Seat(match["dealer"]),
            totals=tuple(match["totals"]),
            rounds_won=tuple(match["rounds_won"]),
            rounds_played=match["rounds_played"],
            out=frozenset(match["out"]),
            winners=tuple(match["winners"]),
        ),
        seat=Seat(found["seat"]),
        hand=tuple(Face(card) for card in found["hand"]),
        drawn=None if found["drawn"] is None else Face(found["drawn"]),
    )


def _color(letter: str | None) -> Color | None:
    return None if letter is None else Color(letter)


def _read_round(found: Mapping[str, Any], options: Options) -> Round:
    asked, attack = found["asked"], found["attack"]
    parts: dict[str, Any] = {name: found[name] for name in _PLAIN}
    parts |= {name: tuple(found[name]) for name in _TUPLES}
    parts |= {name: frozenset(found[name]) for name in _SETS}
    return with_own_dict(
        Round(
            **parts,
            options=options,
            seat_count=len(found["hand_counts"]),
            due=TURNS[asked] if found["due"] == "turn" else REACTIONS[asked],
            phase=TurnPhase(found["phase"]),
            discards=tuple(Face(card) for card in found["discards"]),
            color=_color(found["color"]),
            attack=None if attack is None else _read_attack(attack),
            dry=frozenset((Seat(seat), Color(color)) for seat, color in found["dry"]),
            effect=HandMove(found["effect"]),
            effect_target=found["effect_target"],
            owed=tuple((Seat(seat), count) for seat, count in found["owed"]),
            resume=Resume(found["resume"]),
        )
    )


def _read_attack(found: Mapping[str, Any]) -> Attack:
    forbidden = found["forbidden"]
    return Attack(
        kind=Kind(found["kind"]),
        cards=found["cards"],
        by=Seat(found["by"]),
        forbidden=None if forbidden is None else tuple(Face(card) for card in forbidden),
        hand_count=found["hand_count"],
        prior_color=_color(found["prior_color"]),
    )

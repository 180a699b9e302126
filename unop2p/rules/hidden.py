"""What a move claims about cards that nobody but its player sees.

The rules that depend on hidden cards, each as a *claim*: a short list of cases of which one holds if
the move is lawful. One claim serves three readers: the property tests hold it against `refusal` of
`legal.py`; a peer proves it when it moves; and everybody checks it after the round (`table/`).

Where a Wild Draw Four may be challenged nothing is claimed: it may be risked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from unop2p.rules.cards import Face, Kind
from unop2p.rules.due import TurnDue
from unop2p.rules.moves import Draw, Move, Pass, Play
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.public import left_behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All of these at once; what is None or empty asks nothing."""

    drawn: tuple[Face, ...] | None = None
    """The card just drawn is one of these."""
    barred: tuple[Face, ...] = ()
    """No other card of the hand is one of these."""
    needed: tuple[Face, ...] = ()
    """At least one other card of the hand is one of these."""

    def holds(self, drawn: Face | None, rest: Sequence[Face]) -> bool:
        """Return whether it holds for a drawn card and the other cards of the hand."""
        held = set(rest)
        return (
            (self.drawn is None or drawn in self.drawn)
            and not held & set(self.barred)
            and (not self.needed or bool(held & set(self.needed)))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A move is lawful if one of the cases holds."""

    cases: tuple[Case, ...]
    broken: str
    """What a player has done by whom no case holds, as part of a sentence."""

    @property
    def about_drawn(self) -> bool:
        """Whether some case asks for the card just drawn; the other cards are then the rest."""
        return any(case.drawn is not None for case in self.cases)

    def holds(self, drawn: Face | None, rest: Sequence[Face]) -> bool:
        """Return whether the move is lawful.

        Args:
            drawn: the card just drawn; asked for only where `about_drawn`.
            rest: the other cards of the hand, without those that the move plays.
        """
        return any(case.holds(drawn, rest) for case in self.cases)


def hidden_claim(round_: Round, move: Move) -> Claim | None:
    """Return what a move claims, or None where it depends on no hidden card.

    Args:
        round_: the position before the move.
        move: of the seat in turn, with nothing wrong on what everybody sees.
    """
    if not isinstance(round_.due, TurnDue):
        return None
    options = round_.options
    match move:
        case Play(cards=(face, *_)) if face.is_wild and round_.phase is not TurnPhase.ATTACKED:
            return _wild(round_, face, left_behind(move))
        case Draw() if round_.phase is TurnPhase.START and not options.voluntary_draw:
            wilds = tuple(face for face in Face if face.is_wild)
            return Claim(
                cases=(Case(barred=(*round_.colored_matches(), *wilds)),),
                broken="drew while holding a card that could be played",
            )
        case Draw() if round_.phase is TurnPhase.AFTER_DRAW:
            return _unfit(round_, "drew on although the drawn card could be played")
        case Pass() if options.drawn_card == "must_play":
            return _unfit(round_, "kept a drawn card that had to be played")
        case Pass() if options.draw_until_playable:
            return _fit(round_)
        case _:
            return None


def _barred(round_: Round, face: Face) -> tuple[Face, ...]:
    """Return what a hand must not hold beside a wild for the wild to be lawful."""
    if face.kind is Kind.WILD_DRAW_FOUR:
        return round_.wd4_forbidden()
    if round_.options.wild_condition == "no_colored_match":
        return round_.colored_matches()
    return ()


def _wild(round_: Round, face: Face, kept: tuple[Face, ...]) -> Claim | None:
    barred = tuple(dict.fromkeys((*_barred(round_, face), *kept)))
    risked = face.kind is Kind.WILD_DRAW_FOUR and round_.options.wd4_challenge != "off"
    if risked or not barred:
        return None
    return Claim(
        cases=(Case(barred=barred),),
        broken=f"played {face} while holding a card that forbids it",
    )


def _by_barred(round_: Round) -> dict[tuple[Face, ...], tuple[Face, ...]]:
    """Return the faces that may fit, by what the rest of the hand must not hold for that."""
    found: dict[tuple[Face, ...], tuple[Face, ...]] = {}
    for face in Face:
        if face.is_wild or round_.matches(face):
            barred = _barred(round_, face) if face.is_wild else ()
            found[barred] = (*found.get(barred, ()), face)
    return found


def _fit(round_: Round) -> Claim:
    return Claim(
        cases=tuple(
            Case(drawn=faces, barred=barred) for barred, faces in _by_barred(round_).items()
        ),
        broken="passed before a drawn card could be played",
    )


def _unfit(round_: Round, broken: str) -> Claim:
    fitting = _by_barred(round_)
    never = tuple(face for face in Face if not any(face in faces for faces in fitting.values()))
    return Claim(
        cases=(
            Case(drawn=never),
            *(Case(drawn=faces, needed=barred) for barred, faces in fitting.items() if barred),
        ),
        broken=broken,
    )

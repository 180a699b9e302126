"""A program that breaks rules about hidden cards, each in its own way, at a stacked table."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache

from tests.sim.cases import NAMES, Script
from tests.sim.rigged import NAME, rigged, stacked
from unop2p.deal.group import add, mul
from unop2p.deal.keys import RoundKeys
from unop2p.deal.statements import AllOf, AnyOf, Formula, Shows
from unop2p.log.messages import Statement
from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.peer.core import Peer
from unop2p.peer.mover import Mover, Standing
from unop2p.peer.own import body_for_move
from unop2p.rules.cards import Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move, parse_move
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies
from unop2p.table.checks import opening_task
from unop2p.table.claims import claim_owed
from unop2p.table.work import Checked, ClaimTask, Nothing
from unop2p.wire import codec

SEATS = 3
Claiming = bodies.Drew | bodies.Kept | bodies.Played
REDS = "R2 R3 R4 R5 R6 R7 R8"
"""The hand of everybody else: it goes on any red card, and on none of the cheat's."""


@dataclass(frozen=True)
class Kind:
    """One rule about hidden cards, and two deals: in `wrong` it is broken, in `fine` it is kept.

    R9 is turned up. The player left of the dealer has the hand of the deal, draws what stands behind
    the bar, and makes `moves` one after another; the last of them is the one that the rule is about.
    """

    options: Mapping[str, object]
    moves: str
    wrong: str
    fine: str
    said: str


def hand(*cards: str) -> str:
    return " ".join((*cards, *("G0", "G1", "G1", "Y0", "Y1", "Y1", "B0")[len(cards) :]))


PLAIN = hand()
NO_CHALLENGE: dict[str, object] = {"wd4_challenge": "off"}
NO_MATCH: dict[str, object] = {"wild_condition": "no_colored_match"}
MUST: dict[str, object] = {"drawn_card": "must_play"}
ON: dict[str, object] = {"draw_until_playable": True}
LAZY: dict[str, object] = {"voluntary_draw": False}
KINDS = {
    "wild": Kind(NO_MATCH, "play W:R", hand("W", "R1"), hand("W"), "played W while"),
    "four-color": Kind(
        NO_CHALLENGE, "play W4:R", hand("W4", "R1"), hand("W4", "G9"), "played W4 while"
    ),
    "four-match": Kind(
        NO_CHALLENGE | {"wd4_condition": "no_colored_match"},
        "play W4:R",
        hand("W4", "G9"),
        hand("W4", "W"),
        "played W4 while",
    ),
    "four-other": Kind(
        NO_CHALLENGE | {"wd4_condition": "no_other_playable"},
        "play W4:R",
        hand("W4", "W"),
        hand("W4", "W4"),
        "played W4 while",
    ),
    "sweep": Kind(
        {"blank_cards": "sweep: discard color"},
        "play WB1 Y0 Y1",
        hand("WB1"),
        hand("WB1", "G0", "G1", "Y0", "Y1", "G1"),
        "played WB1 while",
    ),
    "draw": Kind(LAZY, "draw", hand("R1") + " | B1", PLAIN + " | B1", "drew while"),
    "draw-wild": Kind(LAZY, "draw", hand("W4") + " | B1", PLAIN + " | B1", "drew while"),
    "keep": Kind(MUST, "draw; pass", PLAIN + " | R1", PLAIN + " | B1", "kept a drawn"),
    "keep-wild": Kind(
        MUST | NO_MATCH, "draw; pass", PLAIN + " | W", hand("R1") + " | W", "kept a drawn"
    ),
    "draw-on": Kind(ON, "draw; draw", PLAIN + " | R1", PLAIN + " | B1", "drew on"),
    "draw-on-wild": Kind(ON, "draw; draw", PLAIN + " | W4", hand("R1") + " | W4", "drew on"),
    "stop": Kind(ON, "draw; pass", PLAIN + " | B1", PLAIN + " | R1", "passed before"),
    "stop-wild": Kind(
        ON | NO_MATCH, "draw; pass", hand("R1") + " | W", PLAIN + " | W", "passed before"
    ),
}
"""Every rule of the table that depends on cards which nobody else sees, in each of its forms."""


def rules(checks: str, changes: Mapping[str, object]) -> Options:
    base: dict[str, object] = {"match_end": "rounds", "target": 1, "hidden_checks": checks}
    return with_overrides(preset("official"), base | dict(changes))


def deck(deal: str, others: str = REDS) -> list[Face]:
    own, _, pile = deal.partition(" | ")
    return stacked((own, others, others), f"R9 {pile}")


# -- a changed program -------------------------------------------------------------------------


class BoldMover(Mover):
    """Refuses its player nothing."""

    __slots__ = ()

    def refusal(self, at: Standing, view: PlayerView, move: Move) -> str | None:
        return None


class BoldScript(Script):
    """Plays its moves, lawful or not."""

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        if self.moves and not isinstance(view.round.due, ReactionDue):
            return parse_move(self.moves.pop(0), NAMES)
        return super().__call__(seat, view, legal, rng)


def pretended(formula: Formula) -> dict[int, int]:
    """Return a face for each card that would make a formula true."""
    match formula:
        case Shows(card=card, face=face):
            return {card: face}
        case AllOf(parts=parts):
            return {card: face for part in parts for card, face in pretended(part).items()}
        case AnyOf(parts=parts):
            return pretended(parts[0])


class Bold(Chain):
    """Makes any move; where a proof is due and there is none, it sends nothing."""

    __slots__ = ()

    def forge(self, task: ClaimTask, keys: RoundKeys) -> bytes:
        return b""

    def _move(self, move: Move) -> None:
        assert self.own is not None
        assert self.seat is not None
        keys = self._round_keys()
        body = body_for_move(self.own, self.state, move)
        task = claim_owed(self.state, self.seat, body)
        if task is not None:
            assert isinstance(body, bodies.Played | bodies.Drew | bodies.Kept)
            try:
                claim = task.make(keys, bytes(32))
            except AssertionError:  # It is false: the honest prover makes none.
                claim = self.forge(task, keys)
            body = replace(body, claim=claim)
        checked: Checked = Nothing()
        if isinstance(body, bodies.Played):
            opening = opening_task(self.state, self.seat, body.positions)
            body = replace(body, opening=opening.make(keys, bytes(32)))
            checked = opening.check(body.opening, body.cards, trusted=False)
        self._say(body, checked)


class Pretender(Bold):
    """Proves the claim as if its cards were others, as far as it can: every check but the last holds."""

    __slots__ = ()

    def forge(self, task: ClaimTask, keys: RoundKeys) -> bytes:
        cards = list(task.residuals())
        for card, face in pretended(task.formula).items():
            masked = mul(keys.secret.expose(), cards[card].c1)
            cards[card] = replace(cards[card], c2=add(task.faces[face], masked))
        bare = replace(task, cards=tuple(cards), others=((),) * len(cards))
        return bare.make(keys, bytes(32))


class Talker(Bold):
    """Sends a proof where none is due."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Drew):
            body = replace(body, claim=bytes(64))
        super()._say(body, checked)


def peer_with(chain_class: type[Chain]) -> type[Peer]:
    class Cheat(Peer):
        def _begin_chain(self) -> None:
            super()._begin_chain()
            if self.chain is not None:
                self.chain.__class__ = chain_class
                self.chain.mover.__class__ = BoldMover

    return Cheat


@cache
def first_player() -> int:
    """Return which peer of the ring sits left of the dealer, as the coin of its seed has it."""
    with in_toy_group(), rigged(deck(PLAIN)):
        ring = Ring(SEATS, rules("audit", {}), seed=9, argument=NAME)
        ring.run(lambda r: all(p.peer.chain and p.peer.chain.state.hands for p in r.places))
        chain = ring.places[0].peer.chain
        assert chain is not None
        first = min((cards[0], seat) for seat, cards in chain.state.hands.items())
        return first[1]


def played(
    kind: Kind,
    checks: str,
    chain_class: type[Chain] | None = None,
    network: Network | None = None,
    crash: Callable[[int, int, events.Effect], bool] | None = None,
) -> Ring:
    """Play until every honest peer has stopped."""
    cheat = first_player()
    peers = {cheat: peer_with(chain_class)} if chain_class is not None else {}
    player = Script(kind.moves) if chain_class is None else BoldScript(kind.moves)
    ring = Ring(
        SEATS,
        rules(checks, kind.options),
        seed=9,
        player=player,
        argument=NAME,
        peers=peers,
        crash=crash,
    )
    if network is not None:
        # Only once all sit: on a bad network they might sit down in another order.
        ring.run(lambda r: all(p.peer.chain is not None for p in r.places))
        ring.network = network
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i not in peers))
    return ring


@contextmanager
def at_table(deal: str, others: str = REDS, *, real: bool = False) -> Iterator[None]:
    """Stack the deck; in the toy group, which changes nothing but the time it takes."""
    with nullcontext() if real else in_toy_group(), rigged(deck(deal, others)):
        yield


REAL = ("four-color", "keep")
"""Kinds whose lawful move is played in the real group too."""


def moves_said(ring: Ring, index: int | None = None) -> list[tuple[int, Claiming]]:
    """Return the moves of a player, by default the first, that may claim something, with their steps."""
    found: list[tuple[int, Claiming]] = []
    for signed in ring.places[first_player() if index is None else index].said:
        message = codec.decode(signed.payload)
        if isinstance(message, Statement):
            body = message.body
            if isinstance(body, Claiming):
                found.append((message.step, body))
    return found

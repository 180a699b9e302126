"""The state of a table that everybody shares: what settled steps have come to.

No clock, no socket, no secret: every peer, every spectator and the audit hold the same value after the
same settled steps. `plan` says what the open step asks; `apply_step` (in `apply.py`) moves on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from unop2p.deal.group import Point, sum_points
from unop2p.deal.masking import FaceTable, MaskedCard, trivial_cards
from unop2p.deal.statements import residual
from unop2p.deal.transcript import ProofContext
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import Face, deck_for
from unop2p.rules.match import Match
from unop2p.rules.round import Round
from unop2p.table.genesis import Table
from unop2p.table.hindsight import HiddenFault, Hindsight
from unop2p.table.phases import Phase, StandIn, StepPlan
from unop2p.table.replay import SettledShuffle, is_replayed
from unop2p.table.standing import Standing

ROUNDS_MAX = 1 << 20
"""More rounds than any match has, and more steps."""


class At(StrEnum):
    """How far a round has come."""

    COMMIT = "commit"
    REVEAL = "reveal"
    SHARE = "share"
    """Round keys are shared."""
    DECK = "deck"
    """The deck is shuffled."""
    DEAL = "deal"
    """The hands are dealt."""
    PLAY = "play"
    """What is due is what the rules say."""
    MOVE = "move"
    """Hands that were shuffled are dealt to their new holders."""
    SEEDS = "seeds"
    """Shuffle seeds are shown."""


@dataclass(slots=True, kw_only=True)
class TableState:
    """The replicated state; it changes in `apply.py` only."""

    table: Table
    faces: FaceTable
    step: int = 0
    head: bytes = b""
    round_index: int = 0
    """Counted from 0."""
    match: Match | None = None
    round: Round | None = None
    over: bool = False
    faults: tuple[HiddenFault, ...] = ()
    """Unlawful moves that came out when a round was over; they have ended the match."""
    plan: StepPlan = field(init=False)
    at: At = At.COMMIT
    """How far the round has come."""
    away: dict[Seat, int] = field(default_factory=dict)
    """Who was left out of a close and is not back, and by which step."""
    gone: dict[Seat, Literal["left", "expelled", "silent"]] = field(default_factory=dict)
    """Who is no part of the table any more, nor a voter: it has left, was expelled, or has not shown the
    seed of its shuffles."""
    # of the round
    members: tuple[Seat, ...] = ()
    """Who has committed to a key of this round; the others sit it out."""
    returns: dict[Seat, int] = field(default_factory=dict)
    """How often each seat came back in this round."""
    voids: int = 0
    """How often two closes of one step have settled, so that all from it on was void."""
    void: str = ""
    """Why the round cannot be played to its end; empty while it can."""
    commits: dict[Seat, bytes] = field(default_factory=dict)
    keys: dict[Seat, Point] = field(default_factory=dict)
    joint: Point | None = None
    next_position: int = 0
    cards: dict[int, MaskedCard] = field(default_factory=dict)
    """Every masked card of the round that is in the pile, in a hand, or lies as the first card."""
    shares: dict[int, dict[Seat, Point]] = field(default_factory=dict)
    """Checked shares by position and seat."""
    known: dict[int, Face] = field(default_factory=dict)
    """Cards that everybody has seen and that still lie in a hand or in the pile."""
    masks: dict[int, tuple[Seat, ...]] = field(default_factory=dict)
    """By position, whose keys a card is masked under."""
    pile: list[int] = field(default_factory=list)
    """Positions, the top first; masked under the keys of all members that are there, and of no others."""
    aside: dict[tuple[Seat, ...], list[int]] = field(default_factory=dict)
    """Piles that cannot be drawn from now, by whose keys they are masked under."""
    shuffle_left: tuple[Seat, ...] | None = None
    """Who has still to shuffle in a shuffle that has begun; None where none has."""
    shuffle_inputs: tuple[tuple[MaskedCard, ...], ...] = ()
    """What they shuffle."""
    hands: dict[Seat, list[int]] = field(default_factory=dict)
    """Positions, in the order in which they came."""
    turned: int | None = None
    """Position of the first discard, while it may yet go back."""
    drawn: int | None = None
    """The card just drawn by the seat in turn, which alone may be played."""
    last_play: tuple[int, ...] = ()
    """Positions of the cards played last; under some rules a Wild Draw Four returns."""
    moving: tuple[tuple[int, Seat], ...] = ()
    """Between the shuffle of hands and the shares: which new card goes to whom."""
    standing: Standing | None = None
    """What is known of the shared keys; None where nobody can stand in."""
    # of a round whose shuffles are replayed at its end
    seed_points: dict[Seat, Point] = field(default_factory=dict)
    """The commitments to the shuffle seeds."""
    shuffles: list[SettledShuffle] = field(default_factory=list)
    opened: dict[Seat, tuple[Face, ...]] = field(default_factory=dict)
    """The hands that were left, opened so far; scored once all are, and every shuffle was replayed."""
    left_hands: dict[Seat, dict[int, Face]] = field(default_factory=dict)
    """The hands that seats have opened as they left."""
    doubt: str = ""
    """Why a card of the round cannot be; empty while there is no such reason."""
    hindsight: Hindsight = field(default_factory=Hindsight)
    """What will be checked when the hands are open."""

    def __post_init__(self) -> None:
        """Begin before the first round."""
        self.head = self.head or self.table.head
        self.plan = StepPlan(phase=Phase.COMMIT, speakers=self.seats)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat of the table, rising, whether or not it is there."""
        return tuple(Seat(index) for index in range(self.table.seat_count))

    @property
    def voters(self) -> tuple[Seat, ...]:
        """Who counts for majorities, rising: all, away ones too, but for those that are gone."""
        if not self.gone:
            return self.seats
        return tuple(seat for seat in self.seats if seat not in self.gone)

    @property
    def active(self) -> tuple[Seat, ...]:
        """Who owes a statement, rising: who is neither away nor gone."""
        if not self.away and not self.gone:
            return self.seats
        return tuple(s for s in self.seats if s not in self.away and s not in self.gone)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who plays the round and is there, rising."""
        if not self.away and not self.gone:
            return tuple(self.members)
        active = self.active
        return tuple(seat for seat in self.members if seat in active)

    @property
    def stands(self) -> bool:
        """Whether the keys of the round are shared, so that others act for who is not there."""
        return self.standing is not None and self.standing.step is not None

    @property
    def threshold(self) -> int:
        """How many act for another in this round, 0 where nobody can; before it, by who is asked."""
        if self.standing is not None:
            return self.standing.threshold
        return self.threshold_of(len(self.plan.speakers)) if self.at is At.COMMIT else 0

    def threshold_of(self, members: int) -> int:
        """Return how many act for another in a round of so many."""
        return self.table.threshold(members)

    @property
    def maskers(self) -> tuple[Seat, ...]:
        """Under whose keys cards are masked now: all members', where others act for who is not there."""
        return self.members if self.stands else self.present

    def joint_of(self, masks: tuple[Seat, ...]) -> Point:
        """Return the joint key of some members."""
        if masks == self.members:
            assert self.joint is not None
            return self.joint
        return sum_points([self.keys[seat] for seat in masks])

    @property
    def order(self) -> tuple[Seat, ...]:
        """Turn order, clockwise; seat order before the first coin."""
        return self.match.order if self.match is not None else self.seats

    @property
    def rounds_begun(self) -> int:
        """How many rounds there were, with the one that goes on."""
        return self.round_index + (not self.over)

    @property
    def replayed(self) -> bool:
        """Whether the round's shuffles are replayed at its end, instead of proved at once."""
        return is_replayed(self.table.offer.argument)

    @property
    def secret_index(self) -> int:
        """Under which number the secret of the round is kept: after a fork a round may come again."""
        return self.voids * ROUNDS_MAX + self.round_index

    def forget(self, position: int) -> None:
        """Forget a card that is in no hand and in no pile any more."""
        for kept in (self.cards, self.shares, self.known, self.masks):
            kept.pop(position, None)

    def seen(self, without: tuple[int, ...] = ()) -> tuple[Face, ...]:
        """Return every card that all can see: the discards, and what was shown in hands.

        Args:
            without: positions that are left out.
        """
        assert self.round is not None
        shown = tuple(
            self.known[position]
            for hand in self.hands.values()
            for position in hand
            if position in self.known and position not in without
        )
        return (*self.round.discards, *shown)

    def shuffle_order(self) -> tuple[Seat, ...]:
        """Return who shuffles when: the dealer first, then round the table; of those who are there."""
        assert self.match is not None
        start = self.order.index(self.match.dealer)
        present = self.present
        around = self.order[start:] + self.order[:start]
        return tuple(seat for seat in around if seat in present)

    def context(self, seat: Seat) -> ProofContext:
        """Return what every proof that a seat makes in the open step is bound to."""
        return ProofContext(
            table_id=self.table.offer.table,
            round_index=self.round_index,
            step=self.step,
            head=self.head,
            author=self.table.keys[seat],
            joint_key=self.joint.encoded if self.joint is not None else b"",
        )

    def residual_shares(self, position: int, holder: Seat) -> tuple[Point, ...]:
        """Return the shares of everybody but the holder under whose keys it is, by rising seat."""
        held = self.shares[position]
        return tuple(held[seat] for seat in self.masks[position] if seat != holder)

    def residual(self, position: int, holder: Seat) -> MaskedCard:
        """Return a card of a hand with the shares of everybody but its holder removed."""
        return residual(self.cards[position], sum_points(self.residual_shares(position, holder)))

    def deck_faces(self) -> tuple[Face, ...]:
        """Return the whole deck in its fixed order."""
        return deck_for(self.table.options)

    def allowed_faces(self, forbidden: tuple[Face, ...]) -> tuple[Face, ...]:
        """Return the distinct faces of the deck that are not forbidden, in the deck's order."""
        return tuple(face for face in dict.fromkeys(self.deck_faces()) if face not in forbidden)

    # -- plans ---------------------------------------------------------------------------------

    def plan_deal(
        self, dealt: tuple[tuple[int, Seat], ...], opened: tuple[int, ...] = ()
    ) -> StepPlan:
        """Return the step in which shares are given; who has none to give assents."""
        if self.standing is not None:
            return self._plan_standing_deal(self.standing, tuple(sorted(dealt)), opened)
        masks = self.present
        speakers = tuple(
            seat for seat in masks if opened or any(receiver != seat for _, receiver in dealt)
        )
        return StepPlan(
            phase=Phase.DEAL,
            speakers=speakers,
            dealt=tuple(sorted(dealt)),
            opened=opened,
            masks=masks,
        )

    def _plan_standing_deal(
        self, standing: Standing, dealt: tuple[tuple[int, Seat], ...], opened: tuple[int, ...]
    ) -> StepPlan:
        """Return the step in which shares are given, by others for who is not there; or a wait."""
        positions = (*(position for position, _ in dealt), *opened)
        given = frozenset((p, seat) for p in positions for seat in self.shares.get(p, ()))
        whole = StepPlan(
            phase=Phase.DEAL,
            speakers=(),
            dealt=dealt,
            opened=opened,
            masks=self.members,
            given=given,
        )
        standins = self._standins(standing, {seat: whole.shares_due(seat) for seat in self.members})
        if standins is None:
            return self.plan_wait()
        whole = replace(whole, standins=standins)
        speakers = tuple(s for s in self.present if whole.shares_due(s) or whole.parts_due(s))
        return replace(whole, speakers=speakers)

    def _standins(
        self, standing: Standing, wanted: Mapping[Seat, tuple[int, ...]]
    ) -> tuple[StandIn, ...] | None:
        """Return who acts for whom; None while too few are there.

        Args:
            standing: of the round.
            wanted: by member, the positions whose shares are missing; who is there gives its own.
        """
        present = self.present
        found: list[StandIn] = []
        for seat, positions in sorted(wanted.items()):
            if seat in present or not positions:
                continue
            by = standing.standers(seat, present)
            if len(by) < standing.threshold:
                return None
            found.append(StandIn(seat=seat, by=by, positions=positions))
        return tuple(found)

    def plan_wait(self) -> StepPlan:
        """Return a step in which nothing can be done but wait for others, or give the round up."""
        return StepPlan(phase=Phase.WAIT, speakers=self.active)

    def unopened(self) -> tuple[Seat, ...]:
        """Return whose hands are to be opened at the end of the round, rising."""
        seats = self.members if self.stands else self.present
        return tuple(seat for seat in seats if self.hands.get(seat) and seat not in self.opened)

    def _plan_hands(self) -> StepPlan:
        """Return the step that opens the hands: by their holders, or by others for who is not there."""
        due, present = self.unopened(), self.present
        whole = StepPlan(phase=Phase.HANDS, speakers=due)
        if self.standing is None:
            return whole
        standins = self._standins(self.standing, {seat: tuple(self.hands[seat]) for seat in due})
        if standins is None:
            return self.plan_wait()
        whole = replace(whole, standins=standins)
        return replace(whole, speakers=tuple(s for s in present if s in due or whole.parts_due(s)))

    def plan_start_deal(self) -> StepPlan:
        """Return the first deal: one card at a time from the dealer's left, then the first discard."""
        assert self.match is not None
        assert self.round is not None
        order = self.round.players
        start = order.index(self.round.dealer) + 1
        count = sum(self.round.hand_counts)
        dealt = tuple(
            (self.pile[index], order[(start + index) % len(order)]) for index in range(count)
        )
        return self.plan_deal(dealt, (self.pile[count],))

    def plan_due(self) -> StepPlan:
        """Return the step that the rules ask for now.

        Everything that asks nobody (a forced `accept`, a card that is buried) is applied before.
        """
        assert self.round is not None
        match self.round.due:
            case dues.TurnUpFirstCard():
                return self.plan_deal((), (self.pile[0],))
            case dues.ShufflePile(first_card=first_card):
                return self._plan_shuffle((self._pile_inputs(first_card=first_card),))
            case dues.TurnDue(seat=seat):
                return StepPlan(phase=Phase.TURN, speakers=(seat,))
            case dues.ReactionDue():
                present = self.present
                speakers = tuple(seat for seat in self.round.players if seat in present)
                return StepPlan(phase=Phase.REACTION, speakers=speakers)
            case dues.DealCards(draws=draws):
                taken = iter(self.pile)
                return self.plan_deal(
                    tuple((next(taken), seat) for seat, count in draws for _ in range(count))
                )
            case dues.AnswerChallenge(accused=accused, hand_count=hand_count):
                # Cards got since the play stand behind: they are not part of the statement.
                return StepPlan(
                    phase=Phase.ANSWER,
                    speakers=(accused,),
                    positions=tuple(self.hands[accused][:hand_count]),
                )
            case dues.PassHands(moves=moves):
                return self._plan_shuffle(
                    tuple(
                        tuple(self.unmasked(position) for position in self.hands[giver])
                        for giver, _ in moves
                    )
                )
            case dues.ShuffleHands():
                return self._plan_shuffle(
                    (
                        tuple(
                            self.unmasked(position)
                            for seat in self.round.active
                            for position in self.hands[seat]
                        ),
                    )
                )
            case dues.OpenHands():
                return self._plan_hands()
            case _:
                message = f"no step for {self.round.due}"
                raise AssertionError(message)

    def plan_seeds(self) -> StepPlan:
        """Return the step in which everybody who has shuffled shows its seed."""
        present = self.present
        speakers = tuple(seat for seat in sorted(self.seed_points) if seat in present)
        return StepPlan(phase=Phase.SEEDS, speakers=speakers)

    def unmasked(self, position: int) -> MaskedCard:
        """Return a card of a hand without the masks of seats that are not there, and not stood in for.

        Their shares of it were given when it was dealt, so everybody can take these masks off: what
        is left is masked under the keys of those who are there.
        """
        there = self.maskers
        off = [seat for seat in self.masks[position] if seat not in there]
        if not off:
            return self.cards[position]
        return residual(
            self.cards[position], sum_points([self.shares[position][seat] for seat in off])
        )

    def movable(self, position: int) -> bool:
        """Say whether a card of a hand is masked under the keys of all who are there."""
        return set(self.present) <= set(self.masks[position])

    def plan_deck(self) -> StepPlan:
        """Return the shuffle of the whole deck, at the start of a round."""
        return self._plan_shuffle((self.trivial([str(face) for face in self.deck_faces()]),))

    def _plan_shuffle(self, inputs: tuple[tuple[MaskedCard, ...], ...]) -> StepPlan:
        """Return a shuffle; where it has begun, what is left of it."""
        if self.standing is not None:
            return self._plan_standing_shuffle(self.standing, inputs)
        if self.shuffle_left is not None:
            speakers, lists = self.shuffle_left, self.shuffle_inputs
        else:
            speakers, lists = self.shuffle_order(), tuple(part for part in inputs if part)
        return StepPlan(phase=Phase.SHUFFLE, speakers=speakers, inputs=lists, masks=self.present)

    def _plan_standing_shuffle(
        self, standing: Standing, inputs: tuple[tuple[MaskedCard, ...], ...]
    ) -> StepPlan:
        """Return a shuffle that goes on whoever is there, until t have shuffled; or a wait for more."""
        there = [seat for seat in self.shuffle_order() if seat not in standing.shuffled]
        speakers = [seat for seat in there if seat not in standing.passed] or there
        if not speakers:
            return self.plan_wait()
        lists = self.shuffle_inputs if standing.shuffled else tuple(part for part in inputs if part)
        return StepPlan(
            phase=Phase.SHUFFLE, speakers=tuple(speakers), inputs=lists, masks=self.members
        )

    def _pile_inputs(self, *, first_card: bool) -> tuple[MaskedCard, ...]:
        """Return what a re-shuffle mixes: the pile with the returned card, or the discards."""
        assert self.round is not None
        if first_card:
            assert self.turned is not None
            return tuple(self.cards[position] for position in sorted([self.turned, *self.pile]))
        return self.trivial([str(face) for face in self.round.discards[:-1]])

    def trivial(self, labels: list[str]) -> tuple[MaskedCard, ...]:
        """Return faces as cards masked with randomness 1, the same for everybody."""
        joint = self.joint_of(self.maskers)
        return trivial_cards([self.faces.point(label) for label in labels], joint)


def new_state(table: Table) -> TableState:
    """Return the state of a table before its first step."""
    labels = [str(face) for face in dict.fromkeys(deck_for(table.options))]
    return TableState(table=table, faces=FaceTable(labels))

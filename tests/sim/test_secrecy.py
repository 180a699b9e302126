"""Secrecy, with teeth: what a reader of all traffic can open, and when it does succeed."""

from collections.abc import Callable
from itertools import combinations

import pytest

from tests.peer.test_faults import peer_with
from tests.sim.cases import PLAIN
from tests.sim.rigged import NAME, rigged, stacked
from unop2p.deal.coin import shuffled
from unop2p.deal.group import Point, Q, add, base_mul, decode_scalar, mul, sub, sum_points
from unop2p.deal.keys import derive_round_keys
from unop2p.deal.transcript import HedgedNonces
from unop2p.ids import Seat
from unop2p.log.messages import Statement
from unop2p.peer.chain import Chain
from unop2p.rules.cards import Face
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import SEALING_KEY, Ring
from unop2p.table import bodies
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.talk import Chat
from unop2p.table.work import Checked
from unop2p.wire import codec
from unop2p.wire.audit import Audit
from unop2p.wire.record import StepLine, decode_line, read_message
from unop2p.wire.sealing import Sealer

SHORT = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})
SEATS = 3


def hands_are_to_be_opened(ring: Ring) -> bool:
    return all(
        place.peer.chain is not None and place.peer.chain.state.plan.phase is Phase.HANDS
        for place in ring.places
    )


def before_the_hands_are_opened(seed: int) -> Ring:
    ring = Ring(SEATS, SHORT, seed=seed)
    ring.run(hands_are_to_be_opened)
    return ring


def states(lines: list[bytes]) -> list[TableState]:
    """Return what a reader knows after each settled step of a deal or play: replayed anew."""
    reader = Audit()
    for line in lines:
        reader.take(line.removesuffix(b"\n"))
    assert reader.state is not None
    return [reader.state]


def read_public(state: TableState, position: int) -> Face | None:
    """Try to open a card with all that was said: every subset of its shares, and bare masks."""
    card = state.cards[position]
    known = list(state.shares.get(position, {}).values())
    assert state.joint is not None
    tries: list[Point] = [card.c2, sub(card.c2, state.joint), sub(card.c2, card.c1)]
    for count in range(1, len(known) + 1):
        tries += [sub(card.c2, sum_points(some)) for some in combinations(known, count)]
    for point in tries:
        label = state.faces.find(point)
        if label is not None:
            return Face(label)
    return None


def hidden(state: TableState) -> list[tuple[Seat | None, int]]:
    """Return every card that only its holder, or nobody, may know."""
    in_hands: list[tuple[Seat | None, int]] = [
        (seat, position)
        for seat, hand in state.hands.items()
        for position in hand
        if position not in state.known
    ]
    return [*in_hands, *((None, position) for position in state.pile)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_a_reader_of_all_traffic_opens_no_hidden_card_at_any_step(seed: int) -> None:
    ring = before_the_hands_are_opened(seed)
    lines = ring.places[0].record
    reader, looked = Audit(), 0
    for line in lines:
        reader.take(line.removesuffix(b"\n"))
        state = reader.state
        if state is None or state.joint is None or not state.hands:
            continue
        for _, position in hidden(state):
            looked += 1
            assert read_public(state, position) is None, (state.step, position)
    assert looked > 100


@pytest.mark.slow
def test_with_one_seats_secret_the_reader_opens_exactly_that_seats_hand() -> None:
    ring = before_the_hands_are_opened(5)
    (state,) = states(ring.places[0].record)
    victim = next(seat for seat, hand in state.hands.items() if hand)
    keys = derive_round_keys(
        ring.places[victim].secrets[0],
        table_id=state.table.offer.table,
        round_index=0,
        seat=victim,
    )
    chain = ring.places[victim].peer.chain
    assert chain is not None
    assert chain.own is not None
    opened: dict[int, Face] = {}
    for _, position in hidden(state):
        card = state.cards[position]
        given = state.shares.get(position, {})
        others = [given[seat] for seat in state.seats if seat != victim and seat in given]
        own = mul(keys.secret.expose(), card.c1)
        label = state.faces.find(sub(card.c2, add(sum_points(others), own)))
        if label is not None:
            opened[position] = Face(label)
    mine = [p for p in state.hands[victim] if p not in state.known]
    assert sorted(opened) == sorted(mine)
    assert all(opened[position] == chain.own.faces[position] for position in mine)


@pytest.mark.slow
def test_the_same_reader_does_open_cards_that_were_masked_with_zero() -> None:
    with rigged(stacked(PLAIN, "R9")):
        ring = Ring(2, SHORT, seed=9, argument=NAME)
        ring.run(hands_are_to_be_opened)
        (state,) = states(ring.places[0].record)
    cards = hidden(state)
    assert cards
    assert all(read_public(state, position) is not None for _, position in cards)


@pytest.mark.slow
def test_the_same_reader_finds_the_key_of_a_peer_that_uses_a_nonce_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HedgedNonces, "scalar", lambda _self: 0x1234567)
    ring = before_the_hands_are_opened(6)
    reader = Audit()
    said: dict[bytes, list[tuple[int, int]]] = {}
    for line in ring.places[0].record:
        before = decode_line(line.removesuffix(b"\n"))
        if isinstance(before, StepLine):
            for item in before.statements:
                signed = read_message(item)
                message = codec.decode(signed.payload)
                assert isinstance(message, Statement)
                if isinstance(message.body, bodies.Shares):
                    proof = message.body.data[-64:]
                    pair = (decode_scalar(proof[:32]), decode_scalar(proof[32:]))
                    said.setdefault(signed.author, []).append(pair)
        reader.take(line.removesuffix(b"\n"))
    state = reader.state
    assert state is not None
    found = 0
    for author, pairs in said.items():
        if len(pairs) < 2:
            continue
        (c1, s1), (c2, s2) = pairs[:2]
        x = (s1 - s2) * pow(c1 - c2, -1, Q) % Q
        seat = Seat(state.table.keys.index(author))
        assert base_mul(x) == state.keys[seat]
        found += 1
    assert found


class Telling(Chain):
    """Says in the chat, after each shuffle, in which order it has laid the cards."""

    __slots__ = ()
    orders: list[tuple[int, ...]] = []  # noqa: RUF012  # what the test's own `shuffled` has given

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        super()._say(body, checked)
        if isinstance(body, bodies.Shuffled):
            text = "".join(chr(ord("\u4e00") + place) for place in self.orders[-1])
            chat = Chat(table=self.table.offer.table, text=text, nonce=bytes(16))
            self.desk.publish(self.desk.sign(chat))


def told_orders(ring: Ring) -> dict[bytes, list[int]]:
    """Return the orders that a reader finds in the traffic, by author."""
    sealer = Sealer(SEALING_KEY)
    found: dict[bytes, list[int]] = {}
    for _, data in ring.published:
        signed = codec.unpack(sealer.open(data))
        message = codec.decode(signed.payload)
        if isinstance(message, Chat):
            found[signed.author] = [ord(letter) - ord("\u4e00") for letter in message.text]
    return found


def traced(state: TableState, orders: dict[bytes, list[int]], position: int) -> Face:
    """Follow a card back through every shuffle; where none was told, as if none was made."""
    place = position
    for seat in reversed(state.shuffle_order()):
        order = orders.get(state.table.keys[seat])
        place = order[place] if order is not None else place
    return state.deck_faces()[place]


@pytest.mark.slow
@pytest.mark.parametrize("telling", [1, 2, 3])
def test_the_same_reader_follows_cards_through_permutations_that_are_published(
    telling: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keeping(count: int, word: Callable[[], int]) -> tuple[int, ...]:
        Telling.orders.append(shuffled(count, word))
        return Telling.orders[-1]

    monkeypatch.setattr("unop2p.deal.proved.shuffled", keeping)
    # An order that is drawn ahead is not drawn when the seat speaks, and the test looks at the last.
    monkeypatch.setattr("unop2p.peer.pieces.can_prepare", lambda _name: False)
    monkeypatch.setattr(Telling, "orders", [])
    peers = {seat: peer_with(Telling) for seat in range(telling)}
    ring = Ring(SEATS, SHORT, seed=8, peers=peers)
    ring.run(
        lambda r: all(
            p.peer.chain and p.peer.chain.state.plan.phase is Phase.TURN for p in r.places
        )
    )
    assert len(Telling.orders) == SEATS, "one shuffle of the deck, and no other"
    (state,) = states(ring.places[0].record)
    orders = told_orders(ring)
    assert len(orders) == telling
    right, held = 0, 0
    for seat, hand in state.hands.items():
        chain = ring.places[seat].peer.chain
        assert chain is not None
        assert chain.own is not None
        for position in hand:
            held += 1
            right += traced(state, orders, position) == chain.own.faces[position]
    assert held == 7 * SEATS
    # One honest permutation hides them all: what is right then is right by chance.
    assert right == held if telling == SEATS else right <= held // 3

"""False shares: one, two that cancel, many that were solved for; too many, too few, old ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from unop2p.deal import shares as shares_module
from unop2p.deal.group import (
    Point,
    add,
    base_mul,
    encode_scalar,
    linear_combination,
    mul,
    sub,
)
from unop2p.deal.secret import Secret
from unop2p.deal.transcript import challenge
from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.defenses import own_pair_weight
from unop2p.sim.lab.trick import CheatChain, Trick, others_of, speaks_in
from unop2p.table import bodies
from unop2p.table.checks import shares_task
from unop2p.table.phases import Phase
from unop2p.table.work import SharesTask, take_shares

NONCE = 0xC0FFEE
LISTS = 8
"""False shares that are solved for at once."""
SEARCH_BITS = 11
"""Errors tried for each, as a power of two."""
SUM_BITS = 43
"""A sum of eight weighted errors is below two to this power, so modulo it zero is zero."""


def best_proof(task: SharesTask, secret: Secret, points: Sequence[Point]) -> bytes:
    """Return shares with the best proof that somebody can make for them who knows the key."""
    inputs = b"".join(card.c1.encoded for card in task.cards)
    said = b"".join(point.encoded for point in points)
    public = task.key.encoded
    # Looked up when it is called: weaker weights are taken where they are in force.
    weigh = vars(shares_module)["weights"]
    factors = weigh("shares", task.context, len(task.cards), public, inputs, said)
    base = linear_combination(factors, [card.c1 for card in task.cards])
    announced = base_mul(NONCE).encoded, mul(NONCE, base).encoded
    c = challenge("shares", task.context, public, inputs, said, *announced)
    return said + encode_scalar(c) + encode_scalar(NONCE + c * secret.expose())


class FalseShares(Trick):
    """Says other shares in the first deal, with the best proof for them."""

    def change(
        self, points: list[Point], task: SharesTask, chain: CheatChain
    ) -> Sequence[Point] | None:
        """Return other points, or None where it cannot be done."""
        raise AssertionError

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put other shares in place of the first that are due."""
        if self.first_step is not None or not isinstance(body, bodies.Shares):
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        task = shares_task(chain.state, chain.seat)
        points = list(take_shares(body.data, len(task.cards)))
        changed = self.change(points, task, chain)
        if changed is None:
            return body
        self.tried(chain)
        return bodies.Shares(data=best_proof(task, chain.keys.secret, changed))


class OneFalse(FalseShares):
    """One share is off."""

    def change(self, points: list[Point], task: SharesTask, chain: CheatChain) -> list[Point]:
        """Add the base point to the first."""
        return [add(points[0], base_mul(1)), *points[1:]]


class TwoCancel(FalseShares):
    """Two shares are off by the same, in opposite directions."""

    def change(self, points: list[Point], task: SharesTask, chain: CheatChain) -> list[Point]:
        """Let the errors of the first two add up to nothing."""
        return [add(points[0], base_mul(1)), sub(points[1], base_mul(1)), *points[2:]]


class Solved(FalseShares):
    """Eight shares are off so that their weighted errors cancel, where each weight stands by itself.

    A generalised birthday search (Wagner 2002) over eight lists.
    """

    def change(
        self, points: list[Point], task: SharesTask, chain: CheatChain
    ) -> Sequence[Point] | None:
        """Solve for the errors; None where fewer than eight shares are due."""
        if len(points) < LISTS:
            return None
        errors = self.solve(points[:LISTS], task)
        false = [_off(point, error) for point, error in zip(points, errors, strict=False)]
        return [*false, *points[LISTS:]]

    def solve(self, points: Sequence[Point], task: SharesTask) -> list[int]:
        """Return errors whose weighted sum is zero."""
        for start in range(1, 1 << (SEARCH_BITS + 4), 1 << SEARCH_BITS):
            lists = [_weighted(point, task, index, start) for index, point in enumerate(points)]
            found = birthday(lists, SEARCH_BITS)
            if found is not None:
                return found
        message = "no errors cancel"
        raise AssertionError(message)


def _off(point: Point, error: int) -> Point:
    step = base_mul(abs(error))
    return add(point, step) if error > 0 else sub(point, step)


Entry = tuple[int, tuple[int, ...]]
"""A weighted sum, and the errors that it is the sum of."""


def _weighted(point: Point, task: SharesTask, index: int, start: int) -> list[Entry]:
    """Return the weighted error for each small error; those of odd lists are negative."""
    found: list[Entry] = []
    sign = -1 if index % 2 else 1
    now = _off(point, sign * start)
    step = base_mul(1)
    c1 = task.cards[index].c1.encoded
    for error in range(start, start + (1 << SEARCH_BITS)):
        weight = own_pair_weight(task.context, c1, now.encoded)
        found.append((sign * error * weight, (sign * error,)))
        now = add(now, step) if sign > 0 else sub(now, step)
    return found


def birthday(lists: Sequence[list[Entry]], step: int) -> list[int] | None:
    """Find one entry of each list so that their values sum to zero; None where the search fails.

    Lists are joined two by two, each time by `step` more low bits that are zero, the last time by
    all. The number of lists is a power of two.
    """
    level = list(lists)
    bits = 0
    while len(level) > 1:
        bits = bits + step if len(level) > 2 else SUM_BITS
        level = [_join(level[i], level[i + 1], bits) for i in range(0, len(level), 2)]
    for value, errors in level[0]:
        if value == 0:
            return list(errors)
    return None


def _join(left: list[Entry], right: list[Entry], bits: int) -> list[Entry]:
    mask = (1 << bits) - 1
    by_low: dict[int, list[Entry]] = {}
    for entry in left:
        by_low.setdefault(entry[0] & mask, []).append(entry)
    return [
        (value + other, chosen + errors)
        for other, errors in right
        for value, chosen in by_low.get(-other & mask, ())
    ]


class HighBit(FalseShares):
    """One share in another encoding: bit 255, which a careless reader does not look at, is set."""

    def change(self, points: list[Point], task: SharesTask, chain: CheatChain) -> list[Point]:
        """Set the bit in the first share; the proof is over these bytes."""
        raw = points[0].encoded
        return [Point(raw[:31] + bytes([raw[31] | 128])), *points[1:]]


class OtherKey(FalseShares):
    """All shares under another key than the seat's."""

    def change(self, points: list[Point], task: SharesTask, chain: CheatChain) -> list[Point]:
        """Add c1 to each share."""
        return [add(point, card.c1) for point, card in zip(points, task.cards, strict=True)]


class OtherCards(FalseShares):
    """Shares in another order than that of the positions."""

    def change(
        self, points: list[Point], task: SharesTask, chain: CheatChain
    ) -> list[Point] | None:
        """Exchange the first two."""
        return [points[1], points[0], *points[2:]] if len(points) > 1 else None


class Batch(Trick):
    """Gives shares for more or fewer positions than are due, each true and all proved."""

    def __init__(self, choose: Callable[[Chain, Seat, tuple[int, ...]], tuple[int, ...]]) -> None:
        self.choose = choose

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put the batch for other positions in place of the first one."""
        if self.first_step is not None or not isinstance(body, bodies.Shares):
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        self.tried(chain)
        task = shares_task(chain.state, chain.seat)
        positions = self.choose(chain, chain.seat, task.positions)
        task = replace(
            task,
            positions=positions,
            cards=tuple(chain.state.cards[position] for position in positions),
        )
        x = chain.keys.secret.expose()
        points = [mul(x, card.c1) for card in task.cards]
        return bodies.Shares(data=best_proof(task, chain.keys.secret, points))


def one_more(chain: Chain, seat: Seat, due: tuple[int, ...]) -> tuple[int, ...]:
    """Add a position that is not due: the last of the pile."""
    del seat
    return (*due, chain.state.pile[-1])


def one_less(chain: Chain, seat: Seat, due: tuple[int, ...]) -> tuple[int, ...]:
    """Leave the first out."""
    del chain, seat
    return due[1:]


def another(chain: Chain, seat: Seat, due: tuple[int, ...]) -> tuple[int, ...]:
    """Give the share of a pile card in place of the first that is due."""
    del seat
    return (chain.state.pile[-1], *due[1:])


class OldShares(Trick):
    """Says shares again that were said elsewhere, with their proof."""

    def __init__(self, old: str) -> None:
        self.old = old
        self.rounds = 2 if old == "round" else 1
        self.kept: bytes | None = None

    def holds(self, chain: CheatChain) -> bool:
        """Wait for another seat's shares, where they are to be copied."""
        waits = self.old == "seat" and self.first_step is None
        if not waits or not speaks_in(chain, Phase.DEAL):
            return False
        others = [seat for seat in chain.state.plan.speakers if seat != chain.seat]
        return bool(others) and not any(seat in chain.open.statements for seat in others)

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
        """Take those of the round before, or of another seat."""
        if self.first_step is not None or not isinstance(body, bodies.Shares):
            return body
        if self.old == "round":
            if chain.state.round_index == 0:
                self.kept = self.kept or body.data
                return body
            data = self.kept
        else:
            data = next(
                (
                    held.statement.body.data
                    for seat in others_of(chain)
                    if (held := chain.open.statements.get(seat)) is not None
                    and isinstance(held.statement.body, bodies.Shares)
                ),
                None,
            )
        if data is None:
            return body
        self.tried(chain)
        return bodies.Shares(data=data)


class OutOfTurn(Trick):
    """Gives shares in a step that asks for none: for the top of the pile, while others play."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Say shares where assent is due."""
        state = chain.state
        free = isinstance(body, bodies.Assent) and state.plan.phase is Phase.TURN and state.pile
        if self.first_step is not None or not free:
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        self.tried(chain)
        task = SharesTask(
            context=state.context(chain.seat),
            key=state.keys[chain.seat],
            positions=(state.pile[0],),
            cards=(state.cards[state.pile[0]],),
        )
        points = [mul(chain.keys.secret.expose(), task.cards[0].c1)]
        return bodies.Shares(data=best_proof(task, chain.keys.secret, points))


def _cheat(
    name: str,
    sentence: str,
    make: Callable[[], Trick],
    stopped_by: tuple[str, ...] = ("share-proofs",),
    attacks: Promise = Promise.FAIR_DEAL,
) -> Cheat:
    return Cheat(
        name=name,
        family="shares",
        sentence=sentence,
        attacks=attacks,
        make=make,
        stopped_by=stopped_by,
    )


CHEATS = (
    _cheat("false-share", "One share of a batch is false.", OneFalse),
    _cheat(
        "false-shares-cancel",
        "Two false shares cancel out, for who adds shares up without weights.",
        TwoCancel,
        ("share-weights",),
    ),
    _cheat(
        "false-shares-solved",
        "Eight false shares cancel out, solved for weights that stand each for itself.",
        Solved,
        ("share-weights-all-pairs",),
    ),
    _cheat(
        "share-high-bit",
        "A share comes in a second encoding of the same point.",
        HighBit,
        ("point-encoding",),
        Promise.AGREEMENT,
    ),
    _cheat("shares-other-key", "All shares are under another key than the seat's.", OtherKey),
    _cheat("shares-other-order", "Two shares of a batch change places.", OtherCards),
    _cheat(
        "share-not-due",
        "A batch holds a share for a position that is not due.",
        lambda: Batch(one_more),
        (),
        Promise.SECRECY,
    ),
    _cheat("share-missing", "A batch lacks a share.", lambda: Batch(one_less), ()),
    _cheat(
        "share-elsewhere",
        "A share for a card of the pile stands in place of one that is due.",
        lambda: Batch(another),
        ("share-proofs",),
        Promise.SECRECY,
    ),
    _cheat(
        "old-shares-round", "Shares of the round before are said again.", lambda: OldShares("round")
    ),
    _cheat(
        "old-shares-seat",
        "Another seat's shares are said again as one's own.",
        lambda: OldShares("seat"),
        (),
    ),
    _cheat(
        "shares-out-of-turn",
        "Shares of the pile's top are given in a step that asks for none.",
        OutOfTurn,
        (),
        Promise.SECRECY,
    ),
)

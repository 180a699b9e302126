"""Whether deals are uniform: many of them, from fixed seeds, for every shuffle argument.

    python -m tests.deal.statistics                 all of it, some minutes
    python -m tests.deal.statistics --toy 1000 --real 20

Three seats shuffle a deck of nine different cards in turn, each shuffle is checked, and the cards are
read with all secrets. Counted are: which card lies where; which two cards are a seat's hand (the
positions that it would be dealt); and which two cards lie on top, in order. Each count is held to the
uniform one by Pearson's chi-square. In half of the cases all seats but one leave the cards in their
order, the honest one being the first, second and third in turn: one honest seat is enough.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations, permutations
from math import comb, exp, lgamma, log

from tests.deal.helpers import CONTEXT
from unop2p.deal.commit_reveal import CommitRevealShuffle
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import Point, hash_to_scalar, mul
from unop2p.deal.keys import RoundKeys, derive_round_keys, joint_key
from unop2p.deal.masking import FaceTable, MaskedCard, open_card, remask, trivial_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shuffle import ShuffleArgument
from unop2p.sim.toy import in_toy_group

SEATS = 3
FACES = ("R1", "R2", "R3", "G1", "G2", "G3", "B1", "B2", "W")
HAND = 2
P_MIN = 1e-6
"""A p-value below this fails: of a million uniform runs one would."""
TOY, REAL = 20_000, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted over some deals."""

    deals: int
    places: Counter[tuple[int, int]]
    """(position, card)."""
    hands: Counter[tuple[int, tuple[int, ...]]]
    """(seat, its cards, sorted)."""
    tops: Counter[tuple[int, int]]

    def p_values(self) -> dict[str, float]:
        """Return how likely it is to be at least as uneven by chance."""
        size = len(FACES)
        # The counts of permutation matrices: scaled, it is chi-square with (size - 1)^2 degrees.
        places = (
            (size - 1)
            / size
            * spread(
                [self.places[place, card] for place in range(size) for card in range(size)],
                self.deals / size,
            )
        )
        found = {"places": chi_square_tail(places, (size - 1) ** 2)}
        for seat in range(SEATS):
            each = [self.hands[seat, hand] for hand in combinations(range(size), HAND)]
            value = spread(each, self.deals / comb(size, HAND))
            found[f"hand {seat}"] = chi_square_tail(value, len(each) - 1)
        each = [self.tops[pair] for pair in permutations(range(size), 2)]
        found["tops"] = chi_square_tail(spread(each, self.deals / len(each)), len(each) - 1)
        return found


def spread(counts: list[int], expected: float) -> float:
    """Return Pearson's sum of squares over the expected."""
    return sum((count - expected) ** 2 for count in counts) / expected


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance of a chi-square variable to be at least this.

    The regularized gamma function Q(degrees / 2, value / 2): its series below the mean, Lentz's
    continued fraction above (Press et al., Numerical Recipes, 6.2).
    """
    a, x = degrees / 2, value / 2
    if x <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        total = term = 1 / a
        step = a
        while term > total * 1e-15:
            step += 1
            term *= x / step
            total += term
        return max(0.0, 1 - front * total)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for index in range(1, 10_000):
        factor = -index * (index - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h


@dataclass(frozen=True, slots=True)
class Table:
    """Keys and faces that all deals of a run share: only the shuffles are drawn anew."""

    keys: tuple[RoundKeys, ...]
    joint: Point
    faces: FaceTable

    def read(self, cards: tuple[MaskedCard, ...]) -> list[int]:
        """Return which card lies at each position, by all secrets together."""
        secret = sum(keys.secret.expose() for keys in self.keys)
        labels = [self.faces.find(open_card(card, [mul(secret, card.c1)])) for card in cards]
        return [FACES.index(str(label)) for label in labels]


def new_table() -> Table:
    """Return a table in the group that is in use."""
    keys = tuple(
        derive_round_keys(bytes([seat + 1]) * 32, table_id=b"s" * 16, round_index=0, seat=seat)
        for seat in range(SEATS)
    )
    return Table(keys, joint_key([key.public for key in keys]), FaceTable(FACES))


def deal(table: Table, argument: ShuffleArgument, seed: str, honest: tuple[int, ...]) -> list[int]:
    """Shuffle once round the table; who is not honest masks anew, and keeps the order."""
    deck = trivial_cards([table.faces.point(label) for label in FACES], table.joint)
    cards: tuple[MaskedCard, ...] = deck
    for seat in range(SEATS):
        chance = f"{seed} {seat}".encode()
        if seat in honest:
            outputs, proof = argument.shuffle(CONTEXT, table.joint, cards, seeded_entropy(chance))
            cards = argument.verify(CONTEXT, table.joint, cards, outputs, proof)
        else:
            cards = tuple(
                remask(card, hash_to_scalar("fixed", chance, bytes([place])), table.joint)
                for place, card in enumerate(cards)
            )
    return table.read(cards)


def count(argument: ShuffleArgument, deals: int, *, one_honest: bool) -> Counts:
    """Deal so many times in the group that is in use."""
    table = new_table()
    counts = Counts(deals=deals, places=Counter(), hands=Counter(), tops=Counter())
    for number in range(deals):
        honest = (number % SEATS,) if one_honest else tuple(range(SEATS))
        order = deal(table, argument, f"{argument.name} {one_honest} {number}", honest)
        counts.places.update(enumerate(order))
        for seat in range(SEATS):
            hand = tuple(sorted(order[seat + SEATS * card] for card in range(HAND)))
            counts.hands[seat, hand] += 1
        counts.tops[order[0], order[1]] += 1
    return counts


def arguments() -> list[ShuffleArgument]:
    """Return every argument; the example with few extra decks, which changes no order."""
    # By its name, as `--deal` does: to mypy an imported example would be a file with two names.
    example = import_module("examples.cut_and_choose").CutAndChoose(decks=3, from_outputs=1)
    return [ProvedShuffle(), CommitRevealShuffle(), example]


def cases(toy: int, real: int) -> Iterator[tuple[str, ShuffleArgument, int, bool]]:
    """Yield group, argument, number of deals, and whether only one seat is honest."""
    for group, deals in (("toy", toy), ("ristretto255", real)):
        for argument in arguments():
            for one_honest in (False, True):
                yield group, argument, deals, one_honest


GROUPS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "toy": in_toy_group,
    "ristretto255": nullcontext,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.deal.statistics", description=__doc__)
    parser.add_argument("--toy", type=int, default=TOY)
    parser.add_argument("--real", type=int, default=REAL)
    options = parser.parse_args()
    worst = 1.0
    print("| group | argument | deals | honest | places | hands (least of 3) | top two | s |")
    print("|---|---|---|---|---|---|---|---|")
    for group, argument, deals, one_honest in cases(options.toy, options.real):
        began = time.process_time()
        with GROUPS[group]():
            found = count(argument, deals, one_honest=one_honest).p_values()
        hands = min(found[f"hand {seat}"] for seat in range(SEATS))
        who = "one, in turn" if one_honest else "all"
        print(
            f"| {group} | {argument.name} | {deals:,} | {who} | {found['places']:.3f} | "
            f"{hands:.3f} | {found['tops']:.3f} | {time.process_time() - began:.0f} |",
            flush=True,
        )
        worst = min(worst, *found.values())
    print(f"\nleast p-value {worst:.4f}; what is below {P_MIN} fails")
    return int(worst < P_MIN)


if __name__ == "__main__":
    raise SystemExit(main())

"""What a proof costs, in calls to the library: counted, so that a busy machine changes nothing."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal import group
from unop2p.deal.masking import MaskedCard, remask
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import make_shares, verify_shares

PARTY = party()
COUNT = 20
CARDS: tuple[MaskedCard, ...] = tuple(
    remask(PARTY.cards[index % 5], 50 + index, PARTY.joint) for index in range(COUNT)
)
PRICES = {"raw_mul": 1.0, "raw_base": 0.34, "raw_add": 0.31, "raw_sub": 0.31, "raw_valid": 0.11}
"""In multiplications of a point, measured with libsodium."""


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Count the calls to the library."""
    calls: Counter[str] = Counter()
    backend = vars(group)["backend"]

    def counting(name: str) -> Callable[..., object]:
        def call(*inputs: bytes) -> object:
            calls[name] += 1
            return getattr(backend, name)(*inputs)

        return call

    with monkeypatch.context() as patch:
        calls_of = {name: counting(name) for name in [*PRICES, "raw_from_hash"]}
        patch.setattr(group, "backend", SimpleNamespace(GROUP=backend.GROUP, **calls_of))
        yield calls


def price(calls: Counter[str]) -> float:
    """Return what calls cost, in multiplications."""
    return sum(PRICES[name] * number for name, number in calls.items())


def test_shuffle_of_108_costs_at_most_1250_to_make_and_1350_to_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shuffle = ProvedShuffle()
    outputs, proof = shuffle.shuffle(CONTEXT, PARTY.joint, CARDS, chance("warm"))
    shuffle.verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)
    with counted(monkeypatch) as making:
        shuffle.shuffle(CONTEXT, PARTY.joint, CARDS, chance("costs"))
    with counted(monkeypatch) as checking:
        shuffle.verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)
    # All but a handful of calls grow with the number of cards.
    assert price(making) * 108 / COUNT < 1250
    assert price(checking) * 108 / COUNT < 1350
    assert making["raw_mul"] <= 6 * COUNT + 1
    assert checking["raw_mul"] <= 8 * COUNT + 7


def test_prepared_shuffle_of_108_costs_at_most_750_once_the_cards_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shuffle = ProvedShuffle()
    prepared = shuffle.prepare(CONTEXT, PARTY.joint, COUNT, chance("prepared"))
    with counted(monkeypatch) as calls:
        shuffle.shuffle_prepared(CONTEXT, PARTY.joint, CARDS, prepared)
    assert price(calls) * 108 / COUNT < 750
    assert calls["raw_mul"] == 4 * COUNT
    assert calls["raw_base"] == 0


def test_check_of_63_shares_costs_at_most_200(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = PARTY.keys[0]
    data = make_shares(CONTEXT, keys.secret, CARDS, chance("shares"))
    with counted(monkeypatch) as calls:
        verify_shares(CONTEXT, keys.public, CARDS, data)
    assert price(calls) * 63 / COUNT < 200
    assert calls["raw_mul"] == 2 * COUNT + 1

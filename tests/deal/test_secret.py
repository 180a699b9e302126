"""A secret does not show itself."""

import pickle

import pytest

from tests.deal.helpers import party
from unop2p.deal.secret import Secret


def test_value_is_in_no_text() -> None:
    secret = Secret(1234567890123)
    assert "1234567890123" not in f"{secret!r} {secret} {[secret]}"
    keys = party().keys[0]
    shown = repr(keys)
    assert str(keys.secret.expose()) not in shown
    assert repr(keys.coin_seed) not in shown
    assert str(keys.box_secret.expose()) not in shown


def test_expose_gives_the_value_until_it_is_wiped() -> None:
    secret = Secret(7)
    assert secret.expose() == 7
    secret.wipe()
    assert secret.expose() == 0


def test_equality_is_by_value_and_with_secrets_only() -> None:
    assert Secret(7) == Secret(7)
    assert Secret(7) != Secret(8)
    assert Secret(7) != 7


def test_secret_is_neither_hashed_nor_pickled() -> None:
    with pytest.raises(TypeError):
        hash(Secret(7))
    with pytest.raises(TypeError, match="its own file"):
        pickle.dumps(Secret(7))

"""A host that offers rules which nobody can play: told in a sentence, and nobody sits down."""

import json
from dataclasses import replace
from typing import Any

import pytest

from unop2p.errors import MalformedError
from unop2p.peer.core import Peer
from unop2p.rules.options import options_to_dict, preset
from unop2p.sim.ring import Place, Ring
from unop2p.table import notices
from unop2p.table.genesis import Join, Offer
from unop2p.wire import codec

OFFICIAL: dict[str, Any] = options_to_dict(preset("official"))
CHARACTERS_MAX = 1200
"""Of the longest sentence: it lists every option that there is, or every effect."""


def host_of(rules: dict[str, Any]) -> type[Peer]:
    """Return a host whose program offers rules without a look at them."""

    class Host(Peer):
        def __init__(self, **rest: Any) -> None:
            super().__init__(**rest)
            assert self.lobby.terms is not None
            self.lobby.terms = replace(self.lobby.terms, rules=rules)

    return Host


def heard(rules: dict[str, Any], seats: int = 2) -> Place:
    """Return who came to the table, once the offer has been heard and some time has passed."""
    ring = Ring(seats, preset("official"), peers={0: host_of(rules)})
    ring.run(lambda ring: ring.now_ms > 3_000)
    return ring.places[1]


def sat_down(place: Place) -> bool:
    return any(isinstance(codec.decode(signed.payload), Join) for signed in place.said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"decks": 10**9}, "`decks` cannot be 1000000000; it may be: 1 to 4."),
        ({"decks": 10**4000}, "`decks` cannot be so large a number; it may be: 1 to 4."),
        ({"decks": 0}, "`decks` cannot be 0"),
        ({"decks": True}, "`decks` cannot be True"),
        ({"target": "500"}, "`target` cannot be '500'"),
        ({"deck": "0"}, "`deck` cannot be '0'"),
        ({"deck": ["108"]}, "`deck` cannot be ('108',)"),
        ({"stack_on": "two_on_two"}, "`stack_on` cannot be 'two_on_two'"),
        ({"stack_on": ["two_on_two"] * 3}, "`stack_on` cannot be"),
        ({"deck": "x" * 50_000}, "`deck` cannot be 'xxx"),
        ({"first_dealer": "\x1b[2J\u202eann"}, "`first_dealer` cannot be '\\x1b[2J\\u202eann'"),
        ({"x" * 50_000: True}, "there is no option `xxx"),
        ({"\x1b]0;you lost\x07": True}, "there is no option `\\x1b]0;you lost\\x07`"),
        ({"blank_cards": ["loop x3: play again, play again"]}, "does the same twice."),
        ({"blank_cards": ["loop x9: play again"]}, "it may be: 1 to 3."),
        ({"blank_cards": ["rain x1: draw 1000 others"]}, "knows no effect 'draw 1000 others'"),
        ({"blank_cards": ["y" * 50_000]}, "is no blank card"),
        ({"blank_cards": ["y" * 50_000 + ": reverse"]}, "a blank card cannot be called 'yyy"),
        (
            {"blank_cards": ["\x1b[31mred x1: reverse"]},
            "a blank card cannot be called '\\x1b[31mred'",
        ),
        ({"blank_cards": ["zap x1: " + "z" * 50_000]}, "knows no effect 'zzz"),
        ({"blank_cards": ["one: reverse", "two: reverse"] * 500}, "two blank cards are called"),
        ({"wd4_condition": "any_time"}, "cannot be challenged"),
        ({"teams": True}, "`teams` needs an even number of seats"),
    ],
)
def test_rules_that_cannot_be_played_are_told_and_nobody_sits_down(
    changes: dict[str, Any], said: str
) -> None:
    place = heard({**OFFICIAL, **changes})
    (told,) = (notice.text for notice in place.notices if isinstance(notice, notices.Warned))
    assert told.startswith(
        "A table is on offer that cannot be joined. These rules cannot be played."
    )
    assert said.casefold() in told.casefold()
    assert len(told) < CHARACTERS_MAX
    assert told.isprintable()
    assert not sat_down(place)
    assert place.peer.lobby.offer is None


def test_rules_of_which_some_are_missing_are_told_and_nobody_sits_down() -> None:
    place = heard({name: value for name, value in OFFICIAL.items() if name != "decks"})
    (told,) = (notice.text for notice in place.notices if isinstance(notice, notices.Warned))
    assert "The option `decks` is missing." in told
    assert not sat_down(place)


def test_a_host_that_offers_nonsense_again_and_again_is_told_of_once() -> None:
    ring = Ring(2, preset("official"), peers={0: host_of({**OFFICIAL, "decks": 9})})
    host = ring.places[0].peer
    bad = host.lobby.terms
    assert bad is not None
    ring.run(lambda ring: ring.now_ms > 1_000)
    joiner = ring.places[1]
    for number in range(5):
        another = replace(bad, table=bytes([number]) * 16)
        joiner.peer.lobby.on_offer(host.desk.sign(another), another)
    ring.run(lambda ring: ring.now_ms > 3_000)
    assert sum(isinstance(notice, notices.Warned) for notice in joiner.notices) == 1


@pytest.mark.parametrize(
    "value", ["1.5", "null", '{"a":1}', "[1]", "[[]]", "9" * 5_000, "1e999", "[" * 9_000, "NaN"]
)
def test_rules_of_another_shape_are_no_message_at_all(value: str) -> None:
    offer = Ring(2, preset("official")).places[0].peer.lobby.terms
    assert isinstance(offer, Offer)
    text = codec.encode(offer).decode()
    assert json.loads(text)["rules"]["decks"] == 1
    with pytest.raises(MalformedError):
        codec.decode(text.replace('"decks":1', f'"decks":{value}').encode())

"""How a table begins: what an offer, a join and a genesis must fulfil, and what a table then is."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p import PROTOCOL_VERSION
from unop2p.errors import InvalidOptionsError, MalformedError
from unop2p.ids import SEATS_MAX
from unop2p.log.messages import Signed
from unop2p.rules.options import options_to_dict, preset
from unop2p.table.genesis import (
    Genesis,
    Join,
    Offer,
    OtherTermsError,
    Table,
    Timers,
    UnknownArgumentError,
    check_name,
    check_resilience,
    default_resilience,
    make_table,
)

OFFER = Offer(
    table=bytes(16),
    version=PROTOCOL_VERSION,
    rules=options_to_dict(preset("official")),
    timers=Timers(),
    seats_wanted=3,
    argument="proved",
    resilience=0,
)


def signed(author: int, words: str) -> Signed:
    return Signed(author=bytes([author]) * 32, signature=bytes(64), payload=words.encode())


SIGNED_OFFER = signed(0, "offer")


def join(name: str, *, bot: bool = True, offer: bytes = SIGNED_OFFER.hash) -> Join:
    return Join(offer=offer, name=name, bot=bot, nonce=bytes(16))


def table(
    joins: list[Join],
    *,
    authors: list[int] | None = None,
    by: int = 0,
    offer: Offer = OFFER,
) -> Table:
    keys = authors if authors is not None else list(range(len(joins)))
    genesis = Genesis(offer=SIGNED_OFFER, joins=tuple(signed(key, f"join {key}") for key in keys))
    return make_table(signed(by, "genesis"), genesis, offer, tuple(joins))


def test_a_table_is_what_genesis_offer_and_joins_say() -> None:
    made = table([join("ann", bot=False), join("ben")])
    assert (made.names, made.bots, made.seat_count) == (("ann", "ben"), (False, True), 2)
    assert made.keys == (bytes([0]) * 32, bytes([1]) * 32)
    assert made.head == made.genesis.hash == signed(0, "genesis").hash
    assert made.options == preset("official")


@pytest.mark.parametrize(("bots", "window"), [((True, True), 0), ((True, False), 2_000)])
def test_one_human_gives_everybody_the_reaction_window(
    bots: tuple[bool, bool], window: int
) -> None:
    assert table([join("ann", bot=bots[0]), join("ben", bot=bots[1])]).reaction_ms == window


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"joins": [join("ann")]}, "1 seats where 3 were offered"),
        ({"joins": []}, "0 seats"),
        ({"joins": [join(name) for name in "abcd"]}, "4 seats where 3 were offered"),
        ({"joins": [join("ann"), join("ben")], "by": 1}, "not by who made the offer"),
        ({"joins": [join("ann"), join("ben")], "authors": [1, 1]}, "a key sits twice"),
        ({"joins": [join("ann"), join("ANN")]}, "a name sits twice"),
        ({"joins": [join("ann"), join("ben", offer=bytes(32))]}, "for another offer"),
    ],
)
def test_a_genesis_that_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(MalformedError, match=words):
        table(**changes)


def test_others_can_stand_in_at_a_table_of_three_that_is_proved() -> None:
    assert replace(OFFER, resilience=1).options() == OFFER.options()
    assert table([join("ann"), join("ben")], offer=replace(OFFER, resilience=1)).seat_count == 2


def test_from_four_seats_up_others_stand_in_for_one_where_nobody_says_otherwise() -> None:
    assert [default_resilience(seats, "proved") for seats in (2, 3, 4, 5, 10)] == [0, 0, 1, 1, 1]
    assert default_resilience(4, "commit-reveal") == 0
    for seats in range(2, 11):
        for argument in ("proved", "commit-reveal"):
            check_resilience(default_resilience(seats, argument), seats, argument)


def test_a_table_for_four_that_begins_with_three_has_nobody_stand_in() -> None:
    names = ["ann", "ben", "cleo", "dan"]
    for wanted, there, resilience in ((4, 4, 1), (4, 3, 0), (3, 3, 1), (5, 4, 1), (4, 2, 0)):
        joins = [join(name) for name in names[:there]]
        made = table(joins, offer=replace(OFFER, seats_wanted=wanted, resilience=1))
        assert made.resilience == resilience, (wanted, there)
        assert made.threshold(there) == (there - 1 if resilience else 0)


def test_a_resilience_is_refused_with_its_bounds() -> None:
    with pytest.raises(InvalidOptionsError, match="with 3 seats it is 0 to 1"):
        check_resilience(2, 3, "proved")
    with pytest.raises(InvalidOptionsError, match="`commit-reveal`"):
        check_resilience(1, 4, "commit-reveal")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"version": PROTOCOL_VERSION + 1}, OtherTermsError),
        ({"version": 0}, OtherTermsError),
        ({"argument": "trust-me"}, UnknownArgumentError),
        ({"resilience": 2}, InvalidOptionsError),
        ({"resilience": 1, "seats_wanted": 2}, InvalidOptionsError),
        ({"resilience": 1, "argument": "commit-reveal"}, InvalidOptionsError),
        ({"resilience": -1}, InvalidOptionsError),
        ({"rules": {}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "target": 0}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "target": True}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "stacking": 1}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "unknown": 1}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "stack_on": "two_on_two"}}, InvalidOptionsError),
        ({"rules": {**OFFER.rules, "hand_moves": ["nowhere"]}}, InvalidOptionsError),
    ],
)
def test_an_offer_that_this_program_cannot_play_is_refused_by_a_sentence_of_its_own(
    change: dict[str, Any], error: type[Exception]
) -> None:
    offer = replace(OFFER, **change)
    with pytest.raises(error):
        offer.options()
    with pytest.raises(error):
        table([join("ann"), join("ben")], offer=offer)


VALUES = st.booleans() | st.integers() | st.text(max_size=9) | st.lists(st.text(max_size=9))


@given(st.dictionaries(st.sampled_from([*OFFER.rules, "other"]), VALUES, max_size=4))
def test_no_rules_of_an_offer_do_more_than_to_be_refused(changes: dict[str, Any]) -> None:
    offer = replace(OFFER, rules={**OFFER.rules, **changes})
    try:
        options = offer.options()
    except InvalidOptionsError as error:
        assert error.sentence()
    else:
        assert options_to_dict(options).keys() == OFFER.rules.keys()


@pytest.mark.parametrize(
    "change",
    [{"table": b""}, {"table": bytes(17)}, *({"seats_wanted": n} for n in (-1, 0, 1, 11, 10**9))],
)
def test_an_offer_of_what_no_table_can_be_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        replace(OFFER, **change)


@pytest.mark.parametrize("seats", [2, SEATS_MAX])
def test_two_to_ten_seats_may_be_offered(seats: int) -> None:
    assert replace(OFFER, seats_wanted=seats).options() == preset("official")


@pytest.mark.parametrize(
    "change",
    [
        {"turn_ms": 999},
        {"turn_ms": 86_400_001},
        {"reaction_ms": -1},
        {"reaction_ms": 60_001},
        {"patience_ms": 999},
        {"patience_ms": 3_600_001},
    ],
)
def test_timers_that_no_table_can_be_played_with_are_malformed(change: dict[str, int]) -> None:
    with pytest.raises(MalformedError, match="a timer of"):
        Timers(**change)


@pytest.mark.parametrize("nonce", [b"", bytes(15), bytes(17)])
def test_a_join_has_a_nonce_of_sixteen_bytes(nonce: bytes) -> None:
    with pytest.raises(MalformedError, match="nonce"):
        replace(join("ann"), nonce=nonce)


@pytest.mark.parametrize("name", ["a", "a" * 24, "zoë", "李", "x.y", "ann2"])
def test_a_name_of_printable_letters_is_one(name: str) -> None:
    check_name(name)
    assert join(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a" * 25,
        "a b",
        " a",
        "a ",
        "a\tb",
        "a\nb",
        "a\x1b[31m",
        "a\0",
        "a\u00a0b",
        "a\u200bb",
        "a\u202eb",
        "a\ud800",
        "\u3000",
    ],
)
def test_a_name_that_could_play_tricks_with_a_screen_is_none(name: str) -> None:
    with pytest.raises(MalformedError):
        check_name(name)
    with pytest.raises(MalformedError):
        join(name)

"""By which rules an unattended bot plays, and with whom."""

from dataclasses import replace
from typing import Any

import pytest

from unop2p.edge.bot_config import AcceptPart, BotConfig, CompanyPart
from unop2p.edge.bot_judge import Judge, differing
from unop2p.log.digest import fingerprint
from unop2p.log.messages import Signed
from unop2p.rules.options import PRESETS, options_to_dict, preset, with_overrides
from unop2p.table.genesis import Join, Offer, Program, Timers

ANN, BEN, OWN = (bytes([seed]) * 32 for seed in (1, 2, 3))


def offer(rules: str = "official", **changes: object) -> Offer:
    return Offer(
        table=bytes(16),
        version=1,
        rules=options_to_dict(with_overrides(preset(rules), changes)),
        timers=Timers(),
        seats_wanted=4,
        argument="proved",
        resilience=0,
    )


def judge(*, known: bool = False, accept: Any = None, company: Any = None) -> Judge:
    config = BotConfig(
        tickets=["x"],
        accept=AcceptPart(**(accept or {})),
        company=CompanyPart(**(company or {})),
    )
    return Judge(config, lambda _name, _key: known, frozenset({OWN}))


def join(name: str = "ann", *, bot: bool = False, owner: bytes | None = None) -> Join:
    vouched = Signed(author=owner, signature=bytes(64), payload=b"") if owner else None
    program = Program(level="net", version="1", owner=vouched) if bot else None
    return Join(offer=bytes(32), name=name, bot=bot, nonce=bytes(16), program=program)


@pytest.mark.parametrize("name", list(PRESETS))
def test_with_nothing_said_every_preset_is_played(name: str) -> None:
    assert judge().rules(offer(name)) is None


def test_a_preset_is_played_as_it_is_but_for_what_may_differ() -> None:
    strict = judge(accept={"presets": ["official"]})
    assert strict.rules(offer()) is None
    assert strict.rules(offer(target=300)) is None
    why = strict.rules(offer("greek"))
    assert why is not None
    assert why.startswith("I play by official, and here these differ: ")
    assert judge(accept={"presets": ["official", "greek"]}).rules(offer("greek")) is None


def test_single_options_and_seats_and_deals_are_refused_in_plain_words() -> None:
    assert judge(accept={"options": {"target": [200]}}).rules(offer()) == (
        "I play with target = 200, and here it is 500."
    )
    assert judge(accept={"options": {"target": [200, 500]}}).rules(offer()) is None
    assert "tables of 2 to 3 seats" in str(judge(accept={"seats_most": 3}).rules(offer()))
    replayed = replace(offer(), argument="commit-reveal")
    assert "`commit-reveal`" in str(judge().rules(replayed))


def test_who_is_blocked_is_so_with_every_bot_of_theirs() -> None:
    strict = judge(known=True, company={"blocked": [fingerprint(ANN)]})
    assert strict.seat(ANN, join()) == "I do not play with ann."
    assert strict.seat(BEN, join("bob", bot=True, owner=ANN)) == "I do not play with bob."
    assert strict.seat(BEN, join("ben")) is None
    assert not strict.host(ANN)
    assert strict.host(BEN)


def test_known_are_those_met_before_and_friends_and_who_sits_here_too() -> None:
    shy = judge(company={"people": "known", "friends": [fingerprint(BEN).replace(" ", "")]})
    assert "do not know ann" in str(shy.seat(ANN, join()))
    assert shy.seat(BEN, join("ben")) is None
    assert shy.seat(OWN, join("own")) is None
    assert judge(known=True, company={"people": "known"}).seat(ANN, join()) is None
    assert shy.seats([(BEN, join("ben")), (ANN, join())]) == shy.seat(ANN, join())


def test_a_bot_may_want_people_only() -> None:
    assert judge(company={"bots": False}).seat(BEN, join("ben", bot=True)) is not None
    assert judge(company={"bots": False}).seat(BEN, join("ben")) is None


def test_what_differs_is_named() -> None:
    changed = with_overrides(preset("official"), {"target": 300})
    assert differing(changed, preset("official")) == ["target"]

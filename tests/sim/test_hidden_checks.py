"""Rules about hidden cards, broken by a changed program: found by everybody, and only there."""

from dataclasses import replace
from typing import ClassVar

import pytest

from tests.peer.test_faults import assert_named
from tests.sim.cases import Script
from tests.sim.rigged import NAME
from tests.sim.test_secrecy import hidden, read_public
from tests.sim.unlawful import (
    KINDS,
    LAZY,
    ON,
    PLAIN,
    REAL,
    SEATS,
    Bold,
    Kind,
    Pretender,
    Talker,
    at_table,
    first_player,
    hand,
    moves_said,
    played,
    rules,
)
from unop2p.deal.keys import RoundKeys
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.rules.options import PRESETS, Options, preset, with_overrides
from unop2p.sim.ring import Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies, claims, notices
from unop2p.table.claims import claim_owed
from unop2p.table.phases import Phase
from unop2p.table.work import Checked, ClaimTask
from unop2p.wire.audit import Audit, Finding, audit


@pytest.fixture(autouse=True, scope="module")
def _know_the_first_player() -> None:
    first_player()  # It needs a rigged deck of its own.


# -- lawful moves ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("checks", ["audit", "proved"])
@pytest.mark.parametrize("name", KINDS)
def test_a_lawful_move_of_each_kind_is_let_pass(name: str, checks: str) -> None:
    kind = KINDS[name]
    with at_table(kind.fine, real=name in REAL):
        ring = played(kind, checks)
        assert len(ring.heads()) == 1
        for place in ring.places:
            assert place.stop is not None
            assert place.stop.exit_code == 0, place.stop.reason
        if checks == "proved":  # the other way is audited below, preset by preset
            assert audit(ring.places[0].record).finding is Finding.COMPLETE
    last = kind.moves.count(";")
    _, body = moves_said(ring)[last]
    assert bool(body.claim) == (checks == "proved")


# -- unlawful moves ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_an_unlawful_move_of_each_kind_comes_out_when_the_round_is_over(name: str) -> None:
    kind = KINDS[name]
    with at_table(kind.wrong):
        ring = played(kind, "audit", Bold)
        assert_named(ring, first_player())
        step, _ = moves_said(ring)[kind.moves.count(";")]
        for index, place in enumerate(ring.places):
            told = [n for n in place.notices if isinstance(n, notices.FaultProved)]
            assert [(n.seat, n.step) for n in told] == [(first_player(), step)], index
            assert kind.said in told[0].reason
            ended = [n.number for n in place.notices if isinstance(n, notices.RoundEnded)]
            assert 1 not in ended, "the round counts for nobody"
            report = audit(place.record)
            assert (report.step, report.author) == (step, f"p{first_player()}")
            assert kind.said in report.reason


@pytest.mark.slow
@pytest.mark.parametrize("chain_class", [Bold, Pretender], ids=["no-proof", "forged"])
@pytest.mark.parametrize("name", KINDS)
def test_an_unlawful_move_of_each_kind_is_refused_at_once_where_it_is_proved(
    name: str, chain_class: type[Chain]
) -> None:
    kind = KINDS[name]
    with at_table(kind.wrong):
        ring = played(kind, "proved", chain_class)
        assert_named(ring, first_player())
    step, _ = moves_said(ring)[-1]
    for index, place in enumerate(ring.places):
        chain = place.peer.chain
        assert chain is not None
        if index != first_player():
            said = {item.author for item in chain.history[step].statements}
            assert chain.table.keys[first_player()] not in said  # The move was not made.


@pytest.mark.parametrize("checks", ["audit", "proved"])
def test_a_proof_where_none_is_due_is_a_fault(checks: str) -> None:
    kind = Kind({}, "draw", PLAIN, PLAIN, "")
    with at_table(kind.wrong):
        ring = played(kind, checks, Talker)
        assert_named(ring, first_player())
        chain = ring.places[(first_player() + 1) % SEATS].peer.chain
        assert chain is not None
        assert chain.fault is not None
        assert "none is due" in chain.fault.reason


@pytest.mark.parametrize("name", ["draw", "stop-wild"])
def test_a_claim_that_is_too_long_to_prove_is_checked_after_the_round(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LEAVES_MAX", 20)
    kind = KINDS[name]
    with at_table(kind.wrong):
        ring = played(kind, "proved", Bold)
        assert_named(ring, first_player())
        told = [n for n in ring.places[0].notices if isinstance(n, notices.FaultProved)]
        assert kind.said in told[0].reason
    assert not any(body.claim for _, body in moves_said(ring))


# -- hands that move in between ----------------------------------------------------------------


def swapped(hand_then: str, card: str) -> Ring:
    """Let the first player draw unlawfully, and the next one move that hand on."""
    moves = f"draw; pass; play {card}"
    changes = LAZY | {"hand_moves": "seven_swaps"}
    kind = Kind(changes, moves, hand_then, "", "drew while")
    return played(kind, "audit", Bold)


@pytest.mark.slow
def test_a_hand_that_was_swapped_away_since_still_convicts() -> None:
    # Two red cards among eight, one of which was drawn after the move: one was held for certain.
    deal = hand("R1", "R0") + " | B1"
    with at_table(deal):
        ring = swapped(deal, f"R7 p{first_player()}")
        assert_named(ring, first_player())
    assert [type(n) for n in ring.places[0].notices].count(notices.HandsMoved) >= 1


def check_nobody_is_blamed(ring: Ring) -> None:
    for index, place in enumerate(ring.places):
        if index != first_player():
            assert place.stop is not None
            assert place.stop.exit_code == 0, place.stop.reason
            assert audit(place.record).finding is Finding.COMPLETE
    assert any(isinstance(n, notices.HandsMoved) for n in ring.places[0].notices)


@pytest.mark.slow
def test_where_a_card_drawn_since_may_have_been_the_one_nobody_is_blamed() -> None:
    deal = hand("R1") + " | B1"
    with at_table(deal):
        check_nobody_is_blamed(swapped(deal, f"R7 p{first_player()}"))


def shuffled(deal: str) -> Ring:
    """Let the first player draw unlawfully, and shuffle all hands with the card that it drew."""
    return played(Kind(LAZY, "draw; play WH:R", deal, "", "drew while"), "audit", Bold)


@pytest.mark.slow
def test_what_was_held_before_all_hands_were_shuffled_does_not_come_out() -> None:
    deal = hand("R1", "R0") + " | WH"
    with at_table(deal, "B2 B3 B4 B5 B6 B7 B8"):
        check_nobody_is_blamed(shuffled(deal))


@pytest.mark.slow
def test_but_who_held_more_cards_than_there_were_others_is_convicted() -> None:
    # Of the 21 cards that were shuffled 16 are red: no hand of seven was without.
    deal = hand("R1", "R0") + " | WH"
    with at_table(deal):
        assert_named(shuffled(deal), first_player())


# -- proofs elsewhere --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["four-other", "draw", "stop-wild"])
def test_a_proof_holds_for_its_own_move_and_nowhere_else(name: str) -> None:
    kind = KINDS[name]
    with at_table(kind.fine):
        ring = Ring(
            SEATS,
            rules("proved", kind.options),
            seed=9,
            player=Script(kind.moves),
            argument=NAME,
        )
        last = kind.moves.count(";")
        ring.run(lambda r: len(moves_said(r)) > last)
        _, body = moves_said(ring)[last]
        chain = ring.places[first_player()].peer.chain
        assert chain is not None
        state, seat = chain.state, Seat(first_player())
        task = claim_owed(state, seat, body)
        assert task is not None
        task.check(body.claim, trusted=False)
        here = task.context
        for elsewhere in (
            replace(here, table_id=bytes(16)),
            replace(here, round_index=here.round_index + 1),
            replace(here, step=here.step + 1),
            replace(here, head=bytes(32)),
            replace(here, author=state.table.keys[1 - bool(seat)]),
            replace(here, joint_key=bytes(32)),
        ):
            with pytest.raises(ProofError):
                replace(task, context=elsewhere).check(body.claim, trusted=False)
        other = Seat((seat + 1) % SEATS)
        theirs = tuple(state.residual(position, other) for position in state.hands[other])
        cards = (*theirs, *task.residuals())[: len(task.cards)]
        with pytest.raises(ProofError):
            replace(task, cards=cards, others=((),) * len(cards)).check(body.claim, trusted=False)


class Replayer(Bold):
    """Sends the proof of its move before once more."""

    __slots__ = ()
    before: ClassVar[list[bytes]] = []

    def forge(self, task: ClaimTask, keys: RoundKeys) -> bytes:
        return self.before[-1]

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Drew) and body.claim:
            self.before.append(body.claim)
        super()._say(body, checked)


def test_the_proof_of_a_lawful_draw_does_not_serve_for_the_next() -> None:
    kind = Kind(ON, "draw; draw; draw", f"{PLAIN} | B1 R1", "", "")
    with at_table(kind.wrong):
        ring = played(kind, "proved", Replayer)
        assert_named(ring, first_player())
    assert len(moves_said(ring)) == 3


# -- whole rounds ------------------------------------------------------------------------------


def one_round(name: str, checks: str) -> Options:
    return with_overrides(
        preset(name), {"match_end": "rounds", "target": 1, "hidden_checks": checks}
    )


@pytest.mark.slow
@pytest.mark.parametrize("checks", ["audit", "proved"])
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_plays_a_whole_round_and_its_record_is_complete(
    name: str, checks: str
) -> None:
    with in_toy_group():
        ring = Ring(SEATS, one_round(name, checks), seed=4)
        ring.run()
        assert len(ring.heads()) == 1
        for place in ring.places:
            assert place.stop is not None
            assert place.stop.exit_code == 0, place.stop.reason
        assert audit(ring.places[-1].record).finding is Finding.COMPLETE


@pytest.mark.slow
def test_a_reader_of_all_traffic_learns_no_card_from_proofs_about_hands() -> None:
    with in_toy_group():
        ring = Ring(SEATS, one_round("greek", "proved"), seed=4)
        ring.run(lambda r: all(_opens_hands(place.peer.chain) for place in r.places))
        reader, looked = Audit(), 0
        for line in ring.places[0].record:
            reader.take(line.removesuffix(b"\n"))
            state = reader.state
            if state is None or state.joint is None or not state.hands:
                continue
            for _, position in hidden(state):
                looked += 1
                assert read_public(state, position) is None, (state.step, position)
    assert looked > 100
    proved = [body for index in range(SEATS) for _, body in moves_said(ring, index) if body.claim]
    assert len(proved) > 3


def _opens_hands(chain: Chain | None) -> bool:
    return chain is not None and chain.state.plan.phase is Phase.HANDS


@pytest.mark.slow
@pytest.mark.parametrize("network", [Network(loss=20), Network(repeat=50, reorder=40)])
def test_on_a_bad_network_everybody_finds_the_unlawful_move_all_the_same(network: Network) -> None:
    with at_table(KINDS["draw"].wrong):
        ring = played(KINDS["draw"], "audit", Bold, network)
        assert_named(ring, first_player())


@pytest.mark.slow
def test_a_peer_that_is_killed_before_it_tells_finds_the_move_again() -> None:
    killed: list[int] = []

    def crash(index: int, _number: int, effect: events.Effect) -> bool:
        due = isinstance(effect, events.Proved) and index not in killed
        if due:
            killed.append(index)
        return due

    with at_table(KINDS["draw"].wrong):
        ring = played(KINDS["draw"], "audit", Bold, crash=crash)
        assert_named(ring, first_player())
    assert set(range(SEATS)) - {first_player()} <= set(killed)


@pytest.mark.slow
def test_one_who_only_watches_the_record_grow_sees_the_fault_before_its_line() -> None:
    kind = KINDS["keep"]
    with at_table(kind.wrong):
        ring = played(kind, "audit", Bold)
        lines = ring.places[(first_player() + 1) % SEATS].record
        proof = next(i for i, line in enumerate(lines) if b'"kind":"evidence"' in line)
        before = lines[:proof]
        assert audit(before).finding is Finding.FAULT
        assert audit([*before, lines[proof][:-9]]).finding is Finding.FAULT
        assert audit(before[:-1]).finding is Finding.INCOMPLETE
        assert audit([*before, before[-1]]).finding is Finding.BROKEN
        other = lines[proof].replace(b'"step":', b'"step":1', 1)
        assert audit([*before, other]).finding is Finding.BROKEN

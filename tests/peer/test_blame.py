"""What follows where a fault is proved: for whom the table goes on, and for whom it ends."""

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.peer import events
from unop2p.peer.blame import CLOSED_KEPT, FAULT_EXIT_CODE, OLD_JOURNAL_EXIT_CODE
from unop2p.peer.chain import Chain
from unop2p.table.phases import Phase
from unop2p.table.talk import Accuse
from unop2p.wire import codec


def evidence_against(chain: Chain, seat: int) -> Evidence:
    signed = chain.history[0].statements[seat]
    return Evidence(author=chain.table.keys[seat], step=0, reason="it lied", items=(signed,))


def stops(effects: tuple[events.Effect, ...]) -> list[int]:
    return [effect.exit_code for effect in effects if isinstance(effect, events.Stop)]


def test_among_three_the_table_goes_on_and_everybody_is_told_once() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        chain.desk.take()
        chain.prove(evidence_against(chain, 1))
        chain.prove(evidence_against(chain, 1))
        effects = chain.desk.take()
        assert not stops(effects)
        assert sum(isinstance(effect, events.Proved) for effect in effects) == 1
        (kept,) = [effect for effect in effects if isinstance(effect, events.Persist)]
        accused = codec.decode(codec.unpack(kept.entries[-1]).payload)
        assert isinstance(accused, Accuse)
        assert chain.attendance.guilty() == {Seat(1)}
        assert chain.fault is not None


def test_of_two_the_honest_one_stops_and_keeps_the_evidence() -> None:
    with standing_in(Phase.TURN, 2) as ring:
        chain = chain_of(ring, 0)
        chain.desk.take()
        chain.prove(evidence_against(chain, 1))
        assert stops(chain.desk.take()) == [FAULT_EXIT_CODE]


def test_where_no_majority_is_honest_the_match_ends() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        chain.desk.take()
        chain.prove(evidence_against(chain, 1))
        chain.prove(evidence_against(chain, 2))
        assert stops(chain.desk.take()) == [FAULT_EXIT_CODE]


def test_evidence_against_ourselves_means_that_our_journal_is_old() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        chain.desk.take()
        chain.prove(evidence_against(chain, 0))
        assert stops(chain.desk.take()) == [OLD_JOURNAL_EXIT_CODE]


def test_only_the_last_steps_are_kept_whole() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        assert len(chain.blame.closed) == min(CLOSED_KEPT, chain.open.step)
        assert chain.blame.closed[-1].step == chain.open.step - 1

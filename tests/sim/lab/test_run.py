"""How a run is judged."""

import pytest

from tests.sim.lab.support import try_cheat
from unop2p.deal.shares import verify_shares
from unop2p.deal.transcript import ProofContext
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.run import Outcome, Plan, run
from unop2p.sim.lab.trick import Trick
from unop2p.table import work


def test_a_cheat_that_does_not_apply_is_untried_and_no_seeds_are_searched() -> None:
    report = try_cheat("leave-at-seeds", group="toy", read=False)
    assert report.outcome is Outcome.UNTRIED
    assert report.seed == 7


@pytest.mark.slow
def test_an_honest_seat_that_is_blamed_is_the_worst_of_outcomes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = verify_shares

    def unjust(context: ProofContext, *rest: object) -> object:
        if context.author == unjust.victim:  # type: ignore[attr-defined]  # set below
            message = "unjust"
            raise ProofError(message)
        return real(context, *rest)  # type: ignore[arg-type]  # handed on as they came

    class Victim(Trick):
        lawful = True

        def is_lost(self, chain: object) -> bool:
            unjust.victim = chain.table.keys[0]  # type: ignore[attr-defined]  # an honest seat
            self.first_step = 0
            return False

    unjust.victim = b""  # type: ignore[attr-defined]
    monkeypatch.setattr(work, "verify_shares", unjust)
    cheat = Cheat(
        name="victim", family="none", sentence="None.", attacks=Promise.BLAME, make=Victim
    )
    report = run(Plan(peers=3, cheats=((cheat, Seat(2)),), group="toy", read=False))
    assert report.outcome is Outcome.FRAMED
    assert report.blamed == (Seat(0),)


@pytest.mark.slow
def test_records_of_honest_seats_name_the_cheat_in_the_real_group() -> None:
    report = run(
        Plan(peers=2, cheats=((try_cheat("late-seed", peers=2).plan.cheats[0]),), audit=True)
    )
    assert report.outcome is Outcome.CAUGHT
    assert report.audited == ("fault p1",)


@pytest.mark.slow
def test_the_same_plan_gives_the_same_report_but_for_its_time() -> None:
    first, second = (try_cheat("false-share", group="toy") for _ in range(2))
    assert (first.evidence, first.caught_step, first.cost.bytes, first.cost.messages) == (
        second.evidence,
        second.caught_step,
        second.cost.bytes,
        second.cost.messages,
    )


def test_a_deck_is_stacked_where_the_dealer_has_left_before_it_was_dealt() -> None:
    report = try_cheat(
        "leave-at-answer", group="toy", read=False, argument="commit-reveal", peers=4
    )
    assert report.outcome is Outcome.HARMLESS
    assert report.blamed == ()

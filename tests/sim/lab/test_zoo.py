"""Every cheat of the zoo, caught or harmless: in the toy group, which is as strict and much faster."""

import pytest

from tests.sim.lab.support import try_cheat
from unop2p.ids import Seat
from unop2p.sim.lab.registry import CHEATS
from unop2p.sim.lab.run import Outcome

CALM = {
    "last-word",
    "shared-key",
    "opposite-keys",
    "late-word",
    "two-adopts-to-all",
    *(name for name in CHEATS if name.startswith(("two-adopts-in-", "accuse-", "stall-at-"))),
    *(name for name, cheat in CHEATS.items() if cheat.family == "network"),
}
"""What changes nothing: nobody may be blamed for it."""
QUICK = {"keys", "shuffle", "shares"}
LATE = {
    "old-proof-round",
    "old-shares-round",
    "old-key-proof-round",
    "false-shares-solved",
}
"""These need a second round, or a search."""
CHEAP = [n for n, cheat in CHEATS.items() if cheat.family in QUICK and n not in LATE | CALM]
FIELDS = [
    "identity-in-reveal-key",
    "unreduced-point-in-reveal-key",
    "large-scalar-in-reveal-response",
    "high-bit-in-shuffle-c1",
    "no-point-in-shuffle-c2",
    "identity-in-shuffle-commitment",
    "unreduced-point-in-shuffle-chain",
    "large-scalar-in-shuffle-challenge",
    "large-scalar-in-shuffle-s4",
    "large-scalar-in-shuffle-s-hat",
    "large-scalar-in-shuffle-s-prime",
    "no-point-in-shares-share",
    "large-scalar-in-shares-challenge",
]
PLAY = [
    "card-not-held",
    "other-face",
    "position-twice",
    "no-such-seat",
    "card-that-does-not-fit",
    "out-of-turn",
    "assent-for-a-piece",
    "lie-innocent",
    "guilty-by-another-card",
    "guilty-by-a-card-elsewhere",
    "large-scalar-in-play-response",
    "large-scalar-in-innocent-challenge",
    "high-bit-in-guilty-share",
    "hidden-wild-proved",
    "hidden-keep-proved",
]
AGREEMENT = [
    "adopts-what-is-wrong",
    *(f"two-statements-in-{phase}" for phase in ("commit", "reveal", "shuffle", "deal", "turn")),
    *(f"two-words-in-{phase}" for phase in ("commit", "deal", "answer")),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CHEAP, *FIELDS, *PLAY])
def test_a_cheat_is_caught_in_the_step_in_which_it_was_tried(name: str) -> None:
    report = try_cheat(name, group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(2),)
    assert report.steps_late == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["taken-over-seal", "false-complaint", "false-part", "part-for-a-hand"]
)
def test_who_cheats_where_others_stand_in_is_caught_in_the_step_in_which_it_was_tried(
    name: str,
) -> None:
    report = try_cheat(name, peers=4, group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(3),)
    assert report.steps_late == 0


@pytest.mark.slow
def test_a_false_share_of_a_key_is_shown_by_its_seat_in_the_step_after() -> None:
    report = try_cheat("false-key-share", peers=4, group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(3),)
    assert report.evidence == ("seat 3: statement `sealed`", "seat 0: statement `shuffled`")


@pytest.mark.slow
def test_who_withholds_a_part_is_waited_for_and_not_blamed() -> None:
    report = try_cheat("withheld-part", peers=4, group="toy", read=False)
    assert report.outcome is Outcome.WAITS
    assert report.blamed == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", AGREEMENT)
def test_a_contradiction_to_two_halves_is_proved_before_the_next_step_is_settled(
    name: str,
) -> None:
    report = try_cheat(name, group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(2),)
    assert report.steps_late in {0, 1}


@pytest.mark.slow
def test_a_move_made_unseen_is_proved_when_the_hands_are_open() -> None:
    report = try_cheat("hidden-wild-audit", group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert "while holding" in report.reason
    assert report.steps_late is not None
    assert report.steps_late > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leave-at-commit", "leave-at-shuffle", "leave-at-answer"])
def test_a_seat_that_leaves_stops_nobody_and_is_not_blamed(name: str) -> None:
    report = try_cheat(name, group="toy")
    assert report.outcome is Outcome.HARMLESS, report.reason
    assert report.blamed == ()
    assert report.learned_too_much == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "late-word",
        "accuse-with-forged-pair",
        "broker-shows-different-messages",
        "broker-replays-yesterday",
        "junk-with-ticket",
        "stranger-with-ticket",
    ],
)
def test_what_changes_nothing_lets_the_match_end_and_blames_nobody(name: str) -> None:
    assert name in CALM
    report = try_cheat(name, group="toy", read=False)
    assert report.outcome is Outcome.HARMLESS, report.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "duplicate-card",
        "false-share",
        "false-shares-cancel",
        "false-shares-solved",
        "late-seed",
        "identity-key",
        "lie-innocent",
        "card-that-does-not-fit",
        "large-scalar-in-shares-response",
        "two-words-in-commit",
        "hidden-draw-audit",
        "adopts-what-is-wrong",
    ],
)
def test_without_its_defense_a_cheat_is_not_caught(name: str) -> None:
    cheat = CHEATS[name]
    report = try_cheat(name, without=cheat.stopped_by, group="toy", read=False)
    assert report.outcome in {Outcome.THROUGH, Outcome.UNNAMED, Outcome.SPLIT}, report.outcome


@pytest.mark.slow
def test_a_rogue_key_reads_the_whole_deck_where_keys_are_neither_committed_nor_proved() -> None:
    report = try_cheat("rogue-key", without=("seed-commitments", "key-proofs"), group="toy")
    assert report.outcome is Outcome.THROUGH
    assert "112 cards" in report.reason
    for one in ("seed-commitments", "key-proofs"):
        assert try_cheat("rogue-key", without=(one,), group="toy").outcome is Outcome.CAUGHT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["duplicate-card", "swap-cards"])
def test_where_shuffles_are_replayed_a_false_one_is_proved_by_the_end_of_the_round(
    name: str,
) -> None:
    report = try_cheat(name, argument="commit-reveal", group="toy", read=False)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(2),)
    assert report.evidence == ("seat 2: statement `seed`",)
    bare = try_cheat(
        name, argument="commit-reveal", without=("shuffle-replay",), group="toy", read=False
    )
    assert bare.outcome is not Outcome.CAUGHT


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 23))
def test_honest_seats_are_never_blamed_whatever_the_network_does(seed: int) -> None:
    report = try_cheat("broker-does-all", group="toy", seed=seed, peers=3, read=False)
    assert report.outcome is Outcome.HARMLESS, report.reason
    assert report.blamed == ()

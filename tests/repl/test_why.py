"""What has been proved about the deal, and by whom, at every moment of a round."""

from dataclasses import replace

import pytest

from tests.repl.support import lobby_view, view_of
from unop2p.edge.verify import Verified
from unop2p.ids import Seat
from unop2p.repl.why import verified_lines, why_lines
from unop2p.table.phases import Phase
from unop2p.table.view import DealView, TableView

VIEW = view_of("W R7 G3", top="R9", others=("B1 B2 B3", "B4 B5"))
DEAL = DealView(
    phase=Phase.TURN,
    done=(),
    owing=(Seat(0),),
    proved=True,
    shuffled=(Seat(1), Seat(2), Seat(0)),
    cards=112,
    fresh=0,
)
VERIFIED = Verified(
    finding="incomplete",
    reason="The match has not ended in it.",
    step=12,
    author="",
    statements=36,
    signatures=74,
    rounds=0,
    head="00ff" * 16,
)


def told(view: TableView = VIEW, **deal: object) -> str:
    return "\n".join(why_lines(replace(view, deal=replace(DEAL, **deal))))  # type: ignore[arg-type]


def test_before_the_table_begins_there_is_nothing() -> None:
    assert why_lines(lobby_view("ann", "ben")) == ["Nothing yet: the table has not begun."]


def test_while_keys_are_made_it_says_who_has_done_what() -> None:
    early = replace(VIEW, round=None, hand=(), step=0)
    said = told(early, phase=Phase.COMMIT, done=(Seat(0),), owing=(Seat(1), Seat(2)), shuffled=())
    assert "before seeing another's: ann. Still to come: ben, Cleo." in said
    assert "Shuffle" not in said
    said = told(early, phase=Phase.REVEAL, done=(), owing=(Seat(0), Seat(1)), shuffled=())
    assert "proved that it knows its key: nobody. Still to come: ann, ben." in said


def test_while_the_deck_is_shuffled_it_says_whose_proof_is_there() -> None:
    early = replace(VIEW, round=None, hand=(), step=2)
    shuffling: dict[str, object] = {
        "phase": Phase.SHUFFLE,
        "done": (Seat(1),),
        "owing": (Seat(2), Seat(0)),
        "shuffled": (),
    }
    said = told(early, **shuffling)
    assert "with a proof that no card was added, lost or swapped: ben." in said
    assert "Still to come: Cleo, ann." in said
    said = told(early, proved=False, **shuffling)
    assert "done again after the round" in said
    assert "proof" not in said.split("Shuffle")[1].split("`verify`")[0]
    dealing = told(early, phase=Phase.DEAL, shuffled=())
    assert "Shuffle" not in dealing


def test_in_a_round_it_tells_of_keys_shuffles_hand_pile_and_steps() -> None:
    said = told()
    assert "every seat (ann, ben, Cleo) committed to a key and a seed" in said
    assert "nobody could choose it" in said
    assert "Shuffle: ben, Cleo, ann masked and mixed all 112 cards" in said
    assert "checked the proofs of the others" in said
    assert "You have shuffled too" in said
    assert "Your 3 cards: each of ben, Cleo took its own lock off them" in said
    assert "nobody can read them" in said
    assert "12 steps are settled" in said
    assert "anew" not in said
    assert "`unop2p audit`" in said


def test_cards_that_were_shuffled_again_are_told() -> None:
    assert "40 cards were shuffled anew since" in told(fresh=40)
    assert "The seeds together" not in told(replace(VIEW, round_number=2))


def test_who_watches_is_told_of_no_hand_and_no_shuffle_of_ones_own() -> None:
    said = told(replace(VIEW, seat=None, hand=()))
    assert "You have shuffled" not in said
    assert "Your" not in said


def test_shuffles_that_are_done_again_later_are_not_called_proved() -> None:
    said = told(proved=False)
    assert "a false one comes out then, and not before" in said
    assert "has proved that no card" not in said


def test_a_check_that_holds_says_what_was_checked() -> None:
    lines = verified_lines(VERIFIED)
    assert lines[0] == "Everything holds: 12 steps, replayed from nothing by the audit."
    assert "36 statements and 74 signatures" in lines[1]
    assert lines[2] == "Last head: 00ff00ff00ff00ff."
    assert verified_lines(replace(VERIFIED, finding="complete"))[0] == lines[0]


@pytest.mark.parametrize(
    ("finding", "wanted"),
    [
        ("fault", "! ben broke the protocol at step 12: a lie."),
        ("broken", "! Step 12 does not hold, by ben: a lie."),
    ],
)
def test_a_check_that_does_not_hold_says_where_and_whose(finding: str, wanted: str) -> None:
    found = replace(VERIFIED, finding=finding, reason="a lie.", author="ben")
    assert verified_lines(found)[0] == wanted
    nobody = replace(found, author="")
    assert "somebody" in verified_lines(nobody)[0]

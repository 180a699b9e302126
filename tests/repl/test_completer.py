"""What is offered while one types."""

from dataclasses import replace

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from tests.bots.support import position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.edge.languages import load
from unop2p.ids import Seat
from unop2p.repl.completer import TableCompleter, offers, suggestions
from unop2p.rules.cards import Face
from unop2p.rules.moves import Play
from unop2p.table.view import Stage, TableView


def completed(typed: str, view: TableView) -> list[str]:
    """Return the lines that completion offers."""
    completer = TableCompleter(lambda: view)
    offered = completer.get_completions(Document(typed), CompleteEvent())
    return [typed[: len(typed) + item.start_position] + item.text for item in offered]


VIEW = view_of("R7 R5 G3 W", top="R9")


def test_legal_cards_come_first_then_commands() -> None:
    offered = suggestions(VIEW)
    assert offered[:6] == ["r5", "r7", "w r", "w y", "w g", "w b"]
    assert "draw" in offered
    assert "g3" not in offered
    assert offered.index("draw") < offered.index("help")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("r", ["r5", "r7", "rules"]),
        ("R", ["r5", "r7", "rules"]),
        ("w", ["w r", "w y", "w g", "w b", "why"]),
        ("w ", ["w r", "w y", "w g", "w b"]),
        ("dr", ["draw"]),
        ("draw", []),
        ("play r", ["r5", "r7", "rules"]),
        ("  sc", ["  score"]),
        ("zz", []),
    ],
)
def test_a_beginning_is_completed(typed: str, wanted: list[str]) -> None:
    assert completed(typed, VIEW) == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("green", "w g"),
        ("gren", "w g"),
        ("wild blue", "w b"),
        ("hlp", "help"),
        ("tabl", "table"),
    ],
)
def test_letters_in_order_and_words_that_people_have_are_enough(typed: str, wanted: str) -> None:
    assert completed(typed, VIEW)[0] == wanted


def test_skip_and_reverse_are_found_by_name() -> None:
    view = view_of("RS RV B+2 R3", top="R9")
    assert completed("skip", view) == ["rs"]
    assert completed("rev", view) == ["rv"]


def test_words_to_others_are_nobodys_to_complete() -> None:
    assert completed("say r", VIEW) == []
    assert completed("say ", VIEW) == []


def test_each_offer_says_what_it_would_do() -> None:
    offered = {offer.text: offer.does for offer in offers(VIEW)}
    assert offered["r7"] == "then ben"
    assert offered["w g"] == "color green; then ben"
    assert offered["say"] == "chat"
    assert all(offered.values())


def test_begin_is_offered_in_the_lobby_alone() -> None:
    assert "begin" in suggestions(lobby_view("ann"))
    assert "begin" not in suggestions(VIEW)


def test_nothing_typed_offers_everything() -> None:
    assert completed("", VIEW) == suggestions(VIEW)


def test_seats_that_can_be_caught_are_completed_by_name() -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    game.act(Seat(0), Play(cards=(Face.R1,)))
    view = table_view(game, 1)
    assert completed("ca", view) == ["catch ann"]
    named = replace(view, seats=(replace(view.seats[0], name="Ann"), *view.seats[1:]))
    assert completed("catch a", named) == ["catch Ann"]


def test_a_call_is_offered_with_the_play_that_needs_it() -> None:
    assert completed("r1", view_of("R1 B2", top="R9")) == ["r1 uno"]


@pytest.mark.parametrize("language", ["el", "he", "pl", "ro", "uk"])
def test_what_a_command_does_is_told_in_the_language(language: str) -> None:
    words = load(language)
    english = {offer.text: offer.does for offer in offers(lobby_view())}
    for offer in offers(lobby_view(), words):
        assert offer.does, offer
        assert offer.does != english[offer.text]


@pytest.mark.parametrize(
    ("language", "typed", "wanted"),
    [("uk", "допо", "help"), ("pl", "czem", "why"), ("uk", "зел", "w g"), ("pl", "dob", "draw")],
)
def test_words_of_the_language_find_what_they_mean(language: str, typed: str, wanted: str) -> None:
    completer = TableCompleter(lambda: VIEW, load(language))
    found = completer.get_completions(Document(typed), CompleteEvent())
    assert wanted in [completion.text for completion in found]


def test_leaving_for_good_is_offered_last_and_only_where_a_round_is_played() -> None:
    playing = view_of("R1 G7")
    found = [offer.text for offer in offers(playing)]
    assert found[-2:] == ["leave for good", "void"]
    assert {offer.does for offer in offers(playing)[-2:]} == {
        "your hand is opened, and the others play on",
        "give up a round that waits for others",
    }
    lobby = [offer.text for offer in offers(replace(playing, stage=Stage.LOBBY))]
    assert "leave for good" not in lobby

"""Lines that people type."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.support import any_options, decisions, position
from tests.repl.support import NAMES, lobby_view, table_view, view_of
from unop2p.errors import IllegalMoveError, InvalidNotationError, LocalError
from unop2p.ids import Seat
from unop2p.repl.commands import (
    ALSO,
    DROP,
    HELP,
    LOBBY,
    SPEAKING,
    UNDO,
    WORDS,
    Screen,
    SeatNeededError,
    Show,
    expand,
    playable_faces,
    read,
    refusal_sentence,
    sorted_hand,
)
from unop2p.repl.completer import suggestions, typed_move
from unop2p.rules.blanks import NAME_CHARACTERS_MIN, RESERVED
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import TurnDue
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
    move_text,
)
from unop2p.table.commands import Begin, GiveUpRound, LeaveTable, MakeMove, Say, SetReady
from unop2p.table.view import TableView

HAND = "R7 R5 G3 B7 W W4 WH"
"""Shown as 1:R5 2:R7 3:G3 4:B7 5:W 6:W4 7:WH."""


@pytest.fixture
def view() -> TableView:
    return view_of(HAND, top="R9", others=("B1 B2", "G1 G2"))


def move(line: str, view: TableView) -> Move:
    command = read(line, view)
    assert isinstance(command, MakeMove)
    return command.move


def play(*cards: Face, **rest: object) -> Play:
    return Play(cards=cards, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("r7", play(Face.R7)),
        ("  R7 ", play(Face.R7)),
        ("play r7", play(Face.R7)),
        ("play 2", play(Face.R7)),
        ("r7 uno", play(Face.R7, uno=True)),
        ("R7 UNO", play(Face.R7, uno=True)),
        ("3", play(Face.G3)),
        ("#3", play(Face.G3)),
        ("1 uno", play(Face.R5, uno=True)),
        ("g+2", play(Face.GD)),
        ("bs", play(Face.BS)),
        ("yv", play(Face.YV)),
        ("w g", play(Face.W, color=Color.GREEN)),
        ("w:g", play(Face.W, color=Color.GREEN)),
        ("w4 blue", play(Face.W4, color=Color.BLUE)),
        ("W4 BLUE UNO", play(Face.W4, color=Color.BLUE, uno=True)),
        ("w uno red", play(Face.W, color=Color.RED, uno=True)),
        ("wb y", play(Face.WB, color=Color.YELLOW)),
        ("wh r", play(Face.WH, color=Color.RED)),
        ("#5 g", play(Face.W, color=Color.GREEN)),
        ("wx g ben", play(Face.WX, color=Color.GREEN, target=Seat(1))),
        ("r7 cleo", play(Face.R7, target=Seat(2))),
        ("r7 c uno", play(Face.R7, target=Seat(2), uno=True)),
        ("r7 r7", play(Face.R7, Face.R7)),
        ("r7 r7 uno", play(Face.R7, Face.R7, uno=True)),
        ("r7 r7 ben", play(Face.R7, Face.R7, target=Seat(1))),
        ("draw", Draw()),
        ("d", Draw()),
        ("pass", Pass()),
        ("keep", Pass()),
        ("k", Pass()),
        ("uno", CallUNO()),
        ("catch ben", Catch(seat=Seat(1))),
        ("cat BEN", Catch(seat=Seat(1))),
        ("catch Cl", Catch(seat=Seat(2))),
        ("challenge", Challenge()),
        ("ch", Challenge()),
        ("accept", Accept()),
        ("a", Accept()),
        ("color g", NameColor(color=Color.GREEN)),
        ("col yellow", NameColor(color=Color.YELLOW)),
    ],
)
def test_a_line_is_the_move_that_it_says(line: str, wanted: Move, view: TableView) -> None:
    assert move(line, view) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", Screen(show=Show.TABLE)),
        ("   ", Screen(show=Show.TABLE)),
        ("hand", Screen(show=Show.HAND)),
        ("TABLE", Screen(show=Show.TABLE)),
        ("leg", Screen(show=Show.LEGAL)),
        ("rules", Screen(show=Show.RULES)),
        ("r", Screen(show=Show.RULES)),
        ("score", Screen(show=Show.SCORE)),
        ("why", Screen(show=Show.WHY)),
        ("help", Screen(show=Show.HELP)),
        ("help w4 now", Screen(show=Show.HELP, about="w4 now")),
        ("q", Screen(show=Show.QUIT)),
    ],
)
def test_a_line_is_what_the_screen_does(line: str, wanted: Screen, view: TableView) -> None:
    assert read(line, view) == wanted


def test_what_is_said_keeps_its_letters(view: TableView) -> None:
    assert read("  say Hello,  You!", view) == Say(text="Hello,  You!")


def test_ready_and_unready_are_said_in_the_lobby() -> None:
    lobby = lobby_view("ann", "ben")
    for line, ready in (("ready", True), ("rea", True), ("unready", False), ("unr", False)):
        assert read(line, lobby) == SetReady(ready=ready)
    with pytest.raises(InvalidNotationError, match="stands alone"):
        read("ready now", lobby)


def test_begin_begins() -> None:
    assert read("begin", lobby_view("ann", "ben")) == Begin()


def test_leaving_for_good_is_written_out() -> None:
    view = lobby_view("ann", "ben")
    assert read("leave for good", view) == read("LEAVE For Good", view) == LeaveTable()
    for line in ("leave", "lea", "leave now", "leave for", "leave for good now"):
        with pytest.raises(InvalidNotationError, match="`quit` keeps it"):
            read(line, view)


def test_void_gives_a_round_up_and_stands_alone() -> None:
    view = lobby_view("ann", "ben")
    assert read("void", view) == GiveUpRound()
    with pytest.raises(InvalidNotationError):
        read("void it", view)


def test_a_number_is_a_place_in_the_hand_as_it_is_shown(view: TableView) -> None:
    assert [move(f"#{place} r", view) for place in (5, 6)] == [
        play(Face.W, color=Color.RED),
        play(Face.W4, color=Color.RED),
    ]
    assert sorted_hand(view.hand)[0] is Face.R5


def test_a_number_plays_the_card_of_that_number_where_it_alone_fits() -> None:
    # Place 2 is G1, which does not fit; the only two that fits is R2.
    view = view_of("R2 G1 G3 B5", top="R9")
    assert move("2", view) == play(Face.R2)
    # No place 9: the number alone can be meant.
    assert move("9", view_of("B9 G1", top="R9")) == play(Face.B9)
    assert move("0", view_of("R0 G1", top="R9")) == play(Face.R0)


def test_a_number_that_could_be_two_cards_is_refused() -> None:
    # Shown as 1:R2 2:R3: place 2 fits, and so does the two.
    with pytest.raises(IllegalMoveError, match="'2' could be R3 or R2: type the card, or #2"):
        read("2", view_of("R2 R3", top="R9"))
    # Two sevens fit.
    with pytest.raises(IllegalMoveError, match="could be R7 or G7"):
        read("7", view_of("R7 G7", top="G7"))


def test_a_number_that_is_the_place_of_the_only_card_with_it_is_no_riddle() -> None:
    assert move("1", view_of("R1 R2 W", top="R9")) == play(Face.R1)


def test_a_place_that_is_not_there_is_refused(view: TableView) -> None:
    for line in ("8", "#8", "#0", "0", "99"):
        with pytest.raises(IllegalMoveError, match="no card"):
            read(line, view)


def test_a_card_that_does_not_fit_is_left_to_the_rules() -> None:
    view = view_of("R2 B5 B6", top="R9")
    assert move("b5", view) == play(Face.B5)
    assert move("3", view) == play(Face.B6)


@pytest.mark.parametrize("line", ["w", "w4 uno", "#5", "play wh"])
def test_a_wild_without_a_color_is_refused(line: str, view: TableView) -> None:
    with pytest.raises(IllegalMoveError, match="name a color with it"):
        read(line, view)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("c", "could be catch, challenge, color"),
        ("p", "could be pass, play"),
        ("xyzzy", "'xyzzy': type a card, like r7, or `help`"),
        ("draw 2", "'draw' stands alone: '2' is too much"),
        ("uno ben", "stands alone"),
        ("quit now", "stands alone"),
        ("begin now", "stands alone"),
        ("play draw", "'draw' is no card"),
        ("play", "'play' needs a word more"),
        ("say", "'say' needs a word more"),
        ("color", "'color' needs a word more"),
        ("color pink", "the colors are"),
        ("color r g", "takes one word"),
        ("catch zoe", "Nobody at this table is called 'zoe'"),
        ("catch ben ann", "takes one word"),
        ("w pink", "the colors are"),
        ("w g zoe", "Nobody"),
        ("r7 ben ann", "too much for one play"),
        ("r7 r7 r7", "Nobody"),
        ("²", "type a card"),
        ("1234", "type a card"),
        ("x" * 5_000, r"'x{27}\.\.\.': type a card"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    line: str, reason: str, view: TableView
) -> None:
    with pytest.raises(InvalidNotationError, match=reason):
        read(line, view)


def test_a_whole_name_is_taken_before_a_beginning() -> None:
    view = table_view(
        position("R1 R2", top="R9", others=("B1", "B2", "B3")), names=("x", "ben", "benny", "eva")
    )
    assert move("catch ben", view) == Catch(seat=Seat(1))
    assert move("catch BEN", view) == Catch(seat=Seat(1))
    assert move("catch benn", view) == Catch(seat=Seat(2))
    with pytest.raises(InvalidNotationError, match="could be ben, benny"):
        read("catch be", view)


def test_a_name_that_looks_like_another_is_taken_only_with_its_fingerprint() -> None:
    double = "b" + chr(0x435) + "n"
    view = table_view(
        position("R1 R2", top="R9", others=("B1", "B2", "B3")), names=("x", "ben", double, "eva")
    )
    for typed in ("ben", double):
        with pytest.raises(InvalidNotationError, match="could be ben#0001, .*#0002"):
            read(f"catch {typed}", view)
    assert move("catch ben#0001", view) == Catch(seat=Seat(1))
    assert move(f"catch {double}#0002", view) == Catch(seat=Seat(2))


def forgot(*seats: int) -> TableView:
    """Return a table where these seats can be caught."""
    view = view_of("R1 R2", top="R9", others=("B1", "B2"))
    shown = tuple(replace(seat, catchable=seat.seat in seats) for seat in view.seats)
    return replace(view, seats=shown)


def test_catch_alone_means_the_only_seat_that_forgot() -> None:
    assert move("catch", forgot(2)) == Catch(seat=Seat(2))
    assert move("catch", forgot(0, 2)) == Catch(seat=Seat(2))
    with pytest.raises(IllegalMoveError, match="Nobody can be caught"):
        read("catch", forgot(0))
    with pytest.raises(IllegalMoveError, match="It could be ben, Cleo"):
        read("catch", forgot(1, 2))


def test_catch_alone_may_come_early_for_the_seat_in_turn() -> None:
    view = view_of("R1 R2", others=("B1 B2", "G1"))
    assert view.round is not None
    early = replace(view, round=replace(view.round, turn=Seat(1), due=TurnDue(seat=Seat(1))))
    assert move("catch", early) == Catch(seat=Seat(1))


def test_a_bare_color_is_enough_where_a_color_is_asked() -> None:
    view = view_of("R1 R2", top="R9")
    asked = replace(view, legal=tuple(NameColor(color=color) for color in Color))
    assert move("g", asked) == NameColor(color=Color.GREEN)
    assert move("Blue", asked) == NameColor(color=Color.BLUE)
    with pytest.raises(InvalidNotationError):
        read("g", view)


def test_abbreviations_are_those_that_mean_one_command() -> None:
    for word in WORDS:
        assert expand(word) == word
        for end in range(1, len(word)):
            known = [other for other in WORDS if other.startswith(word[:end])]
            # What is said in the lobby alone is in no other word's way.
            known = [other for other in known if other not in LOBBY] or known
            if word[:end] in WORDS or len(known) == 1:
                assert expand(word[:end]) in known
            else:
                with pytest.raises(InvalidNotationError):
                    expand(word[:end])


def test_help_names_every_command() -> None:
    said = " ".join(HELP).replace(",", " ").split()
    assert set(WORDS) - {"play", "table", "help"} <= set(said)


@settings(max_examples=200, deadline=None)
@given(line=st.text(max_size=40) | st.text("rgbyw+0123456789svx #:unocatchplaybe", max_size=16))
def test_any_line_is_a_command_or_refused(line: str) -> None:
    try:
        command = read(line, SOME_VIEW)
    except LocalError as error:
        assert str(error)
        assert refusal_sentence(error, line)  # type: ignore[arg-type]
    else:
        assert isinstance(command, MakeMove | Say | Begin | SetReady | Screen)


SOME_VIEW = view_of(HAND, top="R9", others=("B1 B2", "G1 G2"))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_every_legal_move_is_read_back_as_it_is_suggested(seed: int) -> None:
    rng = Random(seed)
    for game, player, legal in decisions(any_options(rng), rng.randrange(2, 6), rng, 15):
        view = table_view(game, player.seat)
        offered = suggestions(view)
        for open_move in legal:
            assert move(typed_move(open_move, list(NAMES)), view) == open_move
            assert typed_move(open_move, list(NAMES)) in offered
            assert move(move_text(open_move, NAMES), view) == open_move


def test_playable_faces_come_in_the_order_of_the_hand(view: TableView) -> None:
    assert playable_faces(view) == [Face.R5, Face.R7, Face.W, Face.W4, Face.WH]
    assert playable_faces(replace(view, legal=())) == []


@pytest.mark.parametrize(
    ("reason", "line", "said"),
    [
        ("G4 refused: it does not match R5 (red).", "g4", None),
        ("it is not your turn", "draw", "'draw' refused: it is not your turn."),
        ("You have nothing to call.", " uno ", "'uno' refused: you have nothing to call."),
        ("There is no undo: it is signed.", "undo", None),
        ("only the host can begin it", "begin", "'begin' refused: only the host can begin it."),
        ("draw before you pass.", "p", "'p' refused: draw before you pass."),
        ("'x': type a card", "x", "'x': type a card."),
        ("", "x", "'x' refused: that move is against the rules."),
    ],
)
def test_a_refusal_is_one_sentence_on_what_and_why(
    reason: str, line: str, said: str | None
) -> None:
    assert refusal_sentence(IllegalMoveError(reason), line) == (said or reason)


def test_a_refusal_names_the_line_as_it_was_typed() -> None:
    error = IllegalMoveError("it is not your turn")
    assert refusal_sentence(error, "draw", typed=" dobierz ").startswith("'dobierz' refused")


def test_chat_loses_what_a_terminal_would_obey_or_hide(view: TableView) -> None:
    typed = "say hi\t" + chr(27) + "[2J" + chr(0x202E) + "there" + chr(0x200D) + chr(0x3164)
    assert read(typed, view) == Say(text="hi [2Jthere")
    assert read("say " + chr(0x1F389) + " Zoë", view) == Say(text=chr(0x1F389) + " Zoë")


def test_chat_of_nothing_or_too_much_is_refused_with_the_reason(view: TableView) -> None:
    with pytest.raises(InvalidNotationError, match="nothing to say"):
        read("say " + chr(7) + chr(0x200B), view)
    with pytest.raises(InvalidNotationError, match="At most 500 characters at once; these are 700"):
        read("say " + "x" * 700, view)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("?", Screen(show=Show.HELP)),
        ("exit", Screen(show=Show.QUIT)),
        ("bye", Screen(show=Show.QUIT)),
        ("chat hi", Say(text="hi")),
        ("call", MakeMove(move=CallUNO())),
    ],
)
def test_words_that_people_try_first_are_understood(
    typed: str, meant: object, view: TableView
) -> None:
    assert read(typed, view) == meant


@pytest.mark.parametrize("line", ["undo", "UNDO"])
def test_undo_does_not_exist_and_says_so(line: str, view: TableView) -> None:
    with pytest.raises(IllegalMoveError, match="There is no undo") as caught:
        read(line, view)
    assert "here is no undo" in refusal_sentence(caught.value, line)


# -- swapping hands --------------------------------------------------------------------------------

SWAPPING = {"hand_moves": ["seven_swaps"]}


def swapping(hand: str, *others: str) -> TableView:
    return view_of(hand, top="R9", others=others or ("B1 B2", "G1 G2"), **SWAPPING)


def test_swap_plays_the_one_card_that_swaps_hands() -> None:
    view = swapping("R7 R5 G3")
    wanted = play(Face.R7, target=Seat(2))
    for line in ("swap cleo", "sw c", "swap r7 cleo", "r7 cleo", "7 cleo"):
        assert move(line, view) == wanted, line


def test_swap_asks_with_which_card_where_several_do() -> None:
    view = view_of("R7 G7 G3", top="R7", others=("B1 B2", "G1 G2"), **SWAPPING)
    with pytest.raises(IllegalMoveError, match="With which card. Type r7 Cleo or g7 Cleo"):
        read("swap cleo", view)


def test_swap_says_where_nothing_swaps_or_nobody_is_called_so() -> None:
    with pytest.raises(IllegalMoveError, match="no card now that swaps hands with Cleo"):
        read("swap cleo", swapping("R5 G3"))
    with pytest.raises(InvalidNotationError, match="Nobody at this table"):
        read("swap zoe", swapping("R7 G3"))
    with pytest.raises(InvalidNotationError, match="needs a word more"):
        read("swap", swapping("R7 G3"))


def test_a_seven_needs_no_name_where_there_is_one_other_seat() -> None:
    assert move("r7", swapping("R7 R5 G3", "B1 B2")) == play(Face.R7, target=Seat(1))


def test_a_seven_without_a_name_asks_for_one() -> None:
    with pytest.raises(SeatNeededError, match="name a seat with it: ben, Cleo"):
        read("r7", swapping("R7 R5 G3"))


def test_the_last_card_swaps_nothing_and_needs_no_name() -> None:
    assert move("r7", swapping("R7")) == play(Face.R7)


def test_no_blank_card_is_called_like_a_command() -> None:
    """Else its name could never be typed, or the command no more."""
    typed = {*WORDS, *ALSO, UNDO, DROP, *SPEAKING}
    assert {word for word in typed if len(word) >= NAME_CHARACTERS_MIN} <= set(RESERVED)

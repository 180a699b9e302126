"""Notices as sentences."""

from dataclasses import replace
from typing import get_args

import pytest

from tests.repl.support import view_of
from unop2p.ids import Seat
from unop2p.repl.paint import Paint
from unop2p.repl.sentences import move_sentence, notice_lines
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import RoundOutcome, Termination
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
)
from unop2p.table import notices
from unop2p.table.notices import Notice

VIEW = view_of("R1 R2", top="R9", others=("B1", "B2"))
ANN, BEN, CLEO = Seat(0), Seat(1), Seat(2)
PLAIN = Paint(color=False)


def outcome(termination: Termination, winner: Seat | None, *points: int) -> RoundOutcome:
    return RoundOutcome(termination=termination, winner=winner, points=points)


def ended(result: RoundOutcome, *hands: tuple[Face, ...]) -> Notice:
    held = hands or ((), (), ())
    return notices.RoundEnded(number=3, outcome=result, hands=held, totals=(120, 0, 57))


NOTHING = [
    "  seat  cards left  points  total",
    "  ann            0       0    120",
    "  ben            0       0      0",
    "  Cleo           0       0     57",
]
CASES: list[tuple[Notice, list[str]]] = [
    (
        notices.SeatJoined(
            name="ben", bot=True, fingerprint="ab 12", seats_taken=2, seats_wanted=3
        ),
        ["ben (bot, key ab 12) sits down: 2 of 3."],
    ),
    (
        notices.SeatJoined(
            name="ann", bot=False, fingerprint="cd 34", seats_taken=1, seats_wanted=3
        ),
        ["ann (human, key cd 34) sits down: 1 of 3."],
    ),
    (notices.SeatReady(name="ben", ready=True), ["ben is ready."]),
    (notices.SeatReady(name="ben", ready=False), ["ben is not ready yet."]),
    (notices.TableBegan(names=("ann", "ben")), ["The table begins: ann, ben."]),
    (
        notices.DealerDrawn(
            order=(BEN, ANN, CLEO),
            dealer=BEN,
            laps=(((ANN, Face.R7), (BEN, Face.G7)), ((ANN, Face.B1), (BEN, Face.Y4))),
        ),
        [
            "Turn order: ben, ann, Cleo. Drawn for the dealer: ann R7, ben G7; then ann B1, ben Y4."
            " ben deals."
        ],
    ),
    (
        notices.DealerDrawn(order=(ANN, BEN), dealer=ANN, laps=()),
        ["Turn order: ann, ben. You deal."],
    ),
    (
        notices.RoundBegan(number=2, dealer=CLEO),
        ["Round 2: Cleo deals. Everybody shuffles and proves it."],
    ),
    (
        notices.RoundVoid(
            number=2, reason="its keys cancel out, so that every card would lie open"
        ),
        [
            "! Round 2 is void: its keys cancel out, so that every card would lie open. "
            "It is dealt anew."
        ],
    ),
    (
        notices.SeatShuffled(seat=BEN, done=1, total=3, cards=112),
        ["  ben has shuffled 112 cards, and proved it (1/3)."],
    ),
    (
        notices.SeatShuffled(seat=ANN, done=2, total=3, cards=1),
        ["  You have shuffled 1 card, and proved it (2/3)."],
    ),
    (notices.PileShuffled(cards=40), ["  40 cards shuffled; every proof holds."]),
    (
        notices.RoundBegan(number=2, dealer=CLEO, proved=False),
        [
            "Round 2: Cleo deals. Everybody shuffles; that is checked after the round, and every "
            "hand is known then."
        ],
    ),
    (
        notices.SeatShuffled(seat=BEN, done=1, total=3, cards=112, proved=False),
        ["  ben has shuffled 112 cards (1/3)."],
    ),
    (
        notices.PileShuffled(cards=40, proved=False),
        ["  40 cards shuffled; checked after the round."],
    ),
    (
        notices.DealDoubted(reason="a card is no face of the deck"),
        [
            "! The deal cannot be right: a card is no face of the deck. The round ends here, and "
            "every shuffle is checked."
        ],
    ),
    (
        notices.ShufflesReplayed(steps=2, seats=3),
        [
            "3 seats showed the seeds of the shuffles: each shuffle of the round was done again, "
            "and was right."
        ],
    ),
    (
        notices.RoundVoid(number=2, reason="the first card is no face of the deck"),
        ["! Round 2 is void: the first card is no face of the deck. It is dealt anew."],
    ),
    (notices.FirstCard(face=Face.B3), ["The first card is B3."]),
    (notices.MoveMade(seat=BEN, move=Play(cards=(Face.R7,))), ["ben plays R7."]),
    (notices.MoveMade(seat=BEN, move=Draw()), []),
    (
        notices.MoveVoid(seat=BEN, move=Play(cards=(Face.R7,))),
        ["ben plays R7: too late, it does not count."],
    ),
    (
        notices.MoveVoid(seat=ANN, move=CallUNO()),
        ["You call UNO: too late, it does not count."],
    ),
    (
        notices.CatchKept(seat=BEN),
        ["  Kept: you catch ben as soon as ben holds one card and has not called."],
    ),
    (
        notices.CatchDropped(seat=BEN, reason="ben has called UNO."),
        ["  You do not catch ben: ben has called UNO."],
    ),
    (notices.CardsDrawn(seat=BEN, count=2, faces=()), ["ben draws 2 cards."]),
    (notices.CardsDrawn(seat=BEN, count=1, faces=()), ["ben draws 1 card."]),
    (
        notices.CardsDrawn(seat=ANN, count=2, faces=(Face.R7, Face.W4)),
        ["You draw R7 W4."],
    ),
    (
        notices.ChallengeSettled(accused=BEN, shown=Face.R5),
        ["ben is guilty: R5 was in the hand."],
    ),
    (
        notices.ChallengeSettled(accused=ANN, shown=None),
        ["You are innocent; that is proved, and the hand stays hidden."],
    ),
    (notices.HandsMoved(counts=(4, 5, 6)), ["Hands have moved: ann 4, ben 5, Cleo 6."]),
    (notices.TurnIs(seat=BEN), []),
    (
        ended(outcome(Termination.WENT_OUT, BEN, 0, 57, 0), (Face.W, Face.R5), (), (Face.G1,)),
        [
            "ben goes out. Round 3: ben +57.",
            "  You held R5 W",
            "  Cleo held G1",
            "  seat   cards left  points  total",
            "  ann             2       0    120",
            "  ben *           0     +57      0",
            "  Cleo            1       0     57",
        ],
    ),
    (
        ended(outcome(Termination.WENT_OUT, ANN, 0, 12, 30)),
        [
            "You go out. Round 3: ben +12, Cleo +30.",
            "  seat   cards left  points  total",
            "  ann *           0       0    120",
            "  ben             0     +12      0",
            "  Cleo            0     +30     57",
        ],
    ),
    (
        ended(outcome(Termination.BLOCKED, None, 0, 0, 0)),
        [
            "Round 3 is blocked, nobody can play or draw: nobody scores.",
            *NOTHING,
        ],
    ),
    (
        ended(outcome(Termination.VOID, None, 0, 0, 0)),
        ["Round 3 is void: nobody scores.", *NOTHING],
    ),
    (
        notices.MatchEnded(winners=(BEN,), totals=(1, 500, 2)),
        [
            "The match is over: ben won.",
            "  seat   rounds won  points",
            "  ann             0       1",
            "  ben *           0     500",
            "  Cleo            0       2",
        ],
    ),
    (
        notices.MatchEnded(winners=(ANN, BEN), totals=(1, 1, 2)),
        [
            "The match is over: ann and ben won.",
            "  seat   rounds won  points",
            "  ann *           0       1",
            "  ben *           0       1",
            "  Cleo            0       2",
        ],
    ),
    (
        notices.MatchEnded(winners=(), totals=(1, 1, 2)),
        [
            "The match is over.",
            "  seat  rounds won  points",
            "  ann            0       1",
            "  ben            0       1",
            "  Cleo           0       2",
        ],
    ),
    (
        notices.Waiting(seats=(BEN, CLEO), since_ms=5_900),
        ["Waiting for ben, Cleo, for 5 s now."],
    ),
    (notices.ChatSaid(name="ben", text="hi\x1b[2J"), ["<ben> hi?[2J"]),
    (
        notices.FaultProved(seat=BEN, step=9, reason="two statements\x07"),
        ["! ben broke the protocol at step 9: two statements?."],
    ),
    (notices.Warned(text="the link is down"), ["! the link is down"]),
    (
        notices.SeatAway(seat=BEN, step=9),
        ["! ben is away: turns pass, the hand is kept."],
    ),
    (notices.SeatBack(seat=BEN), ["ben is back."]),
    (notices.SeatLeft(seat=BEN), ["! ben left for good."]),
    (
        notices.SeatExpelled(seat=CLEO, step=214, reason="two different statements"),
        ["! Cleo was expelled: two different statements at step 214."],
    ),
    (
        notices.HistoryForked(step=214, seats=(CLEO,)),
        [
            "! Two halves of the table had settled step 214 in two ways, by the doing of Cleo: "
            "all from it on is void."
        ],
    ),
    (
        notices.ChallengeSettled(accused=BEN, shown=None, silent=True),
        ["ben does not answer, which counts as guilty."],
    ),
]


@pytest.mark.parametrize(("notice", "wanted"), CASES, ids=lambda case: type(case).__name__)
def test_each_notice_is_a_sentence(notice: Notice, wanted: list[str]) -> None:
    assert notice_lines(notice, VIEW, PLAIN) == wanted


def test_no_kind_of_notice_is_left_out() -> None:
    assert {type(notice) for notice, _ in CASES} == set(get_args(Notice))


@pytest.mark.parametrize(("notice", "wanted"), CASES, ids=lambda case: type(case).__name__)
def test_sentences_are_the_same_in_color_but_for_codes(notice: Notice, wanted: list[str]) -> None:
    said = "\n".join(notice_lines(notice, VIEW, Paint(color=True)))
    for code in ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;35m", "\x1b[1m"):
        said = said.replace(code, "")
    assert said.replace("\x1b[0m", "") == "\n".join(wanted)


@pytest.mark.parametrize(
    ("seat", "move", "wanted"),
    [
        (ANN, Play(cards=(Face.R7,), uno=True), "You play R7, and call UNO!"),
        (BEN, Play(cards=(Face.R7,), uno=True), "ben plays R7, and calls UNO!"),
        (BEN, Play(cards=(Face.R7, Face.R7)), "ben plays R7 and R7."),
        (BEN, Play(cards=(Face.W4,), color=Color.BLUE), "ben plays W4 and names blue."),
        (
            BEN,
            Play(cards=(Face.WX,), color=Color.RED, target=ANN),
            "ben plays WX and names red, and swaps hands with you.",
        ),
        (ANN, Play(cards=(Face.R7,), target=BEN), "You play R7, and swap hands with ben."),
        (BEN, Draw(), "ben draws."),
        (BEN, Pass(), "ben keeps the card."),
        (ANN, Pass(), "You keep the card."),
        (BEN, CallUNO(), "ben calls UNO!"),
        (BEN, Catch(seat=CLEO), "ben catches Cleo: UNO was not called."),
        (BEN, Catch(seat=ANN), "ben catches you: UNO was not called."),
        (ANN, Challenge(), "You challenge the Wild Draw Four."),
        (BEN, Accept(), "ben accepts."),
        (BEN, NameColor(color=Color.GREEN), "ben names green."),
    ],
)
def test_each_move_is_a_sentence(seat: Seat, move: Move, wanted: str) -> None:
    assert move_sentence(VIEW, seat, move, PLAIN) == wanted


def test_who_finds_an_empty_pile_draws_nothing() -> None:
    assert VIEW.round is not None
    empty = replace(VIEW, round=replace(VIEW.round, idle=1))
    made = notices.MoveMade(seat=BEN, move=Draw())
    assert notice_lines(made, empty, PLAIN) == ["ben finds no card to draw."]


def test_a_fined_play_says_what_it_costs() -> None:
    view = view_of("R1 B2", top="R9", rules="ukrainian")
    assert view.round is not None
    fouled = replace(view, round=replace(view.round, fouled=True))
    made = notices.MoveMade(seat=ANN, move=Play(cards=(Face.B2,)))
    assert notice_lines(made, fouled, PLAIN) == [
        "You play B2. That is against the rules, and costs 2 cards."
    ]
    assert notice_lines(made, view, PLAIN) == ["You play B2."]

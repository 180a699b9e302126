"""What happened, in sentences: one function from a notice to lines. Pure."""

from collections.abc import Sequence
from functools import reduce
from typing import assert_never

from unop2p.ids import Seat
from unop2p.repl.commands import sorted_hand
from unop2p.repl.paint import Paint, clean, name, speaker
from unop2p.repl.summary import match_table, round_table
from unop2p.repl.who import who_plays
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import card_name, effect_of
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
from unop2p.table.view import TableView
from unop2p.words import Words, mark


def told(  # who, and what is filled in
    view: TableView, seat: Seat, words: Words, yours: str, theirs: str, **values: object
) -> str:
    """Return a sentence about a seat: another one where it is the reader's own.

    Args:
        view: the table.
        seat: whom it is about.
        words: the language of the reader.
        yours: the sentence to the reader, marked.
        theirs: the sentence about others, marked, with `{name}` in it.
        values: what else is filled in.
    """
    if seat == view.seat:
        return words.say(yours, **values)
    return words.say(theirs, name=name(view, seat), **values)


def all_of(words: Words, items: Sequence[str]) -> str:
    """Return things that all count: `ben and cleo`."""
    return reduce(lambda one, other: words.say("{one} and {other}", one=one, other=other), items)


def notice_lines(notice: notices.Notice, view: TableView, paint: Paint) -> list[str]:
    """Return a notice as lines; none for what the screen shows in another way.

    Args:
        notice: what the player is told.
        view: the table as it is now; seats of a notice are seats of this view.
        paint: how cards and colors look, and in which language.
    """
    words = paint.words
    match notice:
        case notices.SeatReady():
            who = speaker(view, notice.name)
            if notice.ready:
                return [words.say("{name} is ready.", name=who)]
            return [words.say("{name} is not ready yet.", name=who)]
        case notices.SeatJoined():
            return [
                words.say(
                    "{name} ({kind}, key {key}) sits down: {taken} of {wanted}.",
                    name=speaker(view, notice.name),
                    kind=who_plays(notice, words),
                    key=notice.fingerprint,
                    taken=notice.seats_taken,
                    wanted=notice.seats_wanted,
                )
            ]
        case notices.ChatSaid():
            return [f"<{speaker(view, notice.name)}> {clean(notice.text)}"]
        case notices.Warned():
            return [f"! {clean(words.tell(notice.text))}"]
        case notices.FaultProved():
            broke = words.say(
                "{name} broke the protocol at step {step}: {reason}.",
                name=name(view, notice.seat),
                step=notice.step,
                reason=clean(words.tell(notice.reason)),
            )
            return [f"! {broke}"]
        case notices.HistoryForked():
            seats = ", ".join(name(view, seat) for seat in notice.seats)
            forked = words.say(
                "Two halves of the table had settled step {step} in two ways, by the doing of {names}: "
                "all from it on is void.",
                step=notice.step,
                names=seats,
            )
            return [f"! {forked}"]
        case notices.Waiting():
            names = ", ".join(name(view, seat) for seat in notice.seats)
            since = notice.since_ms // 1000
            return [words.say("Waiting for {names}, for {since} s now.", names=names, since=since)]
        case notices.SeatAway() | notices.SeatBack() | notices.SeatLeft() | notices.SeatExpelled():
            return [_presence_line(notice, view, words)]
        case notices.TableBegan() | notices.DealerDrawn() | notices.MatchEnded():
            return _match_lines(notice, view, paint)
        case notices.RoundBegan() | notices.SeatShuffled() | notices.PileShuffled():
            return _deal_lines(notice, view, words)
        case notices.DealDoubted() | notices.ShufflesReplayed() | notices.RoundVoid():
            return _replay_lines(notice, words)
        case notices.RoundEnded():
            return _round_ended(notice, view, paint)
        case _:
            return _play_lines(notice, view, paint)


def _presence_line(
    notice: notices.SeatAway | notices.SeatBack | notices.SeatLeft | notices.SeatExpelled,
    view: TableView,
    words: Words,
) -> str:
    who = name(view, notice.seat)
    own = notice.seat == view.seat
    match notice:
        case notices.SeatAway():
            if own:
                return words.say("! You are away: your turns pass, your hand is kept.")
            return words.say("! {name} is away: turns pass, the hand is kept.", name=who)
        case notices.SeatBack():
            return words.say("You are back.") if own else words.say("{name} is back.", name=who)
        case notices.SeatLeft():
            return words.say("! {name} left for good.", name=who)
        case notices.SeatExpelled():
            return words.say(
                "! {name} was expelled: {reason} at step {step}.",
                name=who,
                reason=clean(words.tell(notice.reason)),
                step=notice.step,
            )
        case _:
            assert_never(notice)


def _match_lines(
    notice: notices.TableBegan | notices.DealerDrawn | notices.MatchEnded,
    view: TableView,
    paint: Paint,
) -> list[str]:
    words = paint.words
    match notice:
        case notices.TableBegan():
            names = ", ".join(speaker(view, known) for known in notice.names)
            return [words.say("The table begins: {names}.", names=names)]
        case notices.DealerDrawn():
            order = ", ".join(name(view, seat) for seat in notice.order)
            drawn = [
                ", ".join(f"{name(view, seat)} {paint.card(face)}" for seat, face in lap)
                for lap in notice.laps
            ]
            said = [words.say("Turn order: {order}.", order=order)]
            if drawn:
                laps = reduce(
                    lambda one, other: words.say("{one}; then {other}", one=one, other=other), drawn
                )
                said.append(words.say("Drawn for the dealer: {cards}.", cards=laps))
            said.append(told(view, notice.dealer, words, mark("You deal."), mark("{name} deals.")))
            return [" ".join(said)]
        case notices.MatchEnded():
            ended = words.say("The match is over.")
            if notice.winners:
                names = all_of(words, [name(view, seat) for seat in notice.winners])
                ended = words.say("The match is over: {names} won.", names=names)
            return [paint.bold(ended), *match_table(notice, view, paint)]
        case _:
            assert_never(notice)


def _deal_lines(
    notice: notices.RoundBegan | notices.SeatShuffled | notices.PileShuffled,
    view: TableView,
    words: Words,
) -> list[str]:
    match notice:
        case notices.RoundBegan():
            how = (
                words.say("Everybody shuffles and proves it.")
                if notice.proved
                else words.say(
                    "Everybody shuffles; that is checked after the round, and every hand is known "
                    "then."
                )
            )
            deals = told(
                view,
                notice.dealer,
                words,
                mark("Round {number}: You deal."),
                mark("Round {number}: {name} deals."),
                number=notice.number,
            )
            return [f"{deals} {how}"]
        case notices.SeatShuffled():
            return [f"  {_shuffled(notice, view, words)} ({notice.done}/{notice.total})."]
        case notices.PileShuffled():
            done = (
                words.say_n(
                    "{n} card shuffled; every proof holds.",
                    "{n} cards shuffled; every proof holds.",
                    notice.cards,
                )
                if notice.proved
                else words.say_n(
                    "{n} card shuffled; checked after the round.",
                    "{n} cards shuffled; checked after the round.",
                    notice.cards,
                )
            )
            return [f"  {done}"]
        case _:
            assert_never(notice)


def _shuffled(notice: notices.SeatShuffled, view: TableView, words: Words) -> str:
    count, who = notice.cards, name(view, notice.seat)
    match notice.seat == view.seat, notice.proved:
        case True, True:
            return words.say_n(
                "You have shuffled {n} card, and proved it",
                "You have shuffled {n} cards, and proved it",
                count,
            )
        case True, False:
            return words.say_n("You have shuffled {n} card", "You have shuffled {n} cards", count)
        case False, True:
            return words.say_n(
                "{name} has shuffled {n} card, and proved it",
                "{name} has shuffled {n} cards, and proved it",
                count,
                name=who,
            )
        case _:
            return words.say_n(
                "{name} has shuffled {n} card", "{name} has shuffled {n} cards", count, name=who
            )


def _replay_lines(
    notice: notices.DealDoubted | notices.ShufflesReplayed | notices.RoundVoid, words: Words
) -> list[str]:
    match notice:
        case notices.DealDoubted():
            doubted = words.say(
                "The deal cannot be right: {reason}. The round ends here, and every shuffle is "
                "checked.",
                reason=clean(words.tell(notice.reason)),
            )
            return [f"! {doubted}"]
        case notices.ShufflesReplayed():
            return [
                words.say_n(
                    "{n} seat showed the seeds of the shuffles: each shuffle of the round was done "
                    "again, and was right.",
                    "{n} seats showed the seeds of the shuffles: each shuffle of the round was done "
                    "again, and was right.",
                    notice.seats,
                )
            ]
        case notices.RoundVoid():
            void = words.say(
                "Round {number} is void: {reason}. It is dealt anew.",
                number=notice.number,
                reason=clean(words.tell(notice.reason)),
            )
            return [f"! {void}"]
        case _:
            assert_never(notice)


def _play_lines(
    notice: notices.FirstCard
    | notices.MoveMade
    | notices.MoveVoid
    | notices.CatchKept
    | notices.CatchDropped
    | notices.CardsDrawn
    | notices.ChallengeSettled
    | notices.HandsMoved
    | notices.TurnIs,
    view: TableView,
    paint: Paint,
) -> list[str]:
    words = paint.words
    match notice:
        case notices.FirstCard():
            return [words.say("The first card is {card}.", card=paint.card(notice.face))]
        case notices.MoveMade(seat=seat, move=move):
            return _move_made(view, seat, move, paint)
        case notices.MoveVoid(seat=seat, move=move):
            line = move_sentence(view, seat, move, paint).rstrip(".!")
            return [words.say("{move}: too late, it does not count.", move=line)]
        case notices.CatchKept(seat=seat):
            kept = words.say(
                "Kept: you catch {name} as soon as {name} holds one card and has not called.",
                name=name(view, seat),
            )
            return [f"  {kept}"]
        case notices.CatchDropped(seat=seat, reason=reason):
            dropped = words.say(
                "You do not catch {name}: {reason}",
                name=name(view, seat),
                reason=clean(words.tell(reason)),
            )
            return [f"  {dropped}"]
        case notices.CardsDrawn():
            return [_drawn(notice, view, paint)]
        case notices.ChallengeSettled(accused=accused, shown=shown):
            if notice.silent:
                return [
                    words.say(
                        "{name} does not answer, which counts as guilty.",
                        name=name(view, accused),
                    )
                ]
            return [
                _settled(view, accused, paint.card(shown) if shown is not None else None, words)
            ]
        case notices.HandsMoved():
            counts = ", ".join(
                f"{name(view, shown.seat)} {notice.counts[shown.seat]}" for shown in view.seats
            )
            return [words.say("Hands have moved: {counts}.", counts=counts)]
        case notices.TurnIs():
            return []  # the prompt says it
        case _:
            assert_never(notice)


def _move_made(view: TableView, seat: Seat, move: Move, paint: Paint) -> list[str]:
    words, state = paint.words, view.round
    if isinstance(move, Draw):
        # What was drawn is told by itself, a moment later.
        nothing = state is not None and state.idle > 0
        none = mark("You find no card to draw."), mark("{name} finds no card to draw.")
        return [told(view, seat, words, *none)] if nothing else []
    line = move_sentence(view, seat, move, paint)
    if isinstance(move, Play) and state is not None and state.fouled and state.turn == seat:
        fine = words.say_n(
            "That is against the rules, and costs {n} card.",
            "That is against the rules, and costs {n} cards.",
            view.options.foul_penalty,
        )
        line += f" {fine}"
    return [line]


def _drawn(notice: notices.CardsDrawn, view: TableView, paint: Paint) -> str:
    words, seat, count = paint.words, notice.seat, notice.count
    if notice.faces:
        drawn = mark("You draw {cards}."), mark("{name} draws {cards}.")
        return told(view, seat, words, *drawn, cards=paint.cards(notice.faces))
    if seat == view.seat:
        return words.say_n("You draw {n} card.", "You draw {n} cards.", count)
    who = name(view, seat)
    return words.say_n("{name} draws {n} card.", "{name} draws {n} cards.", count, name=who)


def _settled(view: TableView, accused: Seat, shown: str | None, words: Words) -> str:
    if shown is not None:
        guilty = (
            mark("You are guilty: {card} was in the hand."),
            mark("{name} is guilty: {card} was in the hand."),
        )
        return told(view, accused, words, *guilty, card=shown)
    innocent = (
        mark("You are innocent; that is proved, and the hand stays hidden."),
        mark("{name} is innocent; that is proved, and the hand stays hidden."),
    )
    return told(view, accused, words, *innocent)


def _round_ended(notice: notices.RoundEnded, view: TableView, paint: Paint) -> list[str]:
    lines = [_outcome(notice.number, notice.outcome, view, paint.words)]
    held = mark("You held {cards}"), mark("{name} held {cards}")
    lines += [
        f"  {told(view, Seat(seat), paint.words, *held, cards=paint.cards(sorted_hand(hand)))}"
        for seat, hand in enumerate(notice.hands)
        if hand
    ]
    return [*lines, *round_table(notice, view, paint)]


def _outcome(number: int, outcome: RoundOutcome, view: TableView, words: Words) -> str:
    gained = ", ".join(
        f"{name(view, seat)} {points:+}" for seat, points in enumerate(outcome.points) if points
    )
    points = f"{gained}." if gained else words.say("nobody scores.")
    match outcome.termination:
        case Termination.WENT_OUT:
            assert outcome.winner is not None
            out = (
                mark("You go out. Round {number}: {points}"),
                mark("{name} goes out. Round {number}: {points}"),
            )
            return told(view, outcome.winner, words, *out, number=number, points=points)
        case Termination.BLOCKED:
            return words.say(
                "Round {number} is blocked, nobody can play or draw: {points}",
                number=number,
                points=points,
            )
        case Termination.VOID:
            return words.say("Round {number} is void: {points}", number=number, points=points)
        case _:
            assert_never(outcome.termination)


_SIMPLE = {
    Draw: (mark("You draw."), mark("{name} draws.")),
    Pass: (mark("You keep the card."), mark("{name} keeps the card.")),
    CallUNO: (mark("You call UNO!"), mark("{name} calls UNO!")),
    Challenge: (
        mark("You challenge the Wild Draw Four."),
        mark("{name} challenges the Wild Draw Four."),
    ),
    Accept: (mark("You accept."), mark("{name} accepts.")),
}


def move_sentence(view: TableView, seat: Seat, move: Move, paint: Paint) -> str:
    """Return who did what, as a sentence."""
    words = paint.words
    match move:
        case Play():
            return _play_sentence(view, seat, move, paint)
        case Catch(seat=caught):
            if caught == view.seat:
                return words.say("{name} catches you: UNO was not called.", name=name(view, seat))
            catches = (
                mark("You catch {whom}: UNO was not called."),
                mark("{name} catches {whom}: UNO was not called."),
            )
            return told(view, seat, words, *catches, whom=name(view, caught))
        case NameColor(color=color):
            names = mark("You name {color}."), mark("{name} names {color}.")
            return told(view, seat, words, *names, color=paint.color_name(color))
        case Draw() | Pass() | CallUNO() | Challenge() | Accept():
            return told(view, seat, words, *_SIMPLE[type(move)])
        case _:
            assert_never(move)


def _play_sentence(view: TableView, seat: Seat, move: Play, paint: Paint) -> str:
    words, mine = paint.words, seat == view.seat
    plays = mark("You play {cards}"), mark("{name} plays {cards}")
    said = told(view, seat, words, *plays, cards=_cards_played(view, move, paint))
    if move.color is not None:
        color = paint.color_name(move.color)
        said = (
            words.say("{you_play} and name {color}", you_play=said, color=color)
            if mine
            else words.say("{they_play} and names {color}", they_play=said, color=color)
        )
    if move.target is not None:
        said = _with_target(view, said, move, words, mine=mine)
    if not move.uno:
        return f"{said}."
    if mine:
        return words.say("{you_play}, and call UNO!", you_play=said)
    return words.say("{they_play}, and calls UNO!", they_play=said)


def _with_target(view: TableView, said: str, move: Play, words: Words, *, mine: bool) -> str:
    """Return a play with whom it hits, or who swaps hands with whom."""
    assert move.target is not None
    at_you, other = move.target == view.seat, name(view, move.target)
    hits = effect_of(move.cards[0], view.options) is not HandMove.SWAP
    if hits and card_name(move.cards[0], view.options) is not None:
        if at_you:
            return words.say("{they_play}, and it hits you", they_play=said)
        return words.say("{they_play}, and it hits {whom}", they_play=said, whom=other)
    if at_you:
        return words.say("{they_play}, and swaps hands with you", they_play=said)
    if mine:
        return words.say("{you_play}, and swap hands with {whom}", you_play=said, whom=other)
    return words.say("{they_play}, and swaps hands with {whom}", they_play=said, whom=other)


def _cards_played(view: TableView, play: Play, paint: Paint) -> str:
    """Return the cards of a play; a blank with the table's name for it, and what it takes along."""
    face, *more = play.cards
    called = card_name(face, view.options)
    if called is None:
        return all_of(paint.words, [paint.card(card) for card in play.cards])
    shown = f"{paint.card(face)} ({clean(called)})"
    if not more:
        return shown
    along = paint.cards(tuple(more))
    return paint.words.say("{card} with {cards} under it", card=shown, cards=along)

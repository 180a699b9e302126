"""What happened, in sentences: one function from a notice to lines. Pure."""

from typing import assert_never

from unop2p.ids import Seat
from unop2p.repl.commands import sorted_hand
from unop2p.repl.paint import Paint, clean, counted, does, is_or_are, name, speaker
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


def notice_lines(notice: notices.Notice, view: TableView, paint: Paint) -> list[str]:
    """Return a notice as lines; none for what the screen shows in another way.

    Args:
        notice: what the player is told.
        view: the table as it is now; seats of a notice are seats of this view.
        paint: how cards and colors look.
    """
    match notice:
        case notices.SeatJoined():
            kind = "bot" if notice.bot else "human"
            return [
                f"{speaker(view, notice.name)} ({kind}, key {notice.fingerprint}) sits down: "
                f"{notice.seats_taken} of {notice.seats_wanted}."
            ]
        case notices.ChatSaid():
            return [f"<{speaker(view, notice.name)}> {clean(notice.text)}"]
        case notices.Warned():
            return [f"! {clean(notice.text)}"]
        case notices.FaultProved():
            who = name(view, notice.seat)
            return [f"! {who} broke the protocol at step {notice.step}: {clean(notice.reason)}."]
        case notices.Waiting():
            names = ", ".join(name(view, seat) for seat in notice.seats)
            return [f"Waiting for {names}, for {notice.since_ms // 1000} s now."]
        case notices.TableBegan() | notices.DealerDrawn() | notices.MatchEnded():
            return _match_lines(notice, view, paint)
        case notices.RoundBegan() | notices.SeatShuffled() | notices.PileShuffled():
            return _deal_lines(notice, view)
        case notices.DealDoubted() | notices.ShufflesReplayed() | notices.RoundVoid():
            return _replay_lines(notice)
        case notices.RoundEnded():
            return _round_ended(notice, view, paint)
        case _:
            return _play_lines(notice, view, paint)


def _match_lines(
    notice: notices.TableBegan | notices.DealerDrawn | notices.MatchEnded,
    view: TableView,
    paint: Paint,
) -> list[str]:
    match notice:
        case notices.TableBegan():
            return [
                f"The table begins: {', '.join(speaker(view, known) for known in notice.names)}."
            ]
        case notices.DealerDrawn():
            order = ", ".join(name(view, seat) for seat in notice.order)
            drawn = [
                ", ".join(f"{name(view, seat)} {paint.card(face)}" for seat, face in lap)
                for lap in notice.laps
            ]
            cards = f" Drawn for the dealer: {'; then '.join(drawn)}." if drawn else ""
            return [f"Turn order: {order}.{cards} {does(view, notice.dealer, 'deal')}."]
        case notices.MatchEnded():
            names = " and ".join(name(view, seat) for seat in notice.winners)
            said = f"The match is over: {names} won." if names else "The match is over."
            return [paint.bold(said), f"Score: {_totals(view, notice.totals)}."]
        case _:
            assert_never(notice)


def _deal_lines(
    notice: notices.RoundBegan | notices.SeatShuffled | notices.PileShuffled,
    view: TableView,
) -> list[str]:
    match notice:
        case notices.RoundBegan():
            how = (
                "Everybody shuffles and proves it."
                if notice.proved
                else "Everybody shuffles; that is checked after the round, and every hand is known "
                "then."
            )
            return [f"Round {notice.number}: {does(view, notice.dealer, 'deal')}. {how}"]
        case notices.SeatShuffled():
            done = f"({notice.done}/{notice.total})"
            has = "You have" if notice.seat == view.seat else f"{name(view, notice.seat)} has"
            proved = ", and proved it" if notice.proved else ""
            return [f"  {has} shuffled {counted(notice.cards, 'card')}{proved} {done}."]
        case notices.PileShuffled():
            how = "every proof holds" if notice.proved else "checked after the round"
            return [f"  {counted(notice.cards, 'card')} shuffled; {how}."]
        case _:
            assert_never(notice)


def _replay_lines(
    notice: notices.DealDoubted | notices.ShufflesReplayed | notices.RoundVoid,
) -> list[str]:
    match notice:
        case notices.DealDoubted():
            return [
                f"! The deal cannot be right: {clean(notice.reason)}. The round ends here, and every "
                "shuffle is checked."
            ]
        case notices.ShufflesReplayed():
            return [
                f"{counted(notice.seats, 'seat')} showed the seeds of the shuffles: "
                "each shuffle of the round was done again, and was right."
            ]
        case notices.RoundVoid():
            return [f"! Round {notice.number} is void: {clean(notice.reason)}. It is dealt anew."]
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
    match notice:
        case notices.FirstCard():
            return [f"The first card is {paint.card(notice.face)}."]
        case notices.MoveMade(seat=seat, move=Draw()):
            # What was drawn is told by itself, a moment later.
            nothing = view.round is not None and view.round.idle > 0
            return [f"{does(view, seat, 'find')} no card to draw."] if nothing else []
        case notices.MoveMade(seat=seat, move=move):
            line = move_sentence(view, seat, move, paint)
            state = view.round
            if isinstance(move, Play) and state is not None and state.fouled and state.turn == seat:
                fine = counted(view.options.foul_penalty, "card")
                line += f" That is against the rules, and costs {fine}."
            return [line]
        case notices.MoveVoid(seat=seat, move=move):
            line = move_sentence(view, seat, move, paint).rstrip(".!")
            return [f"{line}: too late, it does not count."]
        case notices.CatchKept(seat=seat):
            who = name(view, seat)
            return [f"  Kept: you catch {who} as soon as {who} holds one card and has not called."]
        case notices.CatchDropped(seat=seat, reason=reason):
            return [f"  You do not catch {name(view, seat)}: {clean(reason)}"]
        case notices.CardsDrawn(seat=seat):
            what = paint.cards(notice.faces) or counted(notice.count, "card")
            return [f"{does(view, seat, 'draw')} {what}."]
        case notices.ChallengeSettled(accused=accused, shown=shown):
            who = is_or_are(view, accused)
            if shown is not None:
                return [f"{who} guilty: {paint.card(shown)} was in the hand."]
            return [f"{who} innocent; that is proved, and the hand stays hidden."]
        case notices.HandsMoved():
            counts = ", ".join(
                f"{name(view, shown.seat)} {notice.counts[shown.seat]}" for shown in view.seats
            )
            return [f"Hands have moved: {counts}."]
        case notices.TurnIs():
            return []  # the prompt says it
        case _:
            assert_never(notice)


def _totals(view: TableView, totals: tuple[int, ...]) -> str:
    return ", ".join(f"{name(view, seat)} {total}" for seat, total in enumerate(totals))


def _round_ended(notice: notices.RoundEnded, view: TableView, paint: Paint) -> list[str]:
    lines = [_outcome(notice.number, notice.outcome, view)]
    for seat, hand in enumerate(notice.hands):
        if hand:
            cards = paint.cards(sorted_hand(hand))
            who = "You" if seat == view.seat else name(view, seat)
            lines.append(f"  {who} held {cards}")
    return [*lines, f"Score: {_totals(view, notice.totals)}."]


def _outcome(number: int, outcome: RoundOutcome, view: TableView) -> str:
    gained = ", ".join(
        f"{name(view, seat)} {points:+}" for seat, points in enumerate(outcome.points) if points
    )
    points = f" {gained}." if gained else " nobody scores."
    match outcome.termination:
        case Termination.WENT_OUT:
            assert outcome.winner is not None
            return f"{does(view, outcome.winner, 'go')} out. Round {number}:{points}"
        case Termination.BLOCKED:
            return f"Round {number} is blocked, nobody can play or draw:{points}"
        case Termination.VOID:
            return f"Round {number} is void:{points}"
        case _:
            assert_never(outcome.termination)


def move_sentence(view: TableView, seat: Seat, move: Move, paint: Paint) -> str:
    """Return who did what, as a sentence."""
    match move:
        case Play():
            said = f"{does(view, seat, 'play')} {_cards_played(view, move, paint)}"
            if move.color is not None:
                said += f" and {_verb(view, seat, 'name')} {paint.color_name(move.color)}"
            if move.target is not None:
                other = "you" if move.target == view.seat else name(view, move.target)
                hits = effect_of(move.cards[0], view.options) is not HandMove.SWAP
                hits = hits and card_name(move.cards[0], view.options) is not None
                does_what = "it hits" if hits else f"{_verb(view, seat, 'swap')} hands with"
                said += f", and {does_what} {other}"
            return said + (f", and {_verb(view, seat, 'call')} UNO!" if move.uno else ".")
        case Draw():
            return f"{does(view, seat, 'draw')}."
        case Pass():
            return f"{does(view, seat, 'keep')} the card."
        case CallUNO():
            return f"{does(view, seat, 'call')} UNO!"
        case Catch(seat=caught):
            whom = "you" if caught == view.seat else name(view, caught)
            return f"{does(view, seat, 'catch')} {whom}: UNO was not called."
        case Challenge():
            return f"{does(view, seat, 'challenge')} the Wild Draw Four."
        case Accept():
            return f"{does(view, seat, 'accept')}."
        case NameColor(color=color):
            return f"{does(view, seat, 'name')} {paint.color_name(color)}."
        case _:
            assert_never(move)


def _cards_played(view: TableView, play: Play, paint: Paint) -> str:
    """Return the cards of a play; a blank with the table's name for it, and what it takes along."""
    face, *more = play.cards
    called = card_name(face, view.options)
    if called is None:
        return " and ".join(paint.card(card) for card in play.cards)
    along = f" with {paint.cards(tuple(more))} under it" if more else ""
    return f"{paint.card(face)} ({clean(called)}){along}"


def _verb(view: TableView, seat: Seat, verb: str) -> str:
    return verb if seat == view.seat else f"{verb}s"

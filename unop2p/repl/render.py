"""A view as lines of text. Pure: values in, lines out. A card is always color and letter."""

from collections.abc import Iterable

from unop2p.repl.commands import HELP, sorted_hand
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Draw, Move, Pass, Play, move_text
from unop2p.table import notices
from unop2p.table.view import Stage, TableView

_ANSI: dict[Color, str] = {
    Color.RED: "\x1b[1;31m",
    Color.YELLOW: "\x1b[1;33m",
    Color.GREEN: "\x1b[1;32m",
    Color.BLUE: "\x1b[1;34m",
}
_WILD = "\x1b[1;35m"
_BOLD = "\x1b[1m"
_DIM = "\x1b[2m"
_OFF = "\x1b[0m"

YOUR_MOVE = "your move>"
WAIT = "wait>"


class Renderer:
    """Turns views and notices into lines, with or without color."""

    def __init__(self, *, color: bool) -> None:
        """Take whether ANSI colors may be used; letters are there in any case."""
        self._color = color

    def paint(self, code: str, text: str) -> str:
        """Return text in a style, where styles are allowed."""
        return f"{code}{text}{_OFF}" if self._color else text

    def card(self, face: Face) -> str:
        """Return a card."""
        return self.paint(_ANSI[face.color] if face.color is not None else _WILD, face.value)

    def color_name(self, color: Color | None) -> str:
        """Return the word for a color, in it."""
        return self.paint(_ANSI[color], color.word) if color is not None else "no color yet"

    # -- the table -----------------------------------------------------------------------------

    def table(self, view: TableView) -> list[str]:
        """Return the table: seats, top card, piles, hand."""
        if view.stage is Stage.LOBBY:
            return self.lobby(view)
        lines = [self.heading(view)]
        round_ = view.round
        if round_ is None:
            return [*lines, *self.progress(view)]
        way = "-->" if round_.direction == 1 else "<--"
        order = view.order or tuple(seat.seat for seat in view.seats)
        lines.append(f"  {way} " + "   ".join(self._seat(view, seat) for seat in order))
        if round_.discards:
            top = round_.discards[-1]
            lines.append(
                f"  top {self.card(top)}  color {self.color_name(round_.color)}"
                f"  pile {round_.pile_count}"
                + (f"  to draw {round_.attack.cards}" if round_.attack is not None else "")
            )
        else:
            lines.append(f"  pile {round_.pile_count}")
        if view.seat is not None and view.hand:
            lines.append(self.hand(view))
        return lines

    def heading(self, view: TableView) -> str:
        """Return round, step and score."""
        score = ", ".join(f"{seat.name} {seat.total}" for seat in view.seats)
        return self.paint(_DIM, f"-- round {view.round_number}, step {view.step} -- {score}")

    def _seat(self, view: TableView, seat: int) -> str:
        shown = view.seats[seat]
        mark = ""
        if shown.uno:
            mark = " UNO!"
        elif shown.catchable:
            mark = " one card, not called"
        you = " (you)" if seat == view.seat else ""
        text = f"{shown.name}{you}: {shown.hand_count}{mark}"
        on_turn = view.round is not None and view.round.turn == seat
        return self.paint(_BOLD, f"[{text}]") if on_turn else text

    def hand(self, view: TableView) -> str:
        """Return the hand: numbered, by color, with a star on what can be played."""
        playable = {move.cards[0] for move in view.legal if isinstance(move, Play)}
        cards = [
            f"{index}:{self.card(face)}{'*' if face in playable else ''}"
            for index, face in enumerate(sorted_hand(view.hand), 1)
        ]
        return "  hand " + "  ".join(cards)

    def lobby(self, view: TableView) -> list[str]:
        """Return who is here, and what will be played."""
        lines = [f"-- lobby: {len(view.seats)} of {view.seats_wanted} seats taken"]
        for seat in view.seats:
            kind = "bot" if seat.bot else "human"
            lines.append(f"  {seat.name} ({kind})  key {seat.fingerprint}")
        return [*lines, *self.rules(view, short=True)]

    def rules(self, view: TableView, *, short: bool) -> list[str]:
        """Return the rules in force; what differs from `official` first."""
        lines = list(view.rules_lines)
        if short:
            lines = [*lines[:4], "... `rules` shows them all"]
        return [f"  {line}" for line in lines]

    def progress(self, view: TableView) -> list[str]:
        """Return how far the deal has come."""
        if view.shuffle is None:
            return ["  keys and hands are being made"]
        done = ", ".join(view.name(seat) for seat in view.shuffle.done) or "nobody yet"
        return [f"  shuffled and proved: {done} ({len(view.shuffle.done)}/{view.shuffle.total})"]

    def legal(self, view: TableView) -> list[str]:
        """Return every move that is open, one word group each."""
        names = [seat.name for seat in view.seats]
        if not view.legal:
            return ["  nothing is yours to do now"]
        said = [move_text(move, names).removeprefix("play ") for move in view.legal]
        return ["  " + ", ".join(said)]

    def score(self, view: TableView) -> list[str]:
        """Return the totals."""
        return [f"  {seat.name:24} {seat.total:5}" for seat in view.seats]

    def help(self) -> list[str]:
        """Return what can be typed."""
        return [f"  {what:34} {does}" for what, does in HELP.items()]

    def why(self, view: TableView) -> list[str]:
        """Return what has been proved about this deal so far, and by whom."""
        names = ", ".join(seat.name for seat in view.seats)
        if view.match is None:
            return ["  Nothing yet: the table has not begun."]
        lines = [
            f"  Every seat ({names}) committed to a key and a seed before it saw the others', and",
            "  proved that it knows its key. The seeds together were the coin for turn order and "
            "dealer.",
        ]
        if view.shuffle is not None:
            done = ", ".join(view.name(seat) for seat in view.shuffle.done) or "nobody"
            lines.append(f"  Shuffled so far, each with a proof that no card was changed: {done}.")
        elif view.round is not None:
            lines += [
                "  Every seat has shuffled all cards in turn, with a proof that none was changed;",
                "  this peer has checked each proof before it gave any share of a card.",
                "  Your cards opened with everybody's shares, each proved; nobody else can read "
                "them",
                "  while one seat keeps its key. `unop2p audit` checks the record again.",
            ]
        return lines

    # -- notices -------------------------------------------------------------------------------

    def notice(self, notice: notices.Notice, view: TableView) -> list[str]:
        """Return a notice as sentences."""
        match notice:
            case notices.SeatJoined():
                kind = "bot" if notice.bot else "human"
                return [
                    f"{notice.name} ({kind}, key {notice.fingerprint}) sits down: "
                    f"{notice.seats_taken} of {notice.seats_wanted}."
                ]
            case notices.TableBegan():
                return [f"The table begins: {', '.join(notice.names)}."]
            case notices.DealerDrawn():
                order = ", ".join(view.name(seat) for seat in notice.order)
                drawn = [
                    ", ".join(f"{view.name(seat)} {self.card(face)}" for seat, face in lap)
                    for lap in notice.laps
                ]
                cards = f" Drawn for the dealer: {'; then '.join(drawn)}." if drawn else ""
                return [f"Turn order: {order}.{cards} {view.name(notice.dealer)} deals."]
            case notices.RoundBegan():
                return [
                    f"Round {notice.number}: {view.name(notice.dealer)} deals. "
                    "Everybody shuffles and proves it."
                ]
            case notices.SeatShuffled():
                return [
                    f"  {view.name(notice.seat)} has shuffled {notice.cards} cards, and proved it "
                    f"({notice.done}/{notice.total})."
                ]
            case notices.FirstCard():
                return [f"The first card is {self.card(notice.face)}."]
            case notices.MoveMade():
                return [self._move(view, notice.seat, notice.move)]
            case notices.MoveVoid():
                return [f"{self._move(view, notice.seat, notice.move)[:-1]}: too late, it is void."]
            case _:
                return self._rarer(notice, view)

    def _rarer(self, notice: notices.Notice, view: TableView) -> list[str]:
        match notice:
            case notices.CardsDrawn():
                name = view.name(notice.seat)
                cards = "a card" if notice.count == 1 else f"{notice.count} cards"
                if notice.faces:
                    got = " ".join(self.card(face) for face in notice.faces)
                    return [f"You draw {got}."]
                return [f"{name} draws {cards}."]
            case notices.PileShuffled():
                return []
            case notices.ChallengeSettled(accused=accused, shown=None):
                return [
                    f"{view.name(accused)} is innocent, and proves it without showing the hand."
                ]
            case notices.ChallengeSettled(accused=accused, shown=shown):
                assert shown is not None
                return [f"{view.name(accused)} is guilty: it held {self.card(shown)}."]
            case notices.HandsMoved():
                return ["Hands have moved."]
            case notices.RoundEnded():
                return self._round_ended(notice, view)
            case notices.MatchEnded():
                names = " and ".join(view.name(seat) for seat in notice.winners)
                return [self.paint(_BOLD, f"The match is over: {names} won.")]
            case notices.Waiting():
                names = ", ".join(view.name(seat) for seat in notice.seats)
                return [f"waiting for {names}, {notice.since_ms // 1000} s"]
            case notices.ChatSaid():
                return [f"<{notice.name}> {notice.text}"]
            case notices.FaultProved():
                return [
                    f"{view.name(notice.seat)} broke the protocol at step {notice.step}: "
                    f"{notice.reason}."
                ]
            case notices.Warned():
                return [f"! {notice.text}"]
            case _:
                return []

    def _round_ended(self, notice: notices.RoundEnded, view: TableView) -> list[str]:
        outcome = notice.outcome
        if outcome.winner is None:
            lines = [f"Round {notice.number} is blocked: nobody can play or draw."]
        else:
            points = sum(outcome.points)
            lines = [
                f"{view.name(outcome.winner)} goes out. Round {notice.number}: {points} points."
            ]
        for seat, hand in enumerate(notice.hands):
            if hand:
                cards = " ".join(self.card(face) for face in sorted_hand(hand))
                lines.append(f"  {view.seats[seat].name} held {cards}")
        totals = ", ".join(
            f"{shown.name} {total}" for shown, total in zip(view.seats, notice.totals, strict=True)
        )
        return [*lines, f"Score: {totals}."]

    def _move(self, view: TableView, seat: int, move: Move) -> str:
        name = view.seats[seat].name
        match move:
            case Play():
                cards = " and ".join(self.card(face) for face in move.cards)
                said = f"{name} plays {cards}"
                if move.color is not None:
                    said += f", and names {self.color_name(move.color)}"
                if move.target is not None:
                    said += f", and swaps hands with {view.name(move.target)}"
                return said + (", and calls UNO!" if move.uno else ".")
            case Draw():
                return f"{name} draws."
            case Pass():
                return f"{name} keeps the card."
            case _:
                words = move_text(move, [shown.name for shown in view.seats])
                return f"{name} says {words}."


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text."""
    return "\n".join(lines)

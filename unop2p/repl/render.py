"""A view as lines of text. Pure: values in, lines out. ASCII only, and legible without color."""

from collections.abc import Iterable
from typing import Final

from unop2p.ids import Seat
from unop2p.repl.commands import HELP, playable_faces, sorted_hand
from unop2p.repl.explain import legal_lines, rules_lines, typed_moves
from unop2p.repl.paint import Paint, clean, counted, name
from unop2p.repl.sentences import notice_lines
from unop2p.rules.cards import NAMED_BLANKS, Face, Kind, card_name, named_face
from unop2p.rules.describe import card_sentence
from unop2p.rules.moves import Play
from unop2p.rules.options import Options
from unop2p.rules.position import Round, TurnPhase
from unop2p.table import notices
from unop2p.table.view import SeatView, Stage, TableView
from unop2p.words import ENGLISH, Words, mark

YOUR_MOVE: Final = mark("your move>")
"""Stands in the prompt while the person is to move, and at no other time. Programs look for it."""
WAIT: Final = mark("wait>")
"""Stands in the prompt at all other times."""
HELP_WIDTH: Final = 26
HEARD_MS: Final = 15_000
"""A seat that was heard within this time counts as reachable: three heartbeats."""

_CARD_HELP: Final[dict[Kind, str]] = {
    Kind.NUMBER: "number: it lies on its color or its number.",
    Kind.SKIP: "Skip: the next seat loses its turn.",
    Kind.REVERSE: "Reverse: the direction turns; with two seats it is a Skip.",
    Kind.DRAW_TWO: "Draw Two: the next seat draws two, and loses its turn.",
    Kind.WILD: "Wild: lies on anything; name a color with it, `w g`.",
    Kind.WILD_DRAW_FOUR: "Wild Draw Four: name a color; the next seat draws four, and loses its "
    "turn, or challenges. `rules` says when you may play it.",
    Kind.SHUFFLE_HANDS: "Shuffle Hands: all hands are shuffled together and dealt again; name a "
    "color.",
    Kind.SWAP_HANDS: "Swap Hands: swap your hand with a seat, and name a color, `wx g ben`.",
    Kind.BLANK: "blank card: a Wild, unless the table's rules say more; see `rules`.",
}


class Renderer:
    """Turns views and notices into lines, with or without color."""

    def __init__(self, *, color: bool, words: Words = ENGLISH) -> None:
        """Take whether ANSI colors may be used, and the language; letters are there in any case."""
        self.paint = Paint(color=color, words=words)
        self.words = words

    # -- the table -----------------------------------------------------------------------------

    def table(self, view: TableView) -> list[str]:
        """Return the table: seats, top card, piles, hand, and what is asked."""
        if view.stage is Stage.LOBBY:
            return self.lobby(view)
        lines = [self.heading(view)]
        if view.stage is Stage.STOPPED:
            lines.append(f"  The table has stopped: {clean(view.reason) or 'no reason was given'}.")
        state = view.round
        if state is None or view.stage is Stage.DEALING:
            return [*lines, *self.progress(view)]
        lines += [self._seats(view, state), self._middle(view, state)]
        if view.hand:
            lines.append(self.hand(view))
        return [*lines, *self.hints(view)]

    def heading(self, view: TableView) -> str:
        """Return round, step and score."""
        score = ", ".join(f"{name(view, seat.seat)} {seat.total}" for seat in view.seats)
        return self.paint.dim(f"-- round {view.round_number}, step {view.step} -- score: {score}")

    def _seats(self, view: TableView, state: Round) -> str:
        """Return the seats in turn order; the arrow says which way play goes."""
        order = view.order or tuple(shown.seat for shown in view.seats)
        seats = "  ".join(self._seat(view, state, view.seats[seat]) for seat in order)
        return f"  {'-->' if state.direction == 1 else '<--'}  {seats}"

    def _seat(self, view: TableView, state: Round, shown: SeatView) -> str:
        you = " (you)" if shown.seat == view.seat and shown.name != "you" else ""
        text = f"{name(view, shown.seat)}{you}: {shown.hand_count}"
        if shown.uno:
            text += " UNO!"
        elif shown.catchable:
            text += " (UNO not called)"
        if shown.seat in state.away:
            text += " (away)"
        return self.paint.bold(f"[{text}]") if shown.seat == state.turn else text

    def _middle(self, view: TableView, state: Round) -> str:
        """Return the top card and its color, the pile, and whose turn it is."""
        top = state.top
        parts = [f"top {self.paint.card(top)}" if top is not None else "no card yet"]
        parts.append(f"color {self.paint.color_name(state.color)}")
        parts.append(f"pile {state.pile_count}")
        if not state.over:
            turn = "your turn" if state.turn == view.seat else f"{name(view, state.turn)}'s turn"
            parts.append(turn)
        if state.attack_cards:
            parts.append(f"{counted(state.attack_cards, 'card')} to draw")
        return f"  {'  '.join(parts)}"

    def hand(self, view: TableView) -> str:
        """Return the hand: numbered, by color, with a star on what can be played."""
        if not view.hand:
            return "  You hold no cards."
        playable = set(playable_faces(view))
        cards = [
            f"{index}:{self._named(view, face)}{'*' if face in playable else ''}"
            for index, face in enumerate(sorted_hand(view.hand), 1)
        ]
        return f"  hand  {'  '.join(cards)}"

    def _named(self, view: TableView, face: Face) -> str:
        """Return a card; a blank with the name that the table gave it."""
        called = card_name(face, view.options)
        return self.paint.card(face) + (f"({clean(called)})" if called is not None else "")

    def hints(self, view: TableView) -> list[str]:
        """Return what is asked of the player, where it is not just a card."""
        if view.my_reaction:
            return [f"  You may react: {typed_moves(view.legal, view)}."]
        state = view.round
        if not view.my_turn or state is None:
            return []
        match state.phase:
            case TurnPhase.COLOR:
                return ["  Name the color of the first card: `color r`, or y, g, b."]
            case TurnPhase.ATTACKED:
                other = typed_moves(view.legal, view)
                faced = f"{state.top}" if state.top is not None else "the card"
                return [f"  {faced} is played at you: {other}."]
            case TurnPhase.AFTER_DRAW:
                return [self._after_draw(view)]
            case TurnPhase.START:
                return self._start_hints(view)

    def _after_draw(self, view: TableView) -> str:
        said = typed_moves(view.legal, view)
        if view.drawn is None:
            return f"  You have drawn: {said}."
        drawn = f"  You have drawn {self.paint.card(view.drawn)}"
        if any(isinstance(move, Play) for move in view.legal):
            return f"{drawn}: {said}."
        return f"{drawn}, which cannot be played: {said}."

    def _start_hints(self, view: TableView) -> list[str]:
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return [f"  Nothing fits: {typed_moves(view.legal, view)}."]
        calls = [play for play in plays if play.uno]
        if calls:
            card = calls[0].cards[0].lower() + (" g" if calls[0].color is not None else "")
            return [f"  This leaves you one card: say `uno` with it, as in `{card} uno`."]
        return []

    # -- before and after ----------------------------------------------------------------------

    def lobby(self, view: TableView) -> list[str]:
        """Return who is here, and what will be played."""
        if not view.seats_wanted:
            return ["-- looking for the table: nobody has answered yet"]
        lines = [f"-- lobby: {len(view.seats)} of {view.seats_wanted} seats taken"]
        for seat in view.seats:
            kind = "bot" if seat.bot else "human"
            lines.append(f"  {name(view, seat.seat)} ({kind})  key {seat.fingerprint}")
        return [*lines, *self.rules(view, short=True)]

    def rules(self, view: TableView, *, short: bool) -> list[str]:
        """Return the rules in force; what differs from `official` first."""
        return rules_lines(view.options, view.rules_lines, short=short)

    def progress(self, view: TableView) -> list[str]:
        """Return how far the deal has come, seat by seat."""
        waiting = ", ".join(name(view, seat) for seat in view.waiting_for) or "nobody"
        if view.shuffle is None:
            return [f"  Keys and hands are being made; waiting for {waiting}."]
        done = set(view.shuffle.done)
        seats = "  ".join(
            f"{name(view, shown.seat)} {'done' if shown.seat in done else '...'}"
            for shown in view.seats
        )
        return [f"  shuffled and proved {len(done)}/{view.shuffle.total}:  {seats}"]

    # -- on request ----------------------------------------------------------------------------

    def legal(self, view: TableView) -> list[str]:
        """Return for each card whether it can be played, and else why not; then the other moves."""
        return legal_lines(view, self.paint)

    def score(self, view: TableView) -> list[str]:
        """Return the totals."""
        target = view.options.target
        goal = (
            f"{counted(target, 'round')} won"
            if view.options.match_end == "rounds"
            else f"{target} points"
        )
        lines = [f"  {name(view, seat.seat):24} {seat.total:5}" for seat in view.seats]
        return [*lines, f"  The match goes to {goal}."]

    def help(self, about: str = "", options: Options | None = None) -> list[str]:
        """Return what can be typed, or what one card or command does."""
        wanted = about.strip().lower()
        if not wanted:
            return [f"  {what:{HELP_WIDTH}} {what_for}" for what, what_for in HELP.items()]
        lines = [
            f"  {what:{HELP_WIDTH}} {what_for}"
            for what, what_for in HELP.items()
            if wanted in what.replace(",", " ").split()
        ]
        face = next((face for face in Face if face.lower() == wanted), None)
        if face is None and options is not None:
            face = named_face(wanted, options)
        if face is not None:
            lines = [f"  {self.paint.card(face)} is a {_CARD_HELP[face.kind]}"]
        if face is not None and options is not None and card_name(face, options) is not None:
            lines = [f"  {card_sentence(options.blank_cards[NAMED_BLANKS.index(face)], face)}"]
        return lines or [f"  There is no help on '{clean(about[:30])}'; `help` shows all."]

    def why(self, view: TableView) -> list[str]:
        """Return what has been proved about this deal so far, and by whom."""
        if view.match is None:
            return ["  Nothing yet: the table has not begun."]
        names = ", ".join(name(view, seat.seat) for seat in view.seats)
        lines = [
            f"  Every seat ({names}) committed to a key and a seed before it saw the others',",
            "  and proved that it knows its key. The seeds together were the coin for turn order",
            "  and dealer.",
        ]
        if view.shuffle is not None:
            done = ", ".join(name(view, seat) for seat in view.shuffle.done) or "nobody"
            lines.append(f"  Shuffled so far, each with a proof that no card was changed: {done}.")
        elif view.round is not None:
            lines += [
                "  Every seat has shuffled all cards in turn, with a proof that none was changed;",
                "  this peer has checked each proof before it gave any share of a card.",
                "  Your cards opened with everybody's shares, each proved; nobody else can read",
                "  them while one seat keeps its key. `unop2p audit` checks the record again.",
            ]
        return lines

    # -- notices -------------------------------------------------------------------------------

    def notice(self, notice: notices.Notice, view: TableView) -> list[str]:
        """Return a notice as sentences."""
        return notice_lines(notice, view, self.paint)


# -- the lines around the input -------------------------------------------------------------------


def prompt_text(view: TableView, words: Words = ENGLISH) -> str:
    """Return the prompt: whose move it is, how long, and the marker that says whether one may type.

    Ends in `your move>` when the person is to move, else in `wait>`.
    """
    left = [_seconds(view.deadline_ms, words)] if view.deadline_ms is not None else []
    wait = words.say(WAIT)
    if view.my_turn:
        return ", ".join([*left, words.say(YOUR_MOVE)])
    if view.my_reaction:
        return ", ".join([words.say("you may react"), *left, wait])
    if view.stage is not Stage.PLAYING or view.round is None:
        return ", ".join([words.say(_STAGES[view.stage]), wait])
    if view.round.turn == view.seat:
        # Our word is said, and not yet settled.
        return ", ".join([words.say("a moment"), wait])
    return ", ".join([words.say("{name}'s turn", name=name(view, view.round.turn)), *left, wait])


def _seconds(milliseconds: int, words: Words) -> str:
    return words.say("{seconds} s", seconds=milliseconds // 1000)


LINK_WORDS: Final = (mark("up"), mark("down"), mark("connecting"))
"""How a link can be; edge says it in English."""
_STAGES: Final = {
    Stage.LOBBY: mark("lobby"),
    Stage.DEALING: mark("dealing"),
    Stage.PLAYING: mark("playing"),
    Stage.SCORING: mark("scoring"),
    Stage.OVER: mark("over"),
    Stage.STOPPED: mark("stopped"),
}


def toolbar_text(view: TableView, link: str, words: Words = ENGLISH) -> str:
    """Return the line below the input: link, seats heard, step, score, who is waited for.

    Args:
        view: the table.
        link: how the connection to the broker is, in a word.
        words: the language of the person.
    """
    heard = sum(1 for seat in view.seats if seat.heard_ms is not None and seat.heard_ms < HEARD_MS)
    others = len(view.seats) - (view.seat is not None)
    parts = [words.say("broker {link}", link=words.say(link))]
    if view.stage is Stage.LOBBY:
        taken, wanted = len(view.seats), view.seats_wanted
        return " | ".join([*parts, words.say("lobby {taken}/{wanted}", taken=taken, wanted=wanted)])
    parts.append(words.say("heard {heard}/{others}", heard=heard, others=max(0, others)))
    if view.waiting_for and not view.my_turn:
        late = ", ".join(name(view, Seat(seat)) for seat in view.waiting_for)
        parts.append(words.say("waiting for {names}", names=late))
    parts.append(words.say("step {step}", step=view.step))
    parts.append(" ".join(f"{name(view, seat.seat)} {seat.total}" for seat in view.seats))
    if view.shuffle is not None:
        done, total = len(view.shuffle.done), view.shuffle.total
        parts.append(words.say("shuffled {done}/{total}", done=done, total=total))
    return " | ".join(parts)


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text."""
    return "\n".join(lines)

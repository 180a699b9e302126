"""A view as lines of text. Pure: values in, lines out. ASCII only, and legible without color."""

from collections.abc import Callable, Iterable
from typing import Final

from unop2p.repl.commands import HELP, playable_faces, sorted_hand
from unop2p.repl.explain import legal_lines, rules_lines, safety_line, typed_moves
from unop2p.repl.fold import width_of
from unop2p.repl.paint import Paint, clean, name
from unop2p.repl.sentences import notice_lines, told
from unop2p.repl.who import who_plays
from unop2p.repl.why import why_lines
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
READY_MARKS: Final = (mark("[ready]"), mark("[not yet]"))
HEARD_MS: Final = 15_000
"""A seat that was heard within this time counts as reachable: three heartbeats."""

_CARD_HELP: Final[dict[Kind, str]] = {
    Kind.NUMBER: mark("{card} is a number: it lies on its color or its number."),
    Kind.SKIP: mark("{card} is a Skip: the next seat loses its turn."),
    Kind.REVERSE: mark("{card} is a Reverse: the direction turns; with two seats it is a Skip."),
    Kind.DRAW_TWO: mark("{card} is a Draw Two: the next seat draws two, and loses its turn."),
    Kind.WILD: mark("{card} is a Wild: lies on anything; name a color with it, `w g`."),
    Kind.WILD_DRAW_FOUR: mark(
        "{card} is a Wild Draw Four: name a color; the next seat draws four, and loses its "
        "turn, or challenges. `rules` says when you may play it."
    ),
    Kind.SHUFFLE_HANDS: mark(
        "{card} is a Shuffle Hands: all hands are shuffled together and dealt again; name a color."
    ),
    Kind.SWAP_HANDS: mark(
        "{card} is a Swap Hands: swap your hand with a seat, and name a color, `wx g ben`."
    ),
    Kind.BLANK: mark(
        "{card} is a blank card: a Wild, unless the table's rules say more; see `rules`."
    ),
}


class Renderer:
    """Turns views and notices into lines, with or without color."""

    def __init__(self, *, color: bool, words: Words = ENGLISH) -> None:
        """Take whether ANSI colors may be used, and the language; letters are there in any case."""
        self.paint = Paint(color=color, words=words)
        self.words = words
        self.invitation: tuple[str, ...] = ()
        self.code = ""
        """What the lobby's QR code says; empty for none."""
        """How others find the table: the lobby shows it."""

    # -- the table -----------------------------------------------------------------------------

    def table(self, view: TableView) -> list[str]:
        """Return the table: seats, top card, piles, hand, and what is asked."""
        if view.stage is Stage.LOBBY:
            return self.lobby(view)
        lines = [self.heading(view)]
        if view.stage is Stage.STOPPED:
            lines.append(self.stopped(view))
        state = view.round
        if state is None or view.stage is Stage.DEALING:
            return [*lines, *self.progress(view)]
        lines += [self.seats(view, state), self._middle(view, state)]
        if view.hand:
            lines.append(self.hand(view))
        return [*lines, *self.hints(view)]

    def stopped(self, view: TableView) -> str:
        """Return that the table has stopped, and why."""
        reason = clean(self.words.tell(view.reason)) or self.words.say("no reason was given")
        return f"  {self.words.say('The table has stopped: {reason}.', reason=reason)}"

    def heading(self, view: TableView) -> str:
        """Return round, step and score."""
        score = ", ".join(f"{name(view, seat.seat)} {seat.total}" for seat in view.seats)
        said = self.words.say(
            "-- round {number}, step {step} -- score: {score}",
            number=view.round_number,
            step=view.step,
            score=score,
        )
        return self.paint.dim(said)

    def seats(self, view: TableView, state: Round) -> str:
        """Return the seats in turn order; the arrow says which way play goes."""
        order = view.order or tuple(shown.seat for shown in view.seats)
        seats = "  ".join(self._seat(view, state, view.seats[seat]) for seat in order)
        return f"  {'-->' if state.direction == 1 else '<--'}  {seats}"

    def _seat(self, view: TableView, state: Round, shown: SeatView) -> str:
        text = name(view, shown.seat)
        if shown.seat == view.seat and shown.name != "you":
            text += f" ({self.words.say('you')})"
        text += f": {shown.hand_count}"
        if shown.uno:
            text += " UNO!"
        elif shown.catchable:
            text += f" ({self.words.say('UNO not called')})"
        if shown.seat in state.away:
            text += f" ({self.words.say('away')})"
        return self.paint.bold(f"[{text}]") if shown.seat == state.turn else text

    def _middle(self, view: TableView, state: Round) -> str:
        """Return the top card and its color, the pile, and whose turn it is."""
        top, words = state.top, self.words
        parts = [
            words.say("top {card}", card=self.paint.card(top))
            if top is not None
            else words.say("no card yet"),
            words.say("color {color}", color=self.paint.color_name(state.color)),
            words.say("pile {count}", count=state.pile_count),
        ]
        if not state.over:
            turn = mark("your turn"), mark("{name}'s turn")
            parts.append(told(view, state.turn, words, *turn))
        if state.attack_cards:
            draws = words.say_n("{n} card to draw", "{n} cards to draw", state.attack_cards)
            parts.append(draws)
        return f"  {'  '.join(parts)}"

    def hand(self, view: TableView) -> str:
        """Return the hand: numbered, by color, with a star on what can be played."""
        if not view.hand:
            return f"  {self.words.say('You hold no cards.')}"
        playable = set(playable_faces(view))
        cards = [
            f"{index}:{self.named(view, face)}{'*' if face in playable else ''}"
            for index, face in enumerate(sorted_hand(view.hand), 1)
        ]
        return f"  {self.words.say('hand')}  {'  '.join(cards)}"

    def named(self, view: TableView, face: Face, look: Callable[[Face], str] | None = None) -> str:
        """Return a card; a blank with the name that the table gave it.

        Args:
            view: the table.
            face: the card.
            look: how it is colored; None: as any card.
        """
        called = card_name(face, view.options)
        shown = (look or self.paint.card)(face)
        return shown + (f"({clean(called)})" if called is not None else "")

    def hints(self, view: TableView) -> list[str]:
        """Return what is asked of the player, where it is not just a card."""
        if view.my_reaction:
            return [f"  {self.words.say('You may react: {moves}.', moves=self._typed(view))}"]
        state = view.round
        if not view.my_turn or state is None:
            return []
        match state.phase:
            case TurnPhase.COLOR:
                asked = self.words.say("Name the color of the first card: `color r`, or y, g, b.")
                return [f"  {asked}"]
            case TurnPhase.ATTACKED:
                faced = state.top if state.top is not None else self.words.say("the card")
                asked = self.words.say(
                    "{card} is played at you: {moves}.", card=faced, moves=self._typed(view)
                )
                return [f"  {asked}"]
            case TurnPhase.AFTER_DRAW:
                return [self._after_draw(view)]
            case TurnPhase.START:
                return self._start_hints(view)

    def _after_draw(self, view: TableView) -> str:
        moves = self._typed(view)
        if view.drawn is None:
            return f"  {self.words.say('You have drawn: {moves}.', moves=moves)}"
        card = self.paint.card(view.drawn)
        if any(isinstance(move, Play) for move in view.legal):
            drawn = self.words.say("You have drawn {card}: {moves}.", card=card, moves=moves)
            return f"  {drawn}"
        useless = self.words.say(
            "You have drawn {card}, which cannot be played: {moves}.", card=card, moves=moves
        )
        return f"  {useless}"

    def _typed(self, view: TableView) -> str:
        return typed_moves(view.legal, view, self.words)

    def _start_hints(self, view: TableView) -> list[str]:
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return [f"  {self.words.say('Nothing fits: {moves}.', moves=self._typed(view))}"]
        calls = [play for play in plays if play.uno]
        if calls:
            card = calls[0].cards[0].lower() + (" g" if calls[0].color is not None else "")
            said = self.words.say(
                "This leaves you one card: say `uno` with it, as in `{card} uno`.", card=card
            )
            return [f"  {said}"]
        return []

    # -- before and after ----------------------------------------------------------------------

    def lobby(self, view: TableView) -> list[str]:
        """Return who is here, and what will be played."""
        if not view.seats_wanted:
            return [self.words.say("-- looking for the table: nobody has answered yet")]
        taken, wanted = len(view.seats), view.seats_wanted
        lines = [
            self.words.say("-- lobby: {taken} of {wanted} seats taken", taken=taken, wanted=wanted)
        ]
        marks = [self.words.say(each) for each in READY_MARKS]
        wide = max(map(width_of, marks))
        for seat in view.seats:
            sits = self.words.say(
                "{name} ({kind})  key {key}",
                name=name(view, seat.seat),
                kind=who_plays(seat, self.words),
                key=seat.fingerprint,
            )
            ready = marks[not seat.ready]
            lines.append(f"  {ready}{' ' * (wide - width_of(ready))}  {sits}")
        return [*lines, *self.invitation, *self.rules(view, short=True)]

    def rules(self, view: TableView, *, short: bool) -> list[str]:
        """Return the rules in force; what differs from `official` first."""
        lines = rules_lines(view.options, view.rules_lines, short=short, words=self.words)
        if view.resilience or not short:
            lines.append(f"  {safety_line(view.resilience, self.words)}")
        return lines

    def progress(self, view: TableView) -> list[str]:
        """Return how far the deal has come, seat by seat."""
        names = ", ".join(name(view, seat) for seat in view.waiting_for)
        if view.stage is Stage.OVER:
            return []
        if view.shuffle is None:
            waiting = self.words.say(
                "Keys and hands are being made; waiting for {names}.",
                names=names or self.words.say("nobody"),
            )
            return [f"  {waiting}"]
        done = set(view.shuffle.done)
        seats = "  ".join(
            f"{name(view, shown.seat)} {self.words.say('done') if shown.seat in done else '...'}"
            for shown in view.seats
        )
        said = self.words.say(
            "shuffled and proved {done}/{total}:", done=len(done), total=view.shuffle.total
        )
        return [f"  {said}  {seats}"]

    # -- on request ----------------------------------------------------------------------------

    def legal(self, view: TableView) -> list[str]:
        """Return for each card whether it can be played, and else why not; then the other moves."""
        return legal_lines(view, self.paint)

    def score(self, view: TableView) -> list[str]:
        """Return the totals."""
        target = view.options.target
        goal = (
            self.words.say_n(
                "The match goes to {n} round won.", "The match goes to {n} rounds won.", target
            )
            if view.options.match_end == "rounds"
            else self.words.say_n(
                "The match goes to {n} point.", "The match goes to {n} points.", target
            )
        )
        lines = [f"  {name(view, seat.seat):24} {seat.total:5}" for seat in view.seats]
        return [*lines, f"  {goal}"]

    def help(self, about: str = "", options: Options | None = None) -> list[str]:
        """Return what can be typed, or what one card or command does."""
        wanted, say = about.strip().lower(), self.words.say
        if not wanted:
            return [self._help_line(what) for what in HELP]
        lines = [self._help_line(what) for what in HELP if wanted in what.replace(",", " ").split()]
        face = next((face for face in Face if face.lower() == wanted), None)
        if face is None and options is not None:
            face = named_face(wanted, options)
        if face is not None:
            lines = [f"  {say(_CARD_HELP[face.kind], card=self.paint.card(face))}"]
        if face is not None and options is not None and card_name(face, options) is not None:
            sentence = card_sentence(options.blank_cards[NAMED_BLANKS.index(face)], face)
            lines = [f"  {self.words.tell(sentence)}"]
        none = say("There is no help on '{word}'; `help` shows all.", word=clean(about[:30]))
        return lines or [f"  {none}"]

    def _help_line(self, what: str) -> str:
        """Return one thing that can be typed, and what it does; then how it is said in the language."""
        commands = [word for part in what.split(", ") for word in (part, part.split()[0])]
        own = dict.fromkeys(form for word in commands for form in self.words.typed(word)[:1])
        said = f" [{', '.join(own)}]" if own else ""
        return f"  {what:{HELP_WIDTH}} {self.words.say(HELP[what])}{said}"

    def why(self, view: TableView) -> list[str]:
        """Return what has been proved about this deal so far, and by whom."""
        return [f"  {line}" for line in why_lines(view, self.words)]

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
        return ", ".join([words.say(STAGE_WORDS[view.stage]), wait])
    if view.round.turn == view.seat:
        # Our word is said, and not yet settled.
        return ", ".join([words.say("a moment"), wait])
    return ", ".join([words.say("{name}'s turn", name=name(view, view.round.turn)), *left, wait])


def _seconds(milliseconds: int, words: Words) -> str:
    return words.say("{seconds} s", seconds=milliseconds // 1000)


LINK_WORDS: Final = (mark("up"), mark("down"), mark("connecting"))
"""How a link can be; edge says it in English."""
STAGE_WORDS: Final = {
    Stage.LOBBY: mark("lobby"),
    Stage.DEALING: mark("dealing"),
    Stage.PLAYING: mark("playing"),
    Stage.SCORING: mark("scoring"),
    Stage.OVER: mark("over"),
    Stage.STOPPED: mark("stopped"),
}


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text."""
    return "\n".join(lines)

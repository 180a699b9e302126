"""The table as a panel of a given size: seats, top card, hand, what is asked; below it the story. Pure.

It leaves out what matters least, piece by piece, until the rest fits: first the large card becomes a
smaller one, then one line; then the seats stand in a line. The last lines of the story, what is asked,
and the hand stay longest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from unop2p.repl.commands import playable_faces, sorted_hand
from unop2p.repl.fold import cut, fold, width_of
from unop2p.repl.large import card_lines
from unop2p.repl.paint import YOU, Paint, name, names
from unop2p.repl.qr import code_lines
from unop2p.repl.render import HEARD_MS, Renderer
from unop2p.repl.story import Page, Story
from unop2p.repl.terminal import Symbols
from unop2p.rules.position import Round
from unop2p.table.view import SeatView, Stage, TableView
from unop2p.words import mark

STORY_ROWS: Final = {"large": 6, "small": 4, "line": 2}
"""So many lines of the story there are to be left, for each size of the card."""
GAP: Final = "   "
SEAT_COLUMNS_MIN: Final = 22
"""Narrower than this no seat is shown in a list."""
NAME_COLUMNS_MAX: Final = 24
HAND_ROWS_MAX: Final = 6
CODE_TEXT_COLUMNS_MIN: Final = 24
"""So much room there is to be for the lobby beside a QR code."""
ROWS_BELOW: Final = 3
"""Of a window, below the panel at its largest: the story's line, the input and what is under it."""
GROUPS_FROM_ROWS: Final = 30
"""From so many rows on each color of the hand has a line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Of the place above the input line."""

    columns: int
    rows: int


class Panel:
    """Draws tables."""

    def __init__(self, render: Renderer, symbols: Symbols) -> None:
        """Take how cards and sentences look, and the signs to draw with."""
        self._render = render
        self._words = render.words
        self._paint: Paint = render.paint
        self._symbols = symbols

    def compose(self, view: TableView, story: Story, size: Size) -> list[str]:
        """Return exactly `size.rows` lines, none wider than `size.columns`."""
        panel = self.lines(view, size)
        panel = panel[: max(0, size.rows - 1)]
        height = max(1, size.rows - len(panel) - 1)
        page = story.page(size.columns, height)
        lines = [cut(line, size.columns, self._symbols.cut) for line in panel]
        if size.rows - len(panel) > 1:
            lines.append(self._rule(page, size.columns))
        lines += page.lines
        return [*lines, *([""] * (size.rows - len(lines)))][: size.rows]

    def story_rows(self, view: TableView, size: Size) -> int:
        """Return how many lines of the story can be seen."""
        return max(1, size.rows - min(len(self.lines(view, size)), size.rows - 1) - 1)

    def _rule(self, page: Page, columns: int) -> str:
        """Return the line between table and story; it says which lines can be seen."""
        line = self._symbols.line
        where = ""
        if page.total:
            template = mark("{first}-{last} of {total}")
            if page.last < page.total:
                template = mark("{first}-{last} of {total}, PgDn: more")
            said = self._words.say(template, first=page.first, last=page.last, total=page.total)
            where = f" {said} "
        if columns < width_of(where) + 6:
            return self._paint.dim(line * columns)
        return self._paint.dim(line * (columns - width_of(where) - 3) + where + line * 3)

    # -- the table -----------------------------------------------------------------------------

    def lines(self, view: TableView, size: Size) -> list[str]:
        """Return the table in as many lines as fit."""
        if view.stage is Stage.LOBBY or view.round is None or view.stage is Stage.DEALING:
            return self._before(view, size)
        state = view.round
        shapes: list[tuple[str, Callable[[], list[str]]]] = [
            ("large", lambda: self._with_card(view, state, size, large=True)),
            ("small", lambda: self._with_card(view, state, size, large=False)),
            ("line", lambda: self._in_lines(view, state, size)),
        ]
        lines: list[str] = []
        for shape, make in shapes:
            lines = make()
            widest = max(map(width_of, lines), default=0)
            if widest <= size.columns and len(lines) + 1 + STORY_ROWS[shape] <= size.rows:
                return lines
        # A very small window: what is asked, and the hand.
        asked = [self._said(view, state), *self._asked(view, size)]
        hand = self._hand(view, size)
        lines = [part for line in asked for part in fold(line, size.columns)] + hand
        whole = [*self._seat_line(view, state, size), *lines]
        return whole if len(whole) + 2 <= size.rows else lines

    def _before(self, view: TableView, size: Size) -> list[str]:
        """Return who is here and how far the deal has come, before cards are on the table."""
        if view.stage is Stage.LOBBY:
            said = self._render.lobby(view)
            if self._render.code and len(view.seats) < view.seats_wanted:
                return self._beside_code(said, size)
        else:
            stopped = [self._render.stopped(view)] if view.stage is Stage.STOPPED else []
            said = [self._title(view, size), *stopped, *self._dealing(view)]
        return [part for line in said for part in fold(line, size.columns)]

    def _beside_code(self, said: list[str], size: Size) -> list[str]:
        """Return the lobby with a QR code: text at its right, or above it, or what it would take."""
        code = code_lines(self._render.code, self._symbols, color=self._paint.allowed)
        wide = width_of(code[0])
        beside = size.columns - wide - len(GAP)
        if beside >= CODE_TEXT_COLUMNS_MIN and len(code) < size.rows:
            text = [part for line in said for part in fold(line, beside)]
            rows = zip_longest(code, text, fillvalue="")
            return [f"{left or ' ' * wide}{GAP}{right}".rstrip() for left, right in rows]
        text = [part for line in said for part in fold(line, size.columns)]
        if wide <= size.columns and len(code) + len(text) < size.rows:
            return [*code, *text]
        small = self._words.say(
            "The QR code needs a larger window: {columns} columns and {rows} lines.",
            columns=wide + len(GAP) + CODE_TEXT_COLUMNS_MIN,
            rows=len(code) + ROWS_BELOW,
        )
        return [*text, *fold(small, size.columns)]

    def _dealing(self, view: TableView) -> list[str]:
        """Return a line by seat: who has shuffled, and who is at it."""
        if view.shuffle is None:
            return self._render.progress(view)
        done = view.shuffle.done
        say = self._words.say
        title = say("The deck is shuffled, and each shuffle is proved:")
        lines = [self._paint.bold(f"  {title}")]
        wide = max((width_of(called) for called in names(view)), default=0)
        for seat in view.order or tuple(shown.seat for shown in view.seats):
            called = name(view, seat)
            called += " " * (wide - width_of(called))
            if seat in done:
                place = done.index(seat) + 1
                proved = say("shuffled, and the proof holds ({number})", number=place)
                state = f"{self._symbols.done} {proved}"
            elif seat in view.waiting_for:
                state = f"  {say('is at work')}"
            else:
                state = f"  {say('later')}"
            lines.append(f"    {called}  {state}")
        return lines

    def _title(self, view: TableView, size: Size) -> str:
        say = self._words.say
        left = say("Round {number}", number=view.round_number)
        if view.round is not None:
            down = view.round.direction == 1
            way = say("play goes down") if down else say("play goes up")
            left += f", {way} {self._symbols.down if down else self._symbols.up}"
        right = self._clock(view)
        gap = size.columns - width_of(left) - width_of(right) - 2
        if gap < 1:
            return f" {right or left}"
        return f" {self._paint.dim(left)}{' ' * gap}{self._paint.bold(right)} "

    def _clock(self, view: TableView) -> str:
        """Return who is to move, and for how long still."""
        say = self._words.say
        if view.stage is Stage.STOPPED:
            return say("stopped")
        if view.my_turn:
            said = say("YOUR MOVE")
        elif view.my_reaction:
            said = say("YOU MAY REACT")
        elif view.round is None or view.round.over or view.stage is not Stage.PLAYING:
            return say(view.stage.value)
        elif view.round.turn == view.seat:
            said = say("your turn")
        else:
            said = say("{name}'s turn", name=name(view, view.round.turn))
        if view.deadline_ms is None:
            return said
        return f"{said}, {say('{seconds} s', seconds=view.deadline_ms // 1000)}"

    def _with_card(self, view: TableView, state: Round, size: Size, *, large: bool) -> list[str]:
        """Return the table with the top card drawn, and the seats beside it."""
        card = card_lines(state.top, self._paint, self._symbols, large=large)
        wide = width_of(card[0])
        seats = self._seat_list(view, state, size.columns - wide - 3, len(card))
        height = max(len(card), len(seats))
        blank = " " * wide
        card += [blank] * (height - len(card))
        seats += [""] * (height - len(seats))
        beside = [f" {one}  {other}" for one, other in zip(card, seats, strict=True)]
        return [
            self._title(view, size),
            *beside,
            *fold(self._said(view, state), size.columns),
            *self._hand(view, size),
            *self._asked(view, size),
        ]

    def _in_lines(self, view: TableView, state: Round, size: Size) -> list[str]:
        return [
            self._title(view, size),
            *self._seat_line(view, state, size),
            *fold(self._said(view, state), size.columns),
            *self._hand(view, size),
            *self._asked(view, size),
        ]

    def _said(self, view: TableView, state: Round) -> str:
        """Return top card, color in force, pile, and what is to be drawn."""
        top, say = state.top, self._words.say
        parts = [
            say("top {card}", card=self._render.named(view, top))
            if top is not None
            else say("no card yet"),
            say("color {color}", color=self._paint.color_name(state.color)),
            say("pile {count}", count=state.pile_count),
        ]
        if state.attack_cards:
            cards = self._words.say_n("{n} card to draw", "{n} cards to draw", state.attack_cards)
            parts.append(self._paint.bold(cards))
        return f"  {GAP.join(parts)}"

    def _asked(self, view: TableView, size: Size) -> list[str]:
        """Return what is asked of the player."""
        if view.stage is Stage.STOPPED:
            return fold(self._render.stopped(view), size.columns)
        hints = self._render.hints(view)
        return [part for line in hints for part in fold(self._paint.bold(line), size.columns)]

    # -- seats ---------------------------------------------------------------------------------

    def _seat_line(self, view: TableView, state: Round, size: Size) -> list[str]:
        return fold(self._render.seats(view, state), size.columns)

    def _seat_list(self, view: TableView, state: Round, columns: int, rows: int) -> list[str]:
        """Return the seats in turn order, from the top; in two columns where they are many."""
        order = view.order or tuple(shown.seat for shown in view.seats)
        many = len(order) > rows and columns >= 2 * SEAT_COLUMNS_MIN + 1
        width = (columns - 1) // 2 if many else columns
        wide = min(
            NAME_COLUMNS_MAX, max(width_of(self._called(view, shown)) for shown in view.seats)
        )
        cells = [self._seat(view, state, view.seats[seat], width, wide) for seat in order]
        if not many:
            return cells
        half = (len(cells) + 1) // 2
        right = [*cells[half:], ""]
        return [
            one + " " * (width + 1 - width_of(one)) + other
            for one, other in zip(cells[:half], right, strict=False)
        ]

    def _seat(self, view: TableView, state: Round, shown: SeatView, width: int, wide: int) -> str:
        """Return a seat: whether it is to move, name, cards, marks, points."""
        mark = self._symbols.turn if shown.seat == state.turn and not state.over else " "
        marks = self._marks(state, shown)
        room = width - 7 - (max(map(len, marks)) + 1 if marks else 0)
        wide = max(3, min(wide, room))
        called = cut(self._called(view, shown), wide, self._symbols.cut)
        called += " " * (wide - width_of(called))
        text = f"{mark} {called}  {shown.hand_count:>2}"
        if width > width_of(text) + 24:
            text = text[: -len(f"{shown.hand_count:>2}")]
            text += self._words.say_n("{n:>2} card ", "{n:>2} cards", shown.hand_count)
            marks = [*marks, self._words.say_n("{n} point", "{n} points", shown.total)]
        for part in marks:
            if width_of(text) + 2 + width_of(part) <= width:
                text += f"  {part}"
            elif width_of(text) + 1 + width_of(part) <= width:
                text += f" {part}"
        return self._paint.bold(text) if mark != " " else text

    def _called(self, view: TableView, shown: SeatView) -> str:
        """Return a seat's name, with whose it is."""
        called = name(view, shown.seat)
        if shown.seat != view.seat or shown.name == YOU:
            return called
        return self._words.say("{name} (you)", name=called)

    def _marks(self, state: Round, shown: SeatView) -> list[str]:
        """Return what is to be known of a seat: UNO, away, silent."""
        say = self._words.say
        marks: list[str] = []
        if shown.uno:
            marks.append(say("UNO!"))
        elif shown.catchable:
            marks.append(say("no UNO?"))
        if shown.seat in state.away:
            marks.append(say("away"))
        elif shown.seat not in state.players:
            marks.append(say("sits out"))
        elif shown.heard_ms is not None and shown.heard_ms >= HEARD_MS:
            marks.append(say("silent {seconds} s", seconds=shown.heard_ms // 1000))
        return marks

    # -- the hand ------------------------------------------------------------------------------

    def _hand(self, view: TableView, size: Size) -> list[str]:
        """Return the hand by color; what can be played stands out, and has a star."""
        if view.seat is None:
            return []
        if not view.hand:
            return [f"  {self._words.say('You hold no cards.')}"]
        groups = self._groups(view)
        if size.rows >= GROUPS_FROM_ROWS:
            wide = max(width_of(title) for title, _ in groups)
            lines = [
                part
                for title, cards in groups
                for part in fold(
                    f"  {title}{' ' * (wide - width_of(title))}  {'  '.join(cards)}", size.columns
                )
            ]
            if len(lines) <= HAND_ROWS_MAX:
                return lines
        lines = flow(
            f"  {self._words.say('hand')}  ",
            [cards for _, cards in groups],
            size.columns,
            self._symbols.bar,
        )
        most = max(1, min(HAND_ROWS_MAX, size.rows // 3))
        if len(lines) > most:
            lines = [
                *lines[: most - 1],
                cut(lines[most - 1], size.columns - 12, "") + "  ... `hand`",
            ]
        return lines

    def _groups(self, view: TableView) -> list[tuple[str, list[str]]]:
        playable = set(playable_faces(view)) if view.my_turn or view.my_reaction else set()
        groups: dict[str, list[str]] = {}
        for index, face in enumerate(sorted_hand(view.hand), 1):
            title = self._words.say(face.color.word if face.color is not None else mark("wild"))
            look = self._paint.card
            if view.my_turn:
                look = self._paint.playable if face in playable else self._paint.quiet
            shown = self._render.named(view, face, look)
            groups.setdefault(title, []).append(f"{index}:{shown}{'*' if face in playable else ''}")
        return list(groups.items())


def flow(title: str, groups: Sequence[Sequence[str]], columns: int, bar: str) -> list[str]:
    """Return groups one after the other, in lines that break between cards.

    >>> flow("  hand  ", [["1:R1", "2:R2"], ["3:G3"]], 22, "|")
    ['  hand  1:R1  2:R2', '        3:G3']
    """
    lines, current = [], title
    hang = " " * width_of(title)
    for number, group in enumerate(groups):
        for place, card in enumerate(group):
            before = "" if current in (title, hang) else "  "
            if before and number and not place:
                before = f" {bar} "
            if before and width_of(current) + width_of(before) + width_of(card) > columns:
                lines.append(current)
                current, before = hang, ""
            current += before + card
    return [*lines, current]

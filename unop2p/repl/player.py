"""Stepping through a record: what is shown at each place, as lines; and the keys that move on.

`Player` is pure: keys and time come in as calls. `run_player` puts it on a terminal, `plain_lines` prints
it for pipes and screen readers.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output

from unop2p.ids import Seat
from unop2p.repl.commands import sorted_hand
from unop2p.repl.direction import drawn_line
from unop2p.repl.fold import fold, fold_fields
from unop2p.repl.paint import name
from unop2p.repl.render import Renderer
from unop2p.repl.replay import Replay, Seen
from unop2p.words import mark

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""How many times as fast as usual."""
USUAL: Final = SPEEDS.index(1.0)
STEP_S: Final = 1.5
"""How long a step stands, at the usual speed: time to read a sentence and look at the cards."""
TITLE_LINES: Final = 2
KEYS_HELP: Final = mark(
    "space play or pause | left, right step | up, down round | number, Enter: that round | "
    "+ - speed | v whose cards | o all hands | q quit"
)


class Player:
    """Where one stands in a record, and how one looks at it."""

    def __init__(self, replay: Replay, renderer: Renderer, seat: Seat | None = None) -> None:
        """Take a record, which has a frame at least, and through whose eyes it is seen."""
        self._replay = replay
        self._render = renderer
        self.seat = seat
        self.open_hands = False
        self.playing = False
        self.speed = USUAL
        self.typed = ""
        """Digits of the round that is to be jumped to."""
        # A step of which nothing is told is none to look at.
        self.stops = [
            place for place in range(len(replay.frames)) if self._told(place) or place == 0
        ]
        self.at = 0
        """Which of the stops."""

    # -- moving --------------------------------------------------------------------------------

    @property
    def place(self) -> int:
        """Which frame is shown."""
        return self.stops[self.at]

    @property
    def at_end(self) -> bool:
        """Whether nothing comes any more."""
        return self.at == len(self.stops) - 1

    @property
    def wait_s(self) -> float:
        """How long the frame stands while it plays."""
        return STEP_S / SPEEDS[self.speed]

    def step(self, count: int) -> None:
        """Go on, or back where it is below 0, as far as there is a stop."""
        self.at = min(max(0, self.at + count), len(self.stops) - 1)

    def tick(self) -> None:
        """Go on by itself; at the end it pauses."""
        self.step(1)
        if self.at_end:
            self.playing = False

    def go(self, place: int) -> None:
        """Go to a frame, or the next one of which something is told."""
        later = [at for at, stop in enumerate(self.stops) if stop >= place]
        self.at = later[0] if later else len(self.stops) - 1

    def to_round(self, number: int) -> bool:
        """Go to where a round begins; return whether there is such a round."""
        begins = self._replay.rounds()
        if not 1 <= number <= len(begins):
            return False
        self.go(begins[number - 1])
        return True

    def next_round(self, count: int) -> None:
        """Go to the beginning of the next round, or of this or the one before."""
        begins = self._replay.rounds()
        if count > 0:
            later = [begin for begin in begins if begin > self.place]
            self.go(later[0] if later else self.stops[-1])
        else:
            before = [begin for begin in begins if begin < self.place]
            self.go(before[-1] if before else 0)

    def faster(self, count: int) -> None:
        """Play faster, or slower where it is below 0."""
        self.speed = min(max(0, self.speed + count), len(SPEEDS) - 1)

    def next_seat(self) -> None:
        """Look through the next seat's eyes; after the last one as a spectator."""
        seats = len(self._replay.names)
        following = 0 if self.seat is None else self.seat + 1
        self.seat = Seat(following) if following < seats else None

    # -- showing -------------------------------------------------------------------------------

    def seen(self, place: int | None = None) -> Seen:
        """Return what is seen of a frame; of the one that is shown where none is named."""
        return self._replay.seen_by(self.place if place is None else place, self.seat)

    def _told(self, place: int) -> list[str]:
        seen = self._replay.seen_by(place, self.seat)
        return [line for told in seen.told for line in self._render.notice(told, seen.view)]

    def table(self) -> list[str]:
        """Return the table as it stands, with the hands that are to be shown."""
        seen = self.seen()
        lines = self._render.table(seen.view)
        if self.seat is not None and seen.unknown:
            lines.append(f"  {self._never_opened(seen.unknown)}")
        if self.open_hands:
            lines += self._hands()
        return lines

    def _never_opened(self, count: int) -> str:
        return self._render.words.say_n(
            "and {n} card that was never opened: it was shuffled into another hand",
            "and {n} cards that were never opened: they were shuffled into other hands",
            count,
        )

    def _hands(self) -> list[str]:
        lines = []
        for index in range(len(self._replay.names)):
            seen = self._replay.seen_by(self.place, Seat(index))
            cards = self._render.paint.cards(sorted_hand(seen.view.hand))
            unknown = " ?" * seen.unknown
            if index != self.seat and (cards or unknown):
                lines.append(f"  {name(seen.view, index)}  {cards}{unknown}")
        return lines

    def events(self, count: int) -> list[str]:
        """Return the last things told, up to the place that is shown."""
        lines: list[str] = []
        for at in range(self.at, -1, -1):
            lines = [*self._told(self.stops[at]), *lines]
            if len(lines) >= count:
                break
        return lines[-count:] if count > 0 else []

    def events_here(self) -> list[str]:
        """Return what is told of the frame that is shown."""
        return self._told(self.place)

    def hand_line(self) -> str:
        """Return the hand that is shown, as a line."""
        seen = self.seen()
        line = self._render.hand(seen.view).strip()
        return f"{line}  {self._never_opened(seen.unknown)}" if seen.unknown else line

    def status(self) -> str:
        """Return where one stands."""
        words, view = self._render.words, self.seen().view
        whose = words.say("a spectator")
        if self.seat is not None:
            whose = name(self.seen().view, self.seat)
        going = words.say("playing") if self.playing else words.say("paused")
        said = words.say(
            "step {step} of {steps} | round {round} of {rounds} | {going} | speed {speed} | "
            "seen by {whose}",
            step=view.step,
            steps=self._replay.frames[-1].step,
            round=min(view.round_number, len(self._replay.rounds())),
            rounds=len(self._replay.rounds()),
            going=going,
            speed=f"x{SPEEDS[self.speed]:g}",
            whose=whose,
        )
        return f"{said} | {words.say('to round')} {self.typed}_" if self.typed else said

    def screen(self, rows: int, columns: int) -> list[str]:
        """Return what fills a terminal: what happened, the table, where one stands, the keys."""
        foot = [
            *(self._render.paint.bold(line) for line in fold_fields(self.status(), columns)),
            *fold_fields(self._render.words.say(KEYS_HELP), columns),
        ]
        table = [part for line in self.table() for part in fold(line, columns)]
        room = max(1, rows - len(table) - len(foot) - TITLE_LINES)
        told = [part for line in self.events(room) for part in fold(line, columns)][-room:]
        gap = [""] * max(1, rows - len(told) - len(table) - len(foot) - 1)
        return [*told, "", *table, *gap, *foot][-rows:]


def plain_lines(player: Player, *, last: int | None = None) -> Iterator[str]:
    """Yield all that is told from where a player stands, a step to a line, and one's own hand.

    Args:
        player: where it begins.
        last: the frame before which it ends; None for the end of the record.
    """
    held: tuple[str, ...] | None = None
    while last is None or player.place < last:
        seen = player.seen()
        for told in player.events_here():
            yield f"{seen.view.step:5}  {told}"
        hand = tuple(sorted_hand(seen.view.hand))
        if player.seat is not None and hand != held and hand:
            yield f"       {player.hand_line()}"
        held = hand
        if player.at_end:
            return
        player.step(1)


async def run_player(
    player: Player,
    *,
    terminal: tuple[Input, Output] | None = None,
    arrange: Callable[[str], str] = str,
) -> None:
    """Show a record on a terminal until the person has seen enough."""
    source, sink = terminal or (None, None)

    def text() -> ANSI:
        size = app.output.get_size()
        return ANSI(
            "\n".join(drawn_line(arrange(line)) for line in player.screen(size.rows, size.columns))
        )

    app: Application[None] = Application(
        layout=Layout(Window(FormattedTextControl(text, show_cursor=False))),
        key_bindings=player_keys(player),
        full_screen=True,
        input=source,
        output=sink,
    )
    playing = asyncio.create_task(_play(player, app))
    try:
        await app.run_async()
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _play(player: Player, app: "Application[None]") -> None:
    """Go on by itself for as long as it plays."""
    while True:
        await asyncio.sleep(player.wait_s if player.playing else STEP_S / SPEEDS[-1])
        if player.playing:
            player.tick()
            app.invalidate()


def player_keys(player: Player) -> KeyBindings:
    """Return what keys do."""
    bindings = KeyBindings()

    def on(*keys: str) -> Callable[[Callable[[], None]], None]:
        def bind(act: Callable[[], None]) -> None:
            def pressed(_event: KeyPressEvent) -> None:
                act()

            for key in keys:
                bindings.add(key)(pressed)

        return bind

    on("right", "n", "l")(lambda: _by_hand(player, 1))
    on("left", "p", "h")(lambda: _by_hand(player, -1))
    on("down", "pagedown")(lambda: player.next_round(1))
    on("up", "pageup")(lambda: player.next_round(-1))
    on("home")(lambda: player.go(0))
    on("end")(lambda: player.go(player.stops[-1]))
    on("+", "=")(lambda: player.faster(1))
    on("-", "_")(lambda: player.faster(-1))
    on("v")(player.next_seat)
    for digit in "0123456789":
        on(digit)(partial(_type, player, digit))
    on("backspace")(lambda: _type(player, ""))
    on("enter", "c-j")(lambda: _jump(player))
    on("space")(lambda: _toggle(player))
    on("o")(lambda: _open(player))

    @bindings.add("q")
    @bindings.add("c-c")
    @bindings.add("c-d")
    def leave(event: KeyPressEvent) -> None:
        event.app.exit()

    return bindings


def _by_hand(player: Player, count: int) -> None:
    player.playing = False
    player.step(count)


def _type(player: Player, digit: str) -> None:
    player.typed = (player.typed + digit)[:4] if digit else player.typed[:-1]


def _jump(player: Player) -> None:
    if player.typed:
        player.to_round(int(player.typed))
    player.typed = ""


def _toggle(player: Player) -> None:
    if player.at_end:
        player.go(0)
    player.playing = not player.playing


def _open(player: Player) -> None:
    player.open_hands = not player.open_hands

"""What a screen has shown is held against the record of the game: in its language, in the order of its terminal."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.tongues import CARD, ME, Look, Window
from unop2p.ids import Seat
from unop2p.repl.replay import read_replay
from unop2p.rules.cards import Face
from unop2p.rules.legal import why_not
from unop2p.rules.position import Round
from unop2p.table.view import Stage, TableView

ORDER = "RYGBW"
COLOR = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}


@dataclass(frozen=True)
class Known:
    """The table before one step, as the record has it in hindsight."""

    view: TableView
    state: Round
    hand: tuple[Face, ...]
    unknown: int
    """Cards of the own hand that were shuffled on before anybody opened them."""


def known(record: Path) -> dict[int, Known]:
    """Return the table at every step of the rounds in a record."""
    with record.open("rb") as lines:
        replay = read_replay(lines)
    assert not replay.wrong
    me = Seat(replay.names.index(ME))
    found: dict[int, Known] = {}
    for place, frame in enumerate(replay.frames):
        seen = replay.seen_by(place, me)
        view = seen.view
        if view.round is not None and view.stage is Stage.PLAYING:
            # What one step leaves behind is seen while the next is made.
            found[frame.step + 1] = Known(view, view.round, view.hand, seen.unknown)
    return found


def middle(window: Window, table: Known, gap: str, *, turn: bool = False) -> str:
    """Return the line with the top card as it has to stand there, with whose turn it is or without."""
    say, state = window.words.say, table.state
    # A Wild that is turned up first has none until it is named.
    color = say(COLOR[state.color.value] if state.color is not None else "no color yet")
    parts = [
        say("top {card}", card=state.top),
        say("color {color}", color=color),
        say("pile {count}", count=state.pile_count),
    ]
    if turn and not state.over:
        name = table.view.seats[state.turn].name
        parts.append(say("your turn") if name == ME else say("{name}'s turn", name=name))
    if state.attack_cards:
        parts.append(
            window.words.say_n("{n} card to draw", "{n} cards to draw", state.attack_cards)
        )
    return window.as_shown(f"  {gap.join(parts)}")


def held_against(window: Window, looks: list[Look], tables: Mapping[int, Known]) -> int:
    """Compare every look at the drawn table with the game; return how many were compared."""
    compared = 0
    for look in looks:
        table = tables.get(look.step)
        if table is None or table.state.top is None:
            continue
        the_table_is_that_of_the_game(window, look, table)
        the_screen_is_whole(window, look, table)
        compared += 1
    return compared


def the_table_is_that_of_the_game(window: Window, look: Look, table: Known) -> None:
    """Seats in turn order with their cards, top card, color, pile, and the hand by color."""
    shown = "\n".join(look.lines)
    view, state = table.view, table.state
    # A long line goes on in the next row of a narrow window.
    assert " ".join(middle(window, table, "   ").split()) in " ".join(shown.split()), shown
    rows = []
    for seat in view.order:
        name = view.seats[seat].name
        called = window.shows("{name} (you)", name=name) if name == ME else name
        cards = window.as_shown(
            window.words.say_n("{n:>2} card ", "{n:>2} cards", view.seats[seat].hand_count).strip()
        )
        mark = "▶" if seat == state.turn and not state.over else " "
        wanted = re.compile(rf"{mark} {re.escape(called)} +{re.escape(cards)}(?: |$)")
        found = [row for row, line in enumerate(look.lines[:20]) if wanted.search(line)]
        assert len(found) == 1, f"{wanted.pattern}\n{shown}"
        rows += found
    assert rows == sorted(rows), shown
    the_hand_is_that_of_the_game(look.lines, table, shown)


def the_hand_is_that_of_the_game(lines: tuple[str, ...], table: Known, shown: str) -> None:
    """All cards are there, numbered and by color; a star has what the rules allow, and nothing else."""
    cards = [(int(place), face, star) for line in lines for place, face, star in numbered(line)]
    faces = [face for _, face, _ in cards]
    assert [place for place, _, _ in cards] == list(range(1, len(cards) + 1)), shown
    assert len(faces) == len(table.hand) + table.unknown, shown
    assert not Counter(map(str, table.hand)) - Counter(faces), shown
    colors = [ORDER.index(face[0]) for face in faces]
    assert colors == sorted(colors), shown
    state = table.state
    stars = {face for _, face, star in cards if star}
    if stars and not table.unknown:
        mine = Seat(table.view.seat or 0)
        allowed = {
            face
            for face in table.hand
            if why_not(state, mine, face, table.hand, table.hand[-1]) is None
        }
        assert stars <= allowed, shown


def numbered(line: str) -> list[tuple[str, str, str]]:
    """Return place, card and star of the cards of a hand in a line."""
    found = [(place, card, star) for place, card, star in _NUMBERED.findall(line)]
    assert len(found) == len(CARD.findall(line))
    return found


_NUMBERED = re.compile(r"(\d+):([RYGBW][0-9A-Z+]*)(\*?)(?= |$)")


def the_screen_is_whole(window: Window, look: Look, table: Known) -> None:
    """Nothing is torn, cut off or broken: every row is where it belongs, and as wide as the window."""
    shown = "\n".join(look.lines)
    lines = look.lines
    assert len(lines) == look.rows
    assert all(len(line) <= look.columns for line in lines), shown
    assert "…" not in shown, shown
    title = window.shows("Round {number}", number=table.view.round_number)
    assert title in lines[0] or title.partition(" ")[2] in lines[0], shown
    rules = [row for row, line in enumerate(lines) if line[:2] == line[-2:] == "──"]
    assert len(rules) == 1, shown
    assert len(lines[rules[0]]) == look.columns, shown
    prompts = [row for row, line in enumerate(lines) if ">" in line]
    assert prompts == [look.rows - 2], shown
    up = window.shows("broker {link}", link=window.words.say("up"))
    assert lines[-1].startswith(f" {up} | "), shown
    assert "│" not in "".join(lines[rules[0] :]), shown


def appended_against(window: Window, lines: list[str], tables: Mapping[int, Known]) -> int:
    """Compare every table that was appended with the game; return how many were compared."""
    compared = 0
    for step, table in tables.items():
        heading = window.as_shown(_heading(window, step, table.view))
        if table.state.top is None or heading not in lines:
            continue
        place = lines.index(heading)
        _, seats, top, *hand = lines[place : place + 5]
        shown = "\n".join(lines[place : place + 6])
        assert seats == window.as_shown(_seats(window, table)), shown
        assert top == middle(window, table, "  ", turn=True), shown
        the_hand_is_that_of_the_game(tuple(hand[:1]), table, shown)
        compared += 1
    return compared


def _heading(window: Window, step: int, view: TableView) -> str:
    score = ", ".join(f"{seat.name} {seat.total}" for seat in view.seats)
    return window.words.say(
        "-- round {number}, step {step} -- score: {score}",
        number=view.round_number,
        step=step,
        score=score,
    )


def _seats(window: Window, table: Known) -> str:
    say, state, parts = window.words.say, table.state, []
    for seat in table.view.order:
        shown = table.view.seats[seat]
        text = f"{shown.name} ({say('you')})" if shown.name == ME else shown.name
        text += f": {shown.hand_count}"
        if shown.uno:
            text += " UNO!"
        elif shown.catchable:
            text += f" ({say('UNO not called')})"
        parts.append(f"[{text}]" if seat == state.turn else text)
    return f"  {'-->' if state.direction == 1 else '<--'}  {'  '.join(parts)}"

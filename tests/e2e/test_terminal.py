"""A person at a terminal, who knows nothing but what stands on the screen, plays with the real program."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip(
        "Windows has no pseudo-terminals that pexpect can open; the screen is tested on values there",
        allow_module_level=True,
    )

from tests.e2e.terminal import COLUMNS, ROWS, WIDE, YOUR_MOVE, Terminal

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(300)]

ME = "mia"
COLORS = {"R": "ff5f5f", "Y": "d7d75f", "G": "5fd75f", "B": "5fafff", "W": "d787ff"}
"""What a card is drawn in, of 256 colors."""
WANTED = ("round", "draw", "wild", "uno")
"""What has to happen in a game that the test is about: it plays on until all has."""
ROUNDS_MAX = 15
PLAY = ("play", "--name", ME, "--fast", "--level", "random", "--turn-time", "600")
_SEAT_ROW = re.compile(r"([>▶])? (\w+)(?: \(you\))? +(\d+) cards?\b")
_CARD = re.compile(r"\d+:([RYGBW][0-9A-Z+]*)(\*?)")
_SEAT = re.compile(r"(\[?)(\w+)(?: \(you\))?: (\d+)")


@dataclass
class Table:
    """What one look at the table says."""

    hand: list[str]
    stars: list[str]
    counts: dict[str, int]
    in_turn: str
    said: str
    """The line with the top card."""
    hints: str

    @property
    def top(self) -> str:
        return self.middle[0]

    @property
    def middle(self) -> tuple[str, str, str]:
        """Top card, color in force, and pile."""
        found = re.search(r"top (\S+) +color (\w+) +pile (\d+)", self.said)
        assert found, self.said
        return found[1], found[2], found[3]


@dataclass
class Player:
    """Plays from the screen alone, and keeps an account of every hand by what is told."""

    terminal: Terminal
    read: int = 0
    """So many lines above the input are read."""
    step: int = -1
    """The step of the last table."""
    answered: int = -1
    """The step in which a reaction was said."""
    hand: list[str] | None = None
    counts: dict[str, int] | None = None
    done: Counter[str] = field(default_factory=Counter)
    """How often something has happened that the test is about."""

    # -- reading -------------------------------------------------------------------------------

    @property
    def has_seen_all(self) -> bool:
        """Whether all has happened that the test is about."""
        return all(self.done[what] for what in WANTED)

    def new_lines(self) -> list[str]:
        """Return what was shown since the last time; nothing while the screen is being drawn."""
        if self.terminal.prompt() is None:
            return []
        lines = self.terminal.above()
        fresh, self.read = lines[self.read :], len(lines)
        return fresh

    def follow(self, lines: list[str]) -> Table | None:
        """Keep the account; return the last table that is shown."""
        table: Table | None = None
        for index, line in enumerate(lines):
            self.note(line)
            if line.startswith("-- round"):
                table = read_table(lines[index : index + 8])
                self.compare(table)
        return table

    def note(self, line: str) -> None:
        """Note what a line tells of hands."""
        if re.match(r"Round \d+: ", line) and "Everybody shuffles" in line:
            self.hand = self.counts = None
        elif "Round " in line and line.rstrip().endswith(".") and " out. Round" in line:
            self.done["round"] += 1
        elif line.startswith("Hands have moved"):
            self.hand = None
            self.counts = {n: int(c) for n, c in re.findall(r"(\w+) (\d+)", line)}
        elif found := re.match(r"  You held (.*)", line):
            if self.hand is not None:
                assert sorted(found[1].split()) == sorted(self.hand), line
                self.done["hand at the end"] += 1
        elif found := re.match(r"(\w+) draws? (.*)\.$", line):
            self.drew(found[1], found[2])
        elif (found := re.match(r"(\w+) plays? ([RYGBW]\S*?)[. ,]", line + " ")) and (
            "too late" not in line
        ):
            self.played(found[1], found[2])

    def drew(self, who: str, what: str) -> None:
        mine = who == "You"
        cards = what.split() if mine else []
        count = len(cards) if mine else int(what.split(maxsplit=1)[0])
        if mine and self.hand is not None:
            self.hand += cards
        if self.counts is not None:
            self.counts[ME if mine else who] += count
        self.done["drawn"] += mine

    def played(self, who: str, card: str) -> None:
        card = card.rstrip(".,")
        if who == "You" and self.hand is not None:
            self.hand.remove(card)
        if self.counts is not None:
            self.counts[ME if who == "You" else who] -= 1

    def drawn(self) -> Table | None:
        """Return the table that is drawn, when it is a new one and all that led to it is read."""
        terminal = self.terminal
        toolbar = re.search(r"\bstep (\d+)", terminal.shown()[-1])
        if terminal.plain or toolbar is None or not terminal.has_read_all:
            return None
        table = read_panel(terminal.panel())
        if table is None or int(toolbar[1]) <= self.step:
            return None
        if "You may react:" in table.hints:
            self.react(int(toolbar[1]), table.hints)
            return None
        prompt = terminal.prompt()
        if table.in_turn != ME or prompt is None or not prompt[0].endswith(YOUR_MOVE):
            return None
        self.step = int(toolbar[1])
        self.follow(self.new_lines())
        self.compare(table)
        return table

    def react(self, step: int, hints: str) -> None:
        caught = re.search(r"`(catch \w+)`", hints)
        if caught and step > self.answered and self.terminal.typed() == "":
            self.answered = step
            self.terminal.keys(f"{caught[1]}\r")
            self.done["catch"] += 1

    def compare(self, table: Table) -> None:
        """The hand and the counts that are shown are those that the account has."""
        if self.hand is not None:
            assert sorted(table.hand) == sorted(self.hand), "the hand is not what was told"
            self.done["hand compared"] += 1
        if self.counts is not None:
            assert table.counts == self.counts, "the counts are not what was told"
        self.hand, self.counts = list(table.hand), dict(table.counts)
        assert table.counts[ME] == len(table.hand)

    # -- doing ---------------------------------------------------------------------------------

    def next_turn(self) -> Table:
        """Wait until the person may move and the table for it is shown; answer reactions before."""
        found: list[Table] = []

        def ready() -> bool:
            if not self.terminal.plain:
                table = self.drawn()
                found.extend([table] if table is not None else [])
                return bool(found)
            lines = self.new_lines()
            table = self.follow(lines)
            if table is not None and table.in_turn == ME:
                found.append(table)
            for line in lines:
                if line.startswith("  You may react:") and "`catch" in line:
                    caught = re.search(r"`(catch \w+)`", line)
                    assert caught
                    self.terminal.enter(caught[1])
                    self.done["catch"] += 1
            prompt = self.terminal.prompt()
            return bool(found) and prompt is not None and prompt[0].endswith(YOUR_MOVE)

        self.terminal.wait(ready, "a turn")
        return found[-1]

    def turn(self, table: Table) -> None:
        """Choose by the screen alone, and type it."""
        if "Name the color" in table.hints:
            self.terminal.enter("color g")
        elif "is played at you" in table.hints:
            self.terminal.enter("accept")
        elif not table.stars:
            self.draw_or_keep(table)
        else:
            self.play(table)

    def draw_or_keep(self, table: Table) -> None:
        keeps = "`keep`" in table.hints
        self.terminal.enter("keep" if keeps else "draw")
        self.done["draw"] += not keeps

    def my_prompt(self) -> bool:
        prompt = self.terminal.prompt()
        return prompt is not None and prompt[0].endswith(YOUR_MOVE) and not prompt[1]

    def play(self, table: Table) -> None:
        wilds = [card for card in table.stars if card.startswith("W") and card != "WH"]
        wants_wild = not self.done["wild"] and not wilds and len(table.hand) < 10
        if "`keep`" not in table.hints and (wants_wild or not self.done["draw"]):
            self.draw_or_keep(table)  # one may draw although one could play
            return
        card = wilds[0] if wilds and not self.done["wild"] else table.stars[0]
        uno = " uno" if len(table.hand) == 2 and card != "WH" else ""
        if card.startswith("W"):
            self.terminal.ask(card.lower() + uno, "Which color?")
            self.terminal.enter("g")
            self.done["wild"] += 1
        else:
            self.terminal.enter(card.lower() + uno)
        self.done["uno"] += bool(uno)


def read_table(lines: list[str]) -> Table:
    """Read a table as it is shown, its hand perhaps on several lines."""
    hand_lines = [line for line in lines if _CARD.search(line) and "refused" not in line]
    cards = [found for line in hand_lines for found in _CARD.findall(line)]
    seats = _SEAT.findall(lines[1])
    (in_turn,) = [name for mark, name, _ in seats if mark]
    return Table(
        hand=[card for card, _ in cards],
        stars=[card for card, star in cards if star],
        counts={name: int(count) for _, name, count in seats},
        in_turn=in_turn,
        said=lines[2],
        hints=" ".join(lines[3 + len(hand_lines) :]),
    )


def read_panel(lines: list[str]) -> Table | None:
    """Read a table as it is drawn; None where there is none."""
    said = next((row for row, line in enumerate(lines) if line.startswith("  top ")), None)
    seats = [found for line in lines[:said] for found in _SEAT_ROW.findall(line)]
    if said is None or sum(bool(mark) for mark, _, _ in seats) != 1:
        return None
    hand_lines = [line for line in lines[said:] if _CARD.search(line)]
    cards = [found for line in hand_lines for found in _CARD.findall(line)]
    rest = [line for line in lines[said + 1 :] if line not in hand_lines]
    return Table(
        hand=[card for card, _ in cards],
        stars=[card for card, star in cards if star],
        counts={name: int(count) for _, name, count in seats},
        in_turn=next(name for mark, name, _ in seats if mark),
        said=lines[said],
        hints=" ".join(" ".join(rest).split()),
    )


@contextmanager
def seated(
    home: Path, *words: str, size: tuple[int, int] | None = None, **more: str
) -> Iterator[Player]:
    """Sit down at a terminal."""
    columns, rows = size or (WIDE if "--plain" in words else COLUMNS, ROWS)
    terminal = Terminal(home, *PLAY, *words, columns=columns, rows=rows, **more)
    try:
        yield Player(terminal)
    finally:
        terminal.close()


def first_ordinary_turn(player: Player) -> Table:
    """Play on until the person may play or draw: neither attacked nor asked for a color."""
    table = player.next_turn()
    while "played at you" in table.hints or "Name the color" in table.hints:
        player.turn(table)
        table = player.next_turn()
    return table


def play_until_all_is_seen(player: Player, table: Table) -> Table:
    """Play on; return the table of the turn after."""
    while not player.has_seen_all:
        assert player.done["round"] < ROUNDS_MAX, player.done
        player.turn(table)
        table = player.next_turn()
    assert player.done["hand compared"] > 5
    return table


# -- what can be asked -----------------------------------------------------------------------------


def the_screen_answers(player: Player, table: Table) -> None:
    """Help, reasons and refusals: nothing of it changes the hand."""
    terminal = player.terminal
    assert any("call UNO with the play" in line for line in terminal.ask("help", "quit"))
    assert any("official" in line for line in terminal.ask("rules", "Rules:"))
    told = terminal.ask("legal", "`draw`")  # the last line, whether or not a card fits
    for card in table.hand:
        (said,) = [line for line in told if line.split()[:1] == [card]]
        assert said.split()[1].startswith("yes" if card in table.stars else "no"), said
    for card in table.hand:
        if card not in table.stars and not card.startswith("W"):
            terminal.ask(card.lower(), f"{card} refused: it does not match {table.top}")
            break
    strange = next(
        c for c in ("R1", "G2", "B3", "Y4", "R5", "G6", "B7", "Y8") if c not in table.hand
    )
    terminal.ask(strange, f"{strange} refused: ")
    terminal.ask("xyzzy", "'xyzzy': type a card")
    (hand,) = [line for line in terminal.ask("hand", "  hand") if line.startswith("  hand")]
    assert [card for card, _ in _CARD.findall(hand)] == table.hand


def the_record_so_far_is_checked_beside_the_game(player: Player) -> None:
    terminal = player.terminal
    before = len(terminal.above())
    terminal.ask("verify", "Checked from nothing, beside the game")
    terminal.ask("hand", "  hand")
    terminal.wait(
        lambda: any("signatures were checked" in line for line in terminal.above()[before:]),
        "what came of it",
    )
    assert any("Everything holds: " in line for line in terminal.above()[before:])


def cards_show_letters_and_colors(player: Player, table: Table) -> None:
    for place, card in enumerate(table.hand, 1):
        assert player.terminal.colors_of(f"{place}:{card}") == {"default", COLORS[card[0]]}
    word = re.search(r"color (\w+)", table.said)
    assert word
    expected = {"default", COLORS[word[1][0].upper()]}
    assert player.terminal.colors_of(f"color {word[1]}") == expected


def leaving_is_asked_and_may_be_taken_back(player: Player) -> None:
    terminal = player.terminal
    for key, answer in (("\x03", "n\r"), ("\x04", "\r"), ("\x03", "what\r")):
        terminal.keys(key)
        terminal.wait(lambda: "Leave the table?" in terminal.shown()[terminal.input_row])
        terminal.keys(answer)
        terminal.wait(player.my_prompt, "the prompt again")


def a_window_of_another_size_shows_the_same(player: Player, table: Table) -> None:
    terminal = player.terminal
    for columns, rows in ((60, 18), (200, 50), (80, 24)):
        terminal.resize(rows, columns)
        same = (table.hand, table.stars, table.counts, table.in_turn, table.middle, table.hints)

        def shows_the_same(same: object = same) -> bool:
            now = read_panel(terminal.panel())
            return now is not None and same == (
                now.hand,
                now.stars,
                now.counts,
                now.in_turn,
                now.middle,
                now.hints,
            )

        terminal.wait(shows_the_same, f"the same table at {columns}x{rows}")
        assert max(map(len, terminal.shown())) <= columns
        terminal.wait(player.my_prompt, "the prompt below it")
        assert terminal.input_row == rows - 2
        said = terminal.ask("why", "audit")
        assert max(map(len, said)) <= columns
    player.new_lines()  # lines that a window loses are lost


def tab_completes_what_is_legal(player: Player, table: Table) -> None:
    """Complete a card that can be played, else `draw`; leave the line empty again."""
    terminal = player.terminal
    wanted = next((card for card in table.stars if not card.startswith("W")), "draw").lower()
    terminal.keys(wanted[:1])
    terminal.wait(lambda: terminal.typed() == wanted[:1])
    for _ in range(12):
        before = terminal.typed()
        terminal.keys("\t")
        terminal.wait(lambda before=before: terminal.typed() != before, "the next completion")  # type: ignore[misc]  # bound
        typed = terminal.typed() or ""
        card = typed.split()[0].upper()
        assert card in table.stars or not re.fullmatch(r"[RYGB][0-9SV+]+2?", card), typed
        if typed == wanted:
            break
    assert terminal.typed() == wanted
    terminal.keys("\x15")
    terminal.wait(player.my_prompt, "an empty line")


def a_half_typed_line_outlives_what_happens(player: Player, table: Table) -> Table:
    """Make a move with the beginning of a chat behind it, and end the chat a turn later."""
    terminal = player.terminal
    line = "draw" if "`draw`" in table.hints or not table.stars else table.stars[0].lower()
    line += " g" if line.startswith("w") else ""
    if "is played at you" in table.hints:
        line = "accept"
    elif "Name the color" in table.hints:
        line = "color g"
    elif "`keep`" in table.hints:
        line = "keep"
    seen = len(terminal.above())
    terminal.keys(f"{line}\rsay hel")
    table = player.next_turn()
    happened = [said for said in terminal.above()[seen:] if re.match(r"\w+ (play|draw|keep)", said)]
    assert happened, terminal.above()[seen:]
    terminal.wait(lambda: terminal.typed() == "say hel", "the half line as it was typed")
    terminal.keys("lo\x1b[31m all\r")
    terminal.wait(lambda: terminal.sees(f"<{ME}> hello all"), "the chat")
    return table


# -- the games -------------------------------------------------------------------------------------


def test_whole_rounds_are_played_at_the_screen_by_one_who_sees_nothing_else(
    tmp_path: Path,
) -> None:
    with seated(tmp_path, "--bots", "2") as player:
        terminal = player.terminal
        table = first_ordinary_turn(player)
        assert len(table.hand) >= 7
        assert terminal.sees("Rules: official.")
        assert "YOUR MOVE, " in terminal.panel()[0]
        cards_show_letters_and_colors(player, table)
        the_screen_answers(player, table)
        the_record_so_far_is_checked_beside_the_game(player)
        leaving_is_asked_and_may_be_taken_back(player)
        a_window_of_another_size_shows_the_same(player, table)
        tab_completes_what_is_legal(player, table)
        table = a_half_typed_line_outlives_what_happens(player, table)
        table = play_until_all_is_seen(player, table)
        terminal.keys("\x03")
        terminal.wait(lambda: "Leave the table?" in terminal.shown()[terminal.input_row])
        terminal.keys("\x03")
        assert terminal.end() == 3
        assert terminal.sees("`unop2p play` goes on with it")
    with seated(tmp_path, "--plain") as player:
        again = player.next_turn()
        assert (again.hand, again.middle) == (table.hand, table.middle)
        player.terminal.keys("\x03")
        assert player.terminal.end() == 3


def test_whole_rounds_are_played_in_plain_mode_without_a_code_for_the_terminal(
    tmp_path: Path,
) -> None:
    with seated(tmp_path, "--bots", "1", "--plain") as player:
        terminal = player.terminal
        table = first_ordinary_turn(player)
        the_screen_answers(player, table)
        play_until_all_is_seen(player, table)
        assert b"\x1b" not in terminal.raw
        terminal.keys("quit\r")
        assert terminal.end() == 3
        assert terminal.sees("`unop2p play` goes on with it")


def play_a_round(player: Player, table: Table, *, resize: tuple[int, int] | None = None) -> None:
    """Play to the end of a round, the window changing its size in the middle."""
    turns = 0
    while not player.done["round"]:
        player.turn(table)
        turns += 1
        table = player.next_turn()
        if turns == 3 and resize is not None:
            shown = (table.hand, table.stars, table.counts, table.in_turn, table.middle)
            player.terminal.resize(resize[1], resize[0])

            def shows_the_same(same: object = shown) -> bool:
                now = read_panel(player.terminal.panel())
                return now is not None and same == (
                    now.hand,
                    now.stars,
                    now.counts,
                    now.in_turn,
                    now.middle,
                )

            player.terminal.wait(shows_the_same, "the same table in a window of another size")
            player.terminal.wait(lambda: player.terminal.has_read_all, "its story")
            player.new_lines()
        if not player.terminal.plain:
            the_screen_is_whole(player.terminal)
    assert player.done["hand compared"] > 3


def the_screen_is_whole(terminal: Terminal) -> None:
    """Every row is where it belongs, whatever has happened."""
    lines = terminal.shown()
    rule = terminal.rule_row()
    assert rule is not None
    assert lines[0].startswith(" Round ")
    assert YOUR_MOVE in lines[-2]
    assert lines[-1].startswith(" broker up | heard ")
    assert sum("your move>" in line for line in lines) == 1
    assert any(line.startswith("  top ") for line in lines[:rule])


def test_a_round_is_played_in_the_smallest_window_in_ascii_and_on_in_the_largest(
    tmp_path: Path,
) -> None:
    with seated(tmp_path, "--bots", "2", size=(60, 18), LC_ALL="C") as player:
        table = first_ordinary_turn(player)
        assert player.terminal.panel()[1].startswith(" .-------.")
        play_a_round(player, table, resize=(200, 50))
        assert all(line.isascii() for line in player.terminal.shown())
        assert b"\x1b[2J" not in player.terminal.raw.split(b"wait>")[-1]


def test_a_round_is_played_in_the_largest_window_and_on_in_the_smallest(tmp_path: Path) -> None:
    with seated(tmp_path, "--bots", "1", size=(200, 50), LC_ALL="C.UTF-8") as player:
        table = first_ordinary_turn(player)
        assert player.terminal.panel()[1].startswith(" ╭─────────────╮")
        play_a_round(player, table, resize=(60, 18))


@pytest.mark.parametrize("size", [(60, 18), (200, 50)], ids=["60x18", "200x50"])
def test_a_round_is_played_in_plain_mode_in_a_window_that_breaks_lines(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with seated(tmp_path, "--bots", "1", "--plain", size=size) as player:
        table = first_ordinary_turn(player)
        play_a_round(player, table)
        terminal = player.terminal
        terminal.ask("why", "audit")
        terminal.wait(
            lambda: (
                terminal.shown() == [line.rstrip() for line in terminal.broken_lines()]
                or len(terminal.broken_lines()) < size[1]
            ),
            "what was appended, and nothing else",
        )
        assert b"\x1b" not in terminal.raw

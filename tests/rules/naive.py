"""A second, plain reading of the rules, from the rules page alone, as simple as can be.

One object that changes, cards and moves as text, options as a dict. It shares no code with the
engine. Shuffling does nothing here, so that both can be laid side by side card by card.
"""

from typing import Any

from tests.rules.naive_cards import ALL_CARDS, COLORS, HEAD_COUNT, lies_on, mark, worth


class Refused(Exception):
    """Not allowed; `foul` where the table fines it."""

    def __init__(self, *, foul: bool = False) -> None:
        super().__init__()
        self.foul = foul


class Game:
    """One round. `asked` is `turn`, `react` or `over`."""

    def __init__(self, options: dict[str, Any], seats: int, dealer: int, deck: list[str]) -> None:
        self.o = options
        self.n = seats
        plain = {"swap_hands": ["swap hands"], "others_draw_one": ["draw 1 others"]}
        self.blanks = {"WB": ["choose color", *plain.get(options["blank_effect"], [])]}
        for number, line in enumerate(options["blank_cards"], start=1):
            self.blanks[f"WB{number}"] = line.split(": ")[1].split(", ")
        self.deck = list(deck)
        self.pile = list(deck)
        self.disc: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.dealer = dealer
        self.dir = 1
        self.color = ""
        self.asked = "turn"
        self.drawn: str | None = None
        self.faced: dict[str, Any] | None = None  # the attack on the seat in turn
        self.naming = False
        self.silent: int | None = None
        self.called: set[int] = set()
        self.fined: set[int] = set()
        self.stuck = 0
        self.pending = ""  # what the last card still does
        self.target: int | None = None
        self.actor: int | None = None
        self.winner: int | None = None
        self.blocked = False
        for _ in range(7):
            for step in range(1, seats + 1):
                self.hands[(dealer + step) % seats].append(self.pile.pop(0))
        self.turn_up()

    # -- the first card

    def turn_up(self) -> None:
        left = (self.dealer + 1) % self.n
        right = (self.dealer - 1) % self.n
        while True:
            card = self.pile.pop(0)
            if card[0] != "W" or (card == "W" and self.o["first_wild"] == "choose_color"):
                break
            if self.o["first_wild"] == "bury_middle":
                self.pile.insert(len(self.pile) // 2, card)
            else:
                self.pile.append(card)
        self.disc = [card]
        self.turn = left
        self.color = card[0]
        rule, m = self.o["first_action"], mark(card)
        if card == "W":
            self.color = ""
            self.naming = True
        elif rule == "as_played" and not m.isdigit():
            self.strike(self.dealer, m, 0)
        elif rule == "official" and m in {"S", "+2"}:
            if m == "+2":
                self.take(left, 2)
            self.turn = (left + 1) % self.n
        elif m == "V" and rule in {"official", "reverse_only"}:
            self.dir = -1
            self.turn = self.dealer if rule == "official" else right

    # -- cards from the pile

    def take(self, seat: int, count: int) -> int:
        for got in range(count):
            if not self.pile:
                self.pile, self.disc = self.disc[:-1], self.disc[-1:]
            if not self.pile:
                return got
            self.hands[seat].append(self.pile.pop(0))
        return count

    # -- which cards may be played

    def fits_top(self, card: str) -> bool:
        return lies_on(card, self.disc[-1], self.color, self.o["symbol_match"])

    def lawful(self, card: str, rest: list[str]) -> bool:
        """Whether the other cards of the hand allow this one."""
        colored = any(c[0] != "W" and self.fits_top(c) for c in rest)
        if card == "W4":
            match self.o["wd4_condition"]:
                case "no_color":
                    return not any(c[0] == self.color for c in rest)
                case "no_colored_match":
                    return not colored
                case "no_other_playable":
                    return not colored and not any(c[0] == "W" and c != "W4" for c in rest)
            return True
        if card[0] == "W" and self.o["wild_condition"] == "no_colored_match":
            return not colored
        return True

    def usable(self, seat: int, card: str) -> bool:
        rest = list(self.hands[seat])
        rest.remove(card)
        return self.fits_top(card) and self.lawful(card, rest)

    def answers(self, card: str) -> bool:
        assert self.faced
        attacker, m = self.faced["mark"], mark(card)
        if attacker in {"S", "V"}:
            return bool(m == attacker)
        if self.o["stacking"] == "none" or m not in HEAD_COUNT:
            return False
        words = {"+2": "two", "W4": "four"}
        if f"{words[m]}_on_{words[attacker]}" not in self.o["stack_on"]:
            return False
        return (m, attacker) != ("+2", "W4") or card[0] == self.color

    def answerable(self) -> bool:
        if self.faced is None:
            return False
        return self.faced["doubt"] is not None or any(self.answers(card) for card in ALL_CARDS)

    def moves_hands(self, card: str) -> str:
        moves, m = self.o["hand_moves"], mark(card)
        if m == "0" and "zero_rotates" in moves:
            return "rotate"
        if (m == "0" and "zero_swaps" in moves) or (m == "7" and "seven_swaps" in moves):
            return "swap"
        if m == "WX":
            return "swap"
        for effect in self.blanks.get(m, []):
            if effect.endswith(" hands"):
                return effect.split()[0]
        return "shuffle" if m == "WH" else ""

    def names_color(self, card: str) -> bool:
        return card[0] == "W" and "choose color" in self.blanks.get(card, ["choose color"])

    def needs_seat(self, card: str, left: int) -> bool:
        """Whether a seat is chosen with a card that leaves so many."""
        moved = self.moves_hands(card)
        if not left and moved != "shuffle":
            return False
        chosen = any(effect.endswith(" chosen") for effect in self.blanks.get(card, []))
        return moved == "swap" or chosen

    def pairable(self, card: str) -> bool:
        if card[0] == "W" or self.o["play_pairs"] == "off":
            return False
        return self.o["play_pairs"] == "colored" or card[1:].isdigit()

    def jumpable(self) -> bool:
        top = self.disc[-1]
        if self.o["jump_in"] == "off" or top[0] == "W" or self.answerable():
            return False
        if self.o["jump_in"] == "numbers" and not top[1:].isdigit():
            return False
        return self.deck.count(top) > self.disc.count(top)

    # -- moves as text: `play R7`, `play R7 R7`, `play W:G`, `play R7 s2 uno`, ...

    def texts(self, seat: int) -> list[str]:
        """Return everything well formed that a seat could try, legal or not."""
        found = ["draw", "pass", "accept", "challenge", "uno"]
        found += [f"color {color}" for color in COLORS]
        found += [f"catch s{other}" for other in range(self.n)]
        for card in sorted(set(self.hands[seat])):
            for count in range(1, min(2, self.hands[seat].count(card)) + 1):
                left = len(self.hands[seat]) - count
                heads = [f"{card}:{c}" for c in COLORS] if self.names_color(card) else [card]
                for head in heads:
                    text = " ".join(["play", *[card] * (count - 1), head])
                    for tail in self.tails(seat, card, left):
                        found.append(text + tail)
            if "discard color" in self.blanks.get(card, []):
                heads = [f"{card}:{c}" for c in COLORS] if self.names_color(card) else [card]
                for along in self.along(seat):
                    left = len(self.hands[seat]) - 1 - len(along)
                    for head in heads:
                        text = " ".join(["play", head, *along])
                        found += [text + tail for tail in self.tails(seat, card, left)]
        return found

    def along(self, seat: int) -> list[list[str]]:
        """Return all cards of each color, and all but one."""
        found = []
        for color in COLORS:
            held = [card for card in ALL_CARDS for _ in range(self.hands[seat].count(card))]
            held = [card for card in held if card[0] == color]
            found += [group for group in (held, held[1:]) if group]
        return found

    def tails(self, seat: int, card: str, left: int) -> list[str]:
        """Return what may stand behind the cards: a chosen seat, a call."""
        seats = [""]
        if self.needs_seat(card, left):
            seats = [f" s{other}" for other in range(self.n) if other != seat]
        if left == 1 and self.o["uno_penalty"] and not self.moves_hands(card):
            return [tail + call for tail in seats for call in ("", " uno")]
        return seats

    def read(self, text: str) -> tuple[list[str], str, int | None, bool]:
        words = text.split()[1:]
        uno = words[-1] == "uno"
        if uno:
            words.pop()
        target = int(words.pop()[1:]) if words[-1][0] == "s" else None
        color = (words[0].partition(":")[2] or words[-1].partition(":")[2])[:1]
        return [word.partition(":")[0] for word in words], color, target, uno

    def legal(self, seat: int) -> set[str]:
        found = set()
        for text in self.texts(seat):
            if text == "draw" and self.faced and self.asked == "turn":
                continue  # the same as `accept`
            try:
                self.check(seat, text)
            except Refused:
                continue
            found.add(text)
        return found

    def check(self, seat: int, text: str) -> None:
        """Raise where a move is not allowed."""
        word = text.split(maxsplit=1)[0]
        if self.asked == "over":
            raise Refused
        if self.asked == "react":
            fine = False
            if word == "uno":
                fine = self.silent == seat and self.o["uno_deadline"] == "until_caught"
            elif word == "catch":
                fine = text == f"catch s{self.silent}" and self.silent != seat
            elif word == "play":
                cards = self.read(text)[0]
                fine = cards == [self.disc[-1]] and seat != self.actor and self.jumpable()
            if not fine:
                raise Refused
            return
        if word in {"uno", "catch"}:
            raise Refused(foul=True)
        if seat != self.turn:
            raise Refused
        if word == "play":
            self.check_play(seat, *self.read(text))
            return
        allowed = False
        if self.naming:
            allowed = word == "color"
        elif self.faced:
            allowed = word in {"draw", "accept"} or (
                word == "challenge" and self.faced["doubt"] is not None
            )
        elif self.drawn:
            usable = self.usable(seat, self.drawn)
            if word == "pass":
                allowed = not (usable and self.o["drawn_card"] == "must_play")
                allowed = allowed and (usable or not self.o["draw_until_playable"])
            elif word == "draw":
                allowed = self.o["draw_until_playable"] and not usable
        elif word == "draw":
            able = any(self.usable(seat, card) for card in self.hands[seat])
            allowed = self.o["voluntary_draw"] or not able
        if not allowed:
            raise Refused

    def check_play(
        self, seat: int, cards: list[str], color: str, target: int | None, uno: bool
    ) -> None:
        card = cards[0]
        if self.naming:
            raise Refused
        pair = cards[1:] == [card]
        if pair and self.deck.count(card) < 2:
            raise Refused
        if pair and not (self.pairable(card) and not self.drawn and not self.faced):
            raise Refused(foul=True)
        if self.faced:
            if not self.answers(card):
                raise Refused(foul=True)
            return
        if not self.fits_top(card):
            raise Refused(foul=True)
        if self.drawn and card != self.drawn:
            raise Refused
        rest = list(self.hands[seat])
        for one in cards:
            rest.remove(one)
        if not pair and any(held[0] == other[0] for held in rest for other in cards[1:]):
            raise Refused
        seen = rest if pair else rest + cards[1:]
        if not self.lawful(card, seen) and not (card == "W4" and self.o["wd4_challenge"] != "off"):
            raise Refused

    # -- what moves do

    def do(self, seat: int, text: str) -> str:
        """Make a move of a turn; return `accepted`, `refused` or `fouled`."""
        try:
            self.check(seat, text)
        except Refused as refused:
            if not (refused.foul and self.o["foul_penalty"]) or seat in self.fined:
                return "refused"
            self.fined.add(seat)
            self.take(seat, self.o["foul_penalty"])
            self.tidy()
            return "fouled"
        word, _, rest = text.partition(" ")
        faced, self.faced = self.faced, None if word != "challenge" else self.faced
        if word == "play":
            self.faced = faced
            self.put(seat, *self.read(text))
        elif word == "color":
            self.naming = False
            self.color = rest
            self.new_turn(self.turn)
        elif word == "pass":
            self.new_turn(self.step(seat, 1))
        elif word == "challenge":
            self.settle_challenge(seat)
        elif faced:
            self.take(seat, faced["count"])
            after = self.step(seat, 1)
            if faced["mark"] == "V" and self.n > 2:
                after = self.step(faced["by"], 1)
            elif faced["mark"] == "V":
                after = faced["by"]
            self.new_turn(after)
        else:
            self.draw(seat)
        self.tidy()
        return "accepted"

    def draw(self, seat: int) -> None:
        """Draw once, or until a card fits; pass on where nothing else is left (no choice)."""
        while True:
            if not self.take(seat, 1):
                if self.drawn is None:
                    self.stuck += 1
                if self.stuck >= self.n:
                    self.blocked = True
                    self.asked = "over"
                else:
                    self.new_turn(self.step(seat, 1))
                return
            self.stuck = 0
            self.drawn = self.hands[seat][-1]
            legal = self.legal(seat)
            if legal == {"pass"}:
                self.new_turn(self.step(seat, 1))
                return
            if legal != {"draw"}:
                return

    def settle_challenge(self, seat: int) -> None:
        faced, self.faced = self.faced, None
        assert faced
        if faced["doubt"]:  # innocent
            self.take(seat, faced["count"] + 2)
            self.new_turn(self.step(seat, 1))
            return
        if self.o["wd4_challenge"] == "card_returns" and len(self.disc) > 1:
            self.hands[faced["by"]].append(self.disc.pop())
            self.color = faced["color"]
        self.take(faced["by"], faced["count"])
        self.new_turn(seat)

    def put(self, seat: int, cards: list[str], color: str, target: int | None, uno: bool) -> None:
        card, hand = cards[0], self.hands[seat]
        before = self.color
        for one in cards:
            hand.remove(one)
        innocent = self.lawful(card, hand)
        self.disc += cards[1:] + cards[:1]
        if color or card[0] != "W":
            self.color = color or card[0]
        self.actor, self.target, self.pending = seat, target, self.moves_hands(card)
        self.stuck = 0
        self.drawn = None
        self.silent = None
        duty = len(hand) == 1 and self.o["uno_penalty"] > 0 and not self.moves_hands(card)
        if duty and uno:
            self.called.add(seat)
        elif duty:
            self.silent = seat
        answering, self.faced = self.faced, None
        carried = answering["count"] if answering and self.o["stacking"] == "add" else 0
        self.strike(seat, mark(card), carried)
        if card == "W4" and not answering and self.o["wd4_challenge"] != "off":
            assert self.faced
            self.faced |= {"doubt": innocent, "color": before}
        if not hand and self.moves_hands(card) != "shuffle":
            if self.faced and self.faced["count"] and self.o["last_draw_counts"]:
                self.take(self.turn, self.faced["count"])
            self.asked, self.winner = "over", seat
            self.faced, self.silent = None, None
            return
        self.wait_or_go_on()

    def strike(self, seat: int, m: str, carried: int) -> None:
        """Say whose turn it is after a card, and what that seat faces."""
        after = self.step(seat, 1)
        faced = {"mark": m, "by": seat, "count": 0, "doubt": None, "color": ""}
        self.turn = after
        if m == "S" and "skip" in self.o["deflect"]:
            self.faced = faced
        elif m == "S":
            self.turn = self.step(after, 1)
        elif m == "V":
            self.dir = -self.dir
            if "reverse" in self.o["deflect"]:
                self.faced = faced
            else:
                self.turn = seat if self.n == 2 else self.step(seat, 1)
        elif m in HEAD_COUNT:
            self.faced = faced | {"count": HEAD_COUNT[m] + carried}
        effects = self.blanks.get(m, [])
        if "reverse" in effects:
            self.dir = -self.dir
            self.turn = seat if self.n == 2 else self.step(seat, 1)
        if "skip next" in effects and not ("reverse" in effects and self.n == 2):
            self.turn = self.step(self.turn, 1)
        if "play again" in effects:
            self.turn = seat

    def wait_or_go_on(self) -> None:
        self.tidy()
        if self.silent is not None or self.jumpable():
            self.asked = "react"
        else:
            self.take_effect()

    def take_effect(self) -> None:
        seat, self.asked, self.silent = self.actor, "turn", None
        assert seat is not None
        row = [self.step(seat, distance) for distance in range(1, self.n + 1)]
        thirsty = dict.fromkeys(row, 0)
        for effect in self.blanks.get(self.disc[-1], []):
            if effect.startswith("draw"):
                _, count, whom = effect.split()
                chosen = [self.target]
                hit: list[int | None] = [*{"next": row[:1], "others": row[:-1]}.get(whom, chosen)]
                for other in hit:
                    assert other is not None
                    thirsty[other] += int(count)
        if self.pending == "rotate":
            old = list(self.hands)
            for giver in row:
                self.hands[self.step(giver, 1)] = old[giver]
            self.called.clear()
        elif self.pending == "swap":
            assert self.target is not None
            both = {seat: self.target, self.target: seat}
            old = list(self.hands)
            for giver, receiver in both.items():
                self.hands[receiver] = old[giver]
            self.called -= set(both)
        elif self.pending == "shuffle":
            cards = [card for other in row for card in self.hands[other]]
            self.hands = [[] for _ in range(self.n)]
            for place, card in enumerate(cards):
                self.hands[row[place % self.n]].append(card)
            self.called.clear()
            # Who got no card draws one, unless the card makes it draw anyway.
            thirsty |= {other: 1 for other in row if not self.hands[other] and not thirsty[other]}
        for other in row:
            self.take(other, thirsty[other])
        self.pending = ""
        self.new_turn(self.turn)

    def react(self, said: dict[int, str]) -> int | None:
        """All reactions of one step; return whose stands."""
        if not said:
            self.take_effect()
            self.tidy()
            return None
        words = {"uno": 0, "catch": 1, "play": 2}
        seat = min(
            said,
            key=lambda s: (words[said[s].split()[0]], (s - self.turn) * self.dir % self.n),
        )
        text = said[seat]
        if text == "uno":
            self.silent = None
            self.called.add(seat)
            self.wait_or_go_on()
        elif text.startswith("catch"):
            caught, self.silent = self.silent, None
            assert caught is not None
            self.take(caught, self.o["uno_penalty"])
            self.wait_or_go_on()
        else:
            self.asked = "turn"
            self.faced = None
            self.fined = set()
            self.put(seat, *self.read(text))
        self.tidy()
        return seat

    def new_turn(self, seat: int) -> None:
        self.turn = seat
        self.drawn = None
        self.fined = set()

    def step(self, seat: int, distance: int) -> int:
        return (seat + distance * self.dir) % self.n

    def tidy(self) -> None:
        self.called = {seat for seat in self.called if len(self.hands[seat]) == 1}

    def points(self) -> list[int]:
        """Return what the round brings to each seat."""
        extra, action = self.o["extra_wild_points"], self.o["action_points"]
        left = [sum(worth(card, action, extra) for card in hand) for hand in self.hands]
        sides = [{seat, (seat + self.n // 2) % self.n} for seat in range(self.n)]
        if not self.o["teams"]:
            sides = [{seat} for seat in range(self.n)]
        if self.o["scoring"] == "keep_own":
            return [sum(left[one] for one in side) for side in sides]
        return [
            sum(left[other] for other in range(self.n) if other not in sides[seat])
            * (self.winner in sides[seat])
            for seat in range(self.n)
        ]

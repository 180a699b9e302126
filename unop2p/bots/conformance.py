"""Does a bot do as a bot should? Seeded positions of every kind, and what it answers to them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.guard import BotFailedError
from unop2p.bots.messages import move_dict
from unop2p.bots.simple import RandomBot
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import CallUNO, Catch, Challenge, Move, NameColor, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView
from unop2p.words import said

KINDS: tuple[str, ...] = (
    "turn",
    "after_draw",
    "attacked",
    "challenge",
    "color",
    "call",
    "catch",
    "jump_in",
    "pair",
    "target",
)
"""The kinds of decision there are; one position may be of several."""
FAULTS_KEPT: Final = 5
FAULTS_MAX: Final = 20
"""After so many the verdict is plain, and nothing more is asked."""
NONE_RIGHT_MAX: Final = FAULTS_KEPT
"""So too after so many without one right answer: one that hangs takes seconds for each."""
SEATS: Final = (2, 4, 10)
ROUNDS: Final = 2
"""At each size of table."""
LONGEST: Final = 80
"""So many decisions, and the next round begins."""
COLOR_DEALS: Final = 60
SWAPS: Final = "official, and swaps"

MakeRandom = Callable[[int], Randomness]


def kinds_of(view: PlayerView, legal: Sequence[Move]) -> frozenset[str]:
    """Return of which kinds a decision is."""
    found: set[str] = set()
    reaction = isinstance(view.round.due, ReactionDue)
    for move in legal:
        match move:
            case CallUNO():
                found.add("call")
            case Catch():
                found.add("catch")
            case Challenge():
                found.add("challenge")
            case NameColor():
                found.add("color")
            case Play(cards=cards, target=target):
                if reaction:
                    found.add("jump_in")
                if len(cards) > 1:
                    found.add("pair")
                if target is not None:
                    found.add("target")
            case _:
                pass
    if not reaction:
        phases = {
            TurnPhase.START: "turn",
            TurnPhase.AFTER_DRAW: "after_draw",
            TurnPhase.ATTACKED: "attacked",
            TurnPhase.COLOR: "color",
        }
        found.add(phases[view.round.phase])
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A position for a bot to decide on."""

    rules: str
    """A preset's name, or `SWAPS`."""
    seats: int
    view: PlayerView
    legal: tuple[Move, ...]
    seed: int
    """Of the bot's own chance."""
    kinds: frozenset[str]


def rule_sets() -> dict[str, Options]:
    """Return by which rules a bot is tried: every preset, and one with what no preset has."""
    more = {"hand_moves": "seven_swaps", "play_pairs": "colored", "jump_in": "colored"}
    return {**PRESETS, SWAPS: with_overrides(PRESETS["official"], {"deck": "112_swap", **more})}


def positions(each: int, seed: int, chance: MakeRandom) -> Iterator[Asked]:
    """Yield positions as they come up among players by chance, at tables of several sizes.

    Args:
        each: so many of each kind of decision by each set of rules, as far as they come up.
        seed: the same seed gives the same positions.
        chance: makes chance of a number.
    """
    for name, options in rule_sets().items():
        left = dict.fromkeys(KINDS, each)
        for seats in SEATS:
            rng = chance(seed * 1_000_003 + seats)
            order = tuple(Seat(seat) for seat in range(seats))
            game = DealtGame.start(options, order, order[0], rng)
            for view, legal in _played(game, rng):
                kinds = kinds_of(view, legal)
                if not any(left[kind] > 0 for kind in kinds):
                    continue
                for kind in kinds:
                    left[kind] -= 1
                yield Asked(
                    rules=name,
                    seats=seats,
                    view=view,
                    legal=legal,
                    seed=rng.randrange(1 << 31),
                    kinds=kinds,
                )


def _deal_for_color(game: DealtGame) -> None:
    """Deal until somebody has to name a color, which is so in one deal of some thirty, if at all."""
    for _ in range(COLOR_DEALS):
        game.deal()
        if game.round.phase is TurnPhase.COLOR:
            return


def _played(game: DealtGame, rng: Randomness) -> Iterator[tuple[PlayerView, tuple[Move, ...]]]:
    """Play rounds by chance, every lawful move among it, and yield what is asked on the way."""
    quick = RandomBot()
    for number in range(ROUNDS):
        if number:
            _deal_for_color(game)
        asked = 0
        while not game.round.over and asked < LONGEST:
            moves: list[tuple[Seat, Move]] = []
            for seat in game.asked:
                view = game.view(seat)
                legal = view.legal()
                if not legal:
                    continue
                asked += 1
                yield view, legal
                # Among players by chance alone a round has no end: most moves are sensible ones.
                wild = rng.randrange(4) == 0
                move = legal[rng.randrange(len(legal))] if wild else quick.choose(view, legal, rng)
                if move is not None:
                    moves.append((seat, move))
            if isinstance(game.round.due, ReactionDue):
                game.react(tuple(moves))
            elif moves:
                game.act(*moves[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class BotFault:
    """What a bot did wrong, and where."""

    rules: str
    seats: int
    number: int
    """Of the position, counted from 1."""
    kinds: tuple[str, ...]
    sentence: str


@dataclass(slots=True, kw_only=True)
class Conformance:
    """What a check has found so far."""

    decisions: int = 0
    lawful: int = 0
    repeated: int = 0
    """How often it was asked the same again, with the same chance."""
    same: int = 0
    """How often it then answered the same."""
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    rules: dict[str, int] = field(default_factory=dict)
    times_us: list[int] = field(default_factory=list)
    faults: list[BotFault] = field(default_factory=list)
    """The first few."""

    @property
    def conforms(self) -> bool:
        """Whether every answer was lawful, in time, and the same when asked again."""
        return self.decisions > 0 and self.lawful == self.decisions and self.same == self.repeated

    def time_us(self, share: float) -> int | None:
        """Return what so large a share of the lawful answers did not exceed, in microseconds.

        None where no answer was lawful.
        """
        times = sorted(self.times_us)
        return times[min(int(len(times) * share), len(times) - 1)] if times else None


def try_bot(
    bot: Bot,
    asked: Iterator[Asked],
    *,
    now_us: Callable[[], int],
    chance: MakeRandom,
    every: int = 4,
    told: Callable[[int], None] = lambda _: None,
) -> Conformance:
    """Ask a bot all that is asked.

    Args:
        bot: raises `BotFailedError` where it has no lawful answer in time.
        asked: the positions.
        now_us: a clock that never goes back.
        chance: makes chance of a number.
        every: one position of so many is asked twice.
        told: told how many were asked, after each.
    """
    found = Conformance()
    wrong = 0
    for number, item in enumerate(asked, 1):
        found.decisions += 1
        for kind in item.kinds:
            found.kinds[kind] += 1
        found.rules[item.rules] = found.rules.get(item.rules, 0) + 1
        told(number)
        try:
            began = now_us()
            move = bot.choose(item.view, item.legal, chance(item.seed))
            found.times_us.append(now_us() - began)
            found.lawful += 1
            if number % every == 0:
                found.repeated += 1
                again = bot.choose(item.view, item.legal, chance(item.seed))
                if again == move:
                    found.same += 1
                else:
                    wrong += 1
                    first, then = _text(move), _text(again)
                    sentence = said("{first} the first time, then {then}", first=first, then=then)
                    _keep(found, item, number, sentence)
        except BotFailedError as error:
            wrong += 1
            _keep(found, item, number, error.detail())
        if wrong >= (FAULTS_MAX if found.lawful else NONE_RIGHT_MAX):
            break
    return found


def _text(move: Move | None) -> str:
    return "-" if move is None else str(move_dict(move)["move"])


def _keep(found: Conformance, item: Asked, number: int, sentence: str) -> None:
    if len(found.faults) < FAULTS_KEPT:
        found.faults.append(
            BotFault(
                rules=item.rules,
                seats=item.seats,
                number=number,
                kinds=tuple(sorted(item.kinds)),
                sentence=sentence,
            )
        )

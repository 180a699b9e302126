"""Playing one scenario under one preset, and comparing what came of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from unop2p.errors import IllegalMoveError, InvalidNotationError, InvalidOptionsError
from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import HAND_SIZE, Color, Face, Kind, deck_for, parse_color, parse_face
from unop2p.rules.dealt import Card, DealtGame
from unop2p.rules.match import Match, draw_standing, start_match
from unop2p.rules.moves import Move, Play, parse_move, parse_seat
from unop2p.rules.options import Options, check_seats
from unop2p.rules.position import Attack, Round, TurnPhase
from unop2p.rules.scenario import Scenario, ScenarioResult, wrong

UNKNOWN = "?"
"""How a card that does not matter is printed."""


class FixedChance:
    """A fixed row of numbers in place of chance: a scenario runs alike everywhere."""

    def __init__(self) -> None:
        self._state = 1

    def randrange(self, stop: int, /) -> int:
        """Return the next number, 0 <= it < stop (a linear congruence, Knuth's MMIX constants)."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % stop


@dataclass(slots=True, kw_only=True)
class Setup:
    """A scenario, with its names and cards read."""

    scenario: Scenario
    options: Options
    names: tuple[str, ...]
    results: list[str] = field(default_factory=list)
    lawful: bool = True
    game: DealtGame | None = None
    dealer: Seat | None = None
    redraw: tuple[Seat, ...] = ()

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401  # TOML values
        """Return a value of the scenario."""
        return self.scenario.given.get(key, default)

    def seat(self, key: str, name: object) -> Seat:
        """Return a seat by name."""
        try:
            return parse_seat(str(name), self.names)
        except InvalidNotationError as error:
            raise wrong(self.scenario.id, key, str(error)) from error

    def face(self, key: str, text: object) -> Face:
        """Return a card; a named color after it is left out."""
        try:
            return parse_face(str(text).partition(":")[0])
        except InvalidNotationError as error:
            raise wrong(self.scenario.id, key, str(error)) from error

    def faces(self, key: str) -> list[Face]:
        """Return a list of cards."""
        return [self.face(key, text) for text in self.get(key, [])]

    def color(self, key: str, text: object) -> Color | None:
        """Return the color of a top card, `R5` or `W:G`."""
        face = self.face(key, text)
        named = str(text).partition(":")[2]
        if not face.is_wild:
            return face.color
        try:
            return parse_color(named) if named else None
        except InvalidNotationError as error:
            raise wrong(self.scenario.id, key, str(error)) from error

    def move(self, key: str, text: str) -> Move:
        """Return an action without its seat."""
        try:
            return parse_move(text, self.names)
        except InvalidNotationError as error:
            raise wrong(self.scenario.id, key, str(error)) from error


def run_preset(scenario: Scenario, preset: str) -> ScenarioResult:
    """Play a scenario under one preset, and compare."""
    names = tuple(str(name) for name in scenario.given["seats"])
    setup = Setup(scenario=scenario, options=scenario.options(preset), names=names)
    lay_out(setup)
    if setup.game is not None:
        setup.game.settle()
    for action in setup.get("do", []):
        _do(setup, str(action))
    differences: list[str] = []
    for expect in scenario.expects:
        if preset in expect.get("presets", scenario.presets):
            differences += compare(setup, expect)
    return ScenarioResult(
        scenario=scenario.id,
        title=scenario.title,
        preset=preset,
        differences=tuple(differences),
    )


# -- before the first action -------------------------------------------------------------------


def _can_sit(options: Options, seats: int) -> bool:
    try:
        check_seats(options, seats)
    except InvalidOptionsError:
        return False
    return seats <= SEATS_MAX


def lay_out(setup: Setup) -> None:
    """Set up the position before anything asks nobody: nothing is turned up or applied yet.

    Raises:
        ScenarioError: a card, seat or number in the scenario is wrong.
    """
    order = tuple(Seat(seat) for seat in range(len(setup.names)))
    if not _can_sit(setup.options, len(order)):
        setup.results.append("refused")
        return
    if "draws" in setup.scenario.given:
        _draw_dealer(setup, order)
        return
    dealer = setup.seat("dealer", setup.get("dealer", setup.names[0]))
    match = start_match(setup.options, order, dealer)
    totals = {setup.seat("totals", name): n for name, n in setup.get("totals", {}).items()}
    match = replace(match, totals=tuple(totals.get(seat, 0) for seat in order))
    hands = _hands(setup, order)
    turned = setup.faces("turned")
    position = (
        match.start_round() if "top" not in setup.scenario.given else _position(setup, match, hands)
    )
    pile = _pile(setup, hands, turned, position.discards)
    if "pile" in setup.scenario.given and not position.discards:
        _check_first(setup, turned or pile[:1])
    position = replace(
        position,
        pile_count=len(pile),
        hand_counts=tuple(len(hands[seat]) for seat in order),
    )
    setup.game = DealtGame(
        match=match,
        position=position,
        rng=FixedChance(),
        hands=hands,
        pile=pile,
        auto_accept=False,
        turns=turned,
    )
    if "deal" in setup.scenario.given:
        setup.results.append("accepted")


def _draw_dealer(setup: Setup, order: tuple[Seat, ...]) -> None:
    if not setup.options.dealer_selection.startswith("high_card"):
        return
    laps: list[Mapping[Seat, Face]] = []
    for table in setup.get("draws"):
        lap = {setup.seat("draws", name): setup.face("draws", text) for name, text in table.items()}
        _, due = draw_standing(setup.options, order, laps)
        if set(lap) != set(due):
            raise wrong(setup.scenario.id, "draws", "it names other seats than have to draw.")
        laps.append(lap)
    setup.dealer, setup.redraw = draw_standing(setup.options, order, laps)


def _hands(setup: Setup, order: tuple[Seat, ...]) -> dict[Seat, list[Card]]:
    hands: dict[Seat, list[Card]] = {seat: [None] * HAND_SIZE for seat in order}
    for name, cards in setup.get("hands", {}).items():
        seat = setup.seat("hands", name)
        if isinstance(cards, list):
            hands[seat] = [setup.face("hands", text) for text in cards]
        else:
            hands[seat] = [None] * cards
    return hands


def _pile(
    setup: Setup,
    hands: Mapping[Seat, list[Card]],
    turned: list[Face],
    discards: tuple[Face, ...],
) -> list[Face]:
    if "pile" in setup.scenario.given:
        return [*turned, *setup.faces("pile")]
    used = Counter(face for hand in hands.values() for face in hand if face is not None)
    used.update(turned)
    used.update(discards)
    rest: list[Face] = []
    for face in deck_for(setup.options):
        if used[face]:
            used[face] -= 1
        else:
            rest.append(face)
    chance = FixedChance()
    order = sorted((chance.randrange(2**20), place) for place in range(len(rest)))
    fillers = sum(hand.count(None) for hand in hands.values())
    mixed = [rest[place] for _, place in order]
    return [*turned, *mixed[: max(0, len(mixed) - fillers)]]


def _check_first(setup: Setup, cards: list[Face]) -> None:
    """Refuse a short pile in which a first card would never be found."""
    face = cards[-1] if cards else None
    stays = setup.options.first_wild == "choose_color"
    if face is None or (face.is_wild and not (stays and face is Face.W)):
        raise wrong(setup.scenario.id, "turned", "with a `pile`, its last card has to stay.")


def _position(setup: Setup, match: Match, hands: Mapping[Seat, list[Card]]) -> Round:
    top = setup.get("top")
    discards = tuple(reversed(setup.faces("discards")))
    direction = {"cw": 1, "ccw": -1}.get(setup.get("direction", "cw"))
    if direction is None:
        raise wrong(setup.scenario.id, "direction", "it is `cw` or `ccw`.")
    plain = replace(
        match.start_round(),
        direction=direction,
        discards=(*discards, setup.face("top", top)),
        color=setup.color("top", top),
        called=frozenset(
            seat
            for seat in (setup.seat("called", name) for name in setup.get("called", []))
            if len(hands[seat]) == 1
        ),
    )
    if plain.color is None:
        raise wrong(setup.scenario.id, "top", "a wild is given with its color, `W:G`.")
    turn = plain.next_seat(match.dealer)
    if "turn" in setup.scenario.given:
        turn = setup.seat("turn", setup.get("turn"))
    plain = replace(plain, turn=turn, due=dues.TurnDue(seat=turn))
    if "attack" not in setup.scenario.given:
        return plain
    return _attacked(setup, plain, hands)


def _attacked(setup: Setup, plain: Round, hands: Mapping[Seat, list[Card]]) -> Round:
    given = setup.get("attack")
    by = setup.seat("attack", given["by"])
    top = plain.discards[-1]
    if top.kind not in {Kind.SKIP, Kind.REVERSE, Kind.DRAW_TWO, Kind.WILD_DRAW_FOUR}:
        raise wrong(setup.scenario.id, "attack", f"{top} attacks nobody.")
    attack = Attack(kind=top.kind, cards=given["cards"], by=by)
    under = setup.get("discards", [])
    if top.kind is Kind.WILD_DRAW_FOUR and under and setup.options.wd4_challenge != "off":
        before = replace(
            plain, discards=plain.discards[:-1], color=setup.color("discards", under[0])
        )
        attack = replace(
            attack,
            forbidden=before.wd4_forbidden(),
            hand_count=len(hands[by]),
            prior_color=before.color,
        )
    return replace(plain, attack=attack, phase=TurnPhase.ATTACKED, actor=by)


# -- actions -----------------------------------------------------------------------------------


def _do(setup: Setup, action: str) -> None:
    name, _, text = action.partition(" ")
    seat = setup.seat("do", name)
    move = setup.move("do", text)
    if setup.game is None or setup.game.round.over:
        setup.results.append("refused")
        return
    lawful = setup.game.lawful(seat, move)
    try:
        accepted = setup.game.act(seat, move)
    except IllegalMoveError:
        setup.results.append("refused")
        return
    setup.lawful = lawful
    setup.results.append("accepted" if accepted else "fouled")


# -- comparing ---------------------------------------------------------------------------------


def compare(setup: Setup, expect: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each expectation that does not hold."""
    found: list[str] = []
    for key, wanted in expect.items():
        match key:
            case "presets":
                continue
            case "legal" | "illegal":
                found += _compare_legal(setup, key, wanted)
                continue
            case "hands" | "drawn" | "points" | "totals":
                found += _compare_table(setup, key, wanted)
                continue
        actual = _actual(setup, key)
        if key in {"catchable", "redraw", "winners", "out"}:
            same = sorted(wanted) == sorted(actual)
        else:
            same = wanted == actual
        if not same:
            found.append(f"{key}: expected {wanted!r}, found {actual!r}")
    return found


def _compare_legal(setup: Setup, key: str, wanted: list[str]) -> list[str]:
    game = _game(setup, key).closed()
    legal = game.legal(game.round.turn) if not game.round.over else ()
    found: list[str] = []
    for text in wanted:
        move = setup.move(key, text)
        there = any(_same(move, other) for other in legal)
        if there != (key == "legal"):
            found.append(f"{key}: `{text}` is {'legal' if there else 'not legal'}")
    return found


def _same(wanted: Move, move: Move) -> bool:
    """Compare a move with a legal one; a wild without a color stands for any."""
    if isinstance(wanted, Play) and isinstance(move, Play):
        color = move.color if wanted.color is None else wanted.color
        target = move.target if wanted.target is None else wanted.target
        uno = move.uno if not wanted.uno else wanted.uno
        wanted = replace(wanted, color=color, target=target, uno=uno)
    return wanted == move


def _compare_table(setup: Setup, key: str, wanted: Mapping[str, Any]) -> list[str]:
    game = _game(setup, key)
    found: list[str] = []
    for name, value in wanted.items():
        seat = setup.seat(key, name)
        actual: object
        match key:
            case "hands" if isinstance(value, int):
                actual = len(game.hands[seat])
            case "hands":
                held = game.hands[seat]
                actual = sorted(UNKNOWN if face is None else face.value for face in held)
                value = sorted(str(face) for face in value)  # noqa: PLW2901
            case "drawn":
                actual = game.drawn_total.get(seat, 0)
            case "totals":
                actual = game.match.totals[seat]
            case _:
                due = game.round.due
                actual = due.outcome.points[seat] if isinstance(due, dues.RoundOver) else None
        if value != actual:
            found.append(f"{key} of {name}: expected {value!r}, found {actual!r}")
    return found


def _game(setup: Setup, key: str) -> DealtGame:
    if setup.game is None:
        raise wrong(setup.scenario.id, f"expect.{key}", "this scenario has no cards on the table.")
    return setup.game


def _actual(setup: Setup, key: str) -> Any:  # noqa: ANN401  # TOML values
    match key:
        case "result":
            return setup.results[-1] if setup.results else None
        case "results":
            return setup.results
        case "lawful":
            return setup.lawful
        case "redraw":
            return [setup.names[seat] for seat in setup.redraw]
        case "dealer" if setup.game is None:
            return setup.names[setup.dealer] if setup.dealer is not None else None
        case _:
            return _of_game(setup, _game(setup, key), key)


def _of_game(setup: Setup, game: DealtGame, key: str) -> object:
    state = game.round
    ended = state.due.outcome if isinstance(state.due, dues.RoundOver) else None
    match key:
        case "turn":
            return setup.names[state.turn]
        case "dealer":
            return setup.names[state.dealer]
        case "direction":
            return "cw" if state.direction == 1 else "ccw"
        case "top":
            named = f":{state.color.value}" if state.color and state.discards[-1].is_wild else ""
            return f"{state.discards[-1]}{named}"
        case "color":
            return state.color.value if state.color else None
        case "attack":
            return state.attack_cards
        case "pile":
            return len(game.pile)
        case "catchable":
            return [setup.names[seat] for seat in state.players if seat in state.catchable]
        case "shuffled":
            return game.reshuffled > 0
        case "round_over":
            return ended is not None
        case "blocked":
            return ended is not None and ended.termination is dues.Termination.BLOCKED
        case "winners":
            return [setup.names[seat] for seat in game.match.winners]
        case "out":
            return [setup.names[seat] for seat in game.match.order if seat in game.match.out]
        case "match_over":
            return game.match.over
        case _:
            message = f"`{key}` is compared elsewhere"
            raise AssertionError(message)

"""The rules as examples, played by real peers: the same end as in the scenario runner.

Three ways lead to a position: the deal of a stacked deck, where the example begins with one; the draw for
the dealer, from a coin that falls as the example says; and for all others cards that are laid between two
steps (`hall.py`). Where peers cannot see a card the table goes another way to the same end: a draw is followed
by the seat's own word, and what nobody could answer is accepted at once (docs/explanation/protocol.md).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.rules.test_scenarios import MORE, SCENARIOS
from tests.sim.hall import Bench, Hall, Laid
from unop2p.errors import IllegalMoveError, MalformedError
from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import HAND_SIZE, Face, Kind, deck_for
from unop2p.rules.dealt import DealtGame, mixed
from unop2p.rules.legal import is_lawful
from unop2p.rules.moves import Accept, CallUNO, Catch, Draw, Move, Pass, Play, parse_move
from unop2p.rules.options import options_to_dict
from unop2p.rules.position import Round
from unop2p.rules.public import problem
from unop2p.rules.round import forced_move
from unop2p.rules.scenario import Scenario
from unop2p.rules.scenario_run import FixedChance, Setup, compare, lay_out
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.table.genesis import Offer, Timers
from unop2p.wire.audit import Finding

ALL = (*SCENARIOS, *MORE)
BY_ID = {scenario.id: scenario for scenario in ALL}

CALL_OUT_OF_PLACE = (
    "a call or catch is a word of reaction steps: out of place it cannot be said, nor fined"
)
NOT_AT_THE_TABLE: dict[tuple[str, str], str] = {
    ("E20b", "ukrainian"): CALL_OUT_OF_PLACE,
    ("E20d", "ukrainian"): CALL_OUT_OF_PLACE,
    ("E20e", "ukrainian"): CALL_OUT_OF_PLACE,
    ("M10b", "ukrainian"): CALL_OUT_OF_PLACE,
    ("N10", "ukrainian"): CALL_OUT_OF_PLACE,
}
"""Every example and preset that peers cannot come to, with the reason."""


GOES_ON: dict[str, str] = {
    "E09": "hebrew",
    "E11a": "greek hebrew",
    "E15a": "official greek hebrew polish",
    "E16a": "greek hebrew",
    "E16b": "greek hebrew",
    "E16c": "greek hebrew",
    "E17": "greek hebrew",
    "M05": "official greek hebrew polish",
    "M07c": "hebrew",
    "M24b": "official",
}
"""Where the table accepts by itself what nobody could answer, and so has gone on when the example stops.

The end is compared with the runner's, which has accepted too; the example's own words are of the moment
before.
"""
AHEAD = {(name, preset) for name, presets in GOES_ON.items() for preset in presets.split()}
REACHED = 430
REACHED_WORD_FOR_WORD = 409
"""How many pairs of example and preset come to their end at the table. These may only grow."""


class NotAtTheTableError(Exception):
    """Peers cannot do what the example does."""


# -- the example as the runner plays it, in the table's order of things --------------------------


def is_turn_move(round_: Round, seat: Seat, move: Move) -> bool:
    """Say whether the seat in turn moves on while others could still react."""
    return (
        isinstance(round_.due, dues.ReactionDue)
        and seat == round_.turn
        and not isinstance(move, CallUNO | Catch)
        and problem(round_, seat, move) is not None
    )


class Reference:
    """The runner's game, in which what nobody could answer is accepted at once, as at a table."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ahead: list[Seat] = []
        """Who has accepted by itself, and was not yet asked for it."""
        self.game.settle()
        self._accept()

    @property
    def game(self) -> DealtGame:
        assert self.setup.game is not None
        return self.setup.game

    def _accept(self) -> None:
        while (forced := forced_move(self.game.round)) is not None:
            self.ahead.append(self.game.round.turn)
            self.game.act(self.game.round.turn, forced)

    def play(self) -> None:
        for action in self.setup.get("do", []):
            name, _, text = str(action).partition(" ")
            self.setup.results.append(
                self._do(self.setup.seat("do", name), self.setup.move("do", text))
            )

    def _do(self, seat: Seat, move: Move) -> str:
        if self.game.round.over:
            return "refused"
        if is_turn_move(self.game.round, seat, move):
            self.setup.game = self.game.closed()
            self._accept()
        if seat in self.ahead and isinstance(move, Accept | Draw):
            self.ahead.remove(seat)
            return "accepted"
        lawful = self.game.lawful(seat, move)
        try:
            accepted = self.game.act(seat, move)
        except IllegalMoveError:
            return "refused"
        self.setup.lawful = lawful
        self._accept()
        return "accepted" if accepted else "fouled"


# -- cards that do not matter ------------------------------------------------------------------


def begin(scenario: Scenario, preset: str) -> Setup:
    """Lay the example out, with real cards in the place of those that do not matter."""
    names = tuple(str(name) for name in scenario.given["seats"])
    setup = Setup(scenario=scenario, options=scenario.options(preset), names=names)
    lay_out(setup)
    game = setup.game
    assert game is not None
    left = list(deck_for(setup.options))
    named = [face for hand in game.hands.values() for face in hand if face is not None]
    given = setup.faces("pile") if "pile" in scenario.given else []
    for face in (*named, *game.round.discards, *game.turns, *given):
        if face in left:
            left.remove(face)
    left.sort(key=lambda face: _matters(setup, face))
    for hand in game.hands.values():
        for place, held in enumerate(tuple(hand)):
            if held is None:
                hand[place] = left.pop(0)
    if "pile" not in scenario.given:
        game.pile = [*game.turns, *mixed(left, FixedChance())]
    return setup


def _matters(setup: Setup, face: Face) -> int:
    """Return how likely a card is to play a part: none is wanted that fits or scores."""
    words = " ".join([str(setup.get("top", "")), *setup.get("turned", []), *setup.get("do", [])])
    colors = {word[0] for word in words.replace(":", " ").split() if word[0] in "RYGB"}
    numbers = {word[-1] for word in words.split() if word[-1].isdigit()}
    if face.kind is not Kind.NUMBER:
        return 10
    return 4 * (face.value[0] in colors) + 2 * (face.value[-1] in numbers) + (face.number != 0)


# -- the same at the table ---------------------------------------------------------------------


class AtTheTable:
    """Plays the actions of an example through the peers."""

    def __init__(self, bench: Bench, names: tuple[str, ...]) -> None:
        """Begin at a table where somebody is asked.

        Args:
            bench: the table.
            names: of the example's seats, by seat of the table.
        """
        self.bench = bench
        self.names = names
        self.results: list[str] = []
        self.lawful = True
        self.own_accepts = 0

    def play(self, actions: Sequence[str]) -> None:
        for action in actions:
            name, _, text = action.partition(" ")
            self.results.append(
                self._do(Seat(self.names.index(name)), parse_move(text, self.names))
            )
            self._say_what_is_forced()

    def _do(self, seat: Seat, move: Move) -> str:
        bench = self.bench
        if bench.ended is not None:
            return "refused"
        if is_turn_move(self._round(), seat, move):
            bench.pass_reaction()
        if isinstance(move, Accept | Draw) and self._has_accepted(seat):
            return "accepted"
        round_, hand = self._round(), tuple(bench.scene().hands[seat])
        result = bench.act(seat, move)
        if result == "refused" and self._is_fined(round_, seat, move):
            if not isinstance(move, Play):
                raise NotAtTheTableError(CALL_OUT_OF_PLACE)
            if Counter(move.cards) <= Counter(hand):
                # Its own program does not let it: another one does.
                bench.act_unasked(seat, move)
                assert self._round().fouled
                result = "fouled"
        if result == "accepted":
            self.lawful = is_lawful(round_, move, hand)
            self.own_accepts += isinstance(move, Accept)
        return result

    def _round(self) -> Round:
        return self.bench.scene().round

    def _has_accepted(self, seat: Seat) -> bool:
        """Say whether the table has accepted for a seat that is asked for it only now."""
        by_itself = self.bench.accepted()[self.own_accepts :]
        if seat not in by_itself:
            return False
        self.own_accepts += 1
        return True

    @staticmethod
    def _is_fined(round_: Round, seat: Seat, move: Move) -> bool:
        wrong = problem(round_, seat, move)
        fine = round_.options.foul_penalty
        return wrong is not None and wrong.foul and bool(fine) and seat not in round_.fined

    def _say_what_is_forced(self) -> None:
        """A draw is followed by the seat's own word, where the runner passes by itself."""
        while self.bench.ended is None and self._round().after_draw and not self._round().fouled:
            scene = self.bench.scene()
            if scene.legal is None or len(scene.legal) != 1:
                return
            (move,) = scene.legal
            if not isinstance(move, Draw | Pass):
                return
            assert self.bench.act(scene.round.turn, move) == "accepted"


def as_setup(setup: Setup, table: AtTheTable) -> Setup:
    """Return what the table has come to in the runner's form, to be compared by the same words."""
    scene = table.bench.scene()
    drawn: Counter[Seat] = Counter()
    for notice in scene.told:
        if isinstance(notice, notices.CardsDrawn):
            drawn[notice.seat] += notice.count
    game = DealtGame(
        match=scene.match,
        position=scene.round,
        rng=FixedChance(),
        hands={seat: list(hand) for seat, hand in scene.hands.items()},
        pile=scene.pile,
        auto_accept=False,
        drawn=scene.drawn,
        drawn_total=dict(drawn),
        reshuffled=scene.reshuffled,
    )
    if scene.legal is not None:
        assert set(scene.legal) == set(game.legal(scene.round.turn)), "the own program offers these"
    return Setup(
        scenario=setup.scenario,
        options=setup.options,
        names=table.names,
        results=[*setup.results[: "deal" in setup.scenario.given], *table.results],
        lawful=table.lawful,
        game=game,
    )


def facts(setup: Setup) -> dict[str, Any]:
    """Return everything that an example could ask, by name of seat."""
    game, names = setup.game, setup.names
    assert game is not None
    round_, match = game.round, game.match
    attack = round_.attack
    outcome = round_.due.outcome if isinstance(round_.due, dues.RoundOver) else None
    by_chance = game.reshuffled > 0 or Face.WH in round_.discards
    hands = {names[seat]: sorted(str(face) for face in game.hands[seat]) for seat in match.order}
    every = sorted([*(card for hand in hands.values() for card in hand), *map(str, game.pile)])
    return {
        "results": setup.results,
        "lawful": setup.lawful,
        "turn": names[round_.turn],
        "due": type(round_.due).__name__,
        "phase": round_.phase,
        "direction": round_.direction,
        "discards": round_.discards,
        "color": round_.color,
        "attack": attack and (attack.kind, attack.cards, names[attack.by]),
        "hands": {name: len(hand) for name, hand in hands.items()} if by_chance else hands,
        "pile": len(game.pile) if by_chance else game.pile,
        "every card": every,
        "drawn": {names[seat]: count for seat, count in game.drawn_total.items() if count},
        "catchable": {names[seat] for seat in round_.catchable},
        "called": {names[seat] for seat in round_.called},
        "shuffled": game.reshuffled,
        "ended": outcome
        and (outcome.termination, {names[s]: outcome.points[s] for s in match.order}),
        "totals": {names[seat]: match.totals[seat] for seat in match.order},
        "winners": {names[seat] for seat in match.winners},
        "out": {names[seat] for seat in match.out},
        "dealer": names[match.dealer],
    }


def check(reference: Reference, ended: Setup, preset: str) -> bool:
    """Compare a table's end with the runner's, and with what the example expects.

    Returns:
        Whether the example's own words hold; where the table has gone on by itself, they speak of an
        earlier moment.
    """
    assert facts(ended) == facts(reference.setup)
    if reference.ahead:
        return False
    scenario = reference.setup.scenario
    differences = [
        difference
        for expect in scenario.expects
        if preset in expect.get("presets", scenario.presets)
        for difference in compare(ended, expect)
    ]
    assert differences == []
    return True


# -- the three ways ----------------------------------------------------------------------------


def way_of(scenario: Scenario) -> str:
    """Return how peers come to an example."""
    given = scenario.given
    if len(given["seats"]) > SEATS_MAX:
        return "refused"
    if "draws" in given:
        return "drawn"
    if "top" not in given and "pile" not in given:
        return "dealt"
    return "laid"


def those(way: str) -> list[Scenario]:
    return [scenario for scenario in ALL if way_of(scenario) == way]


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    with Hall().open() as opened:
        yield opened


def come_to(hall: Hall, scenario: Scenario, preset: str) -> bool:
    """Lay an example out, play it in the runner and at the table, and compare."""
    setup = begin(scenario, preset)
    game = setup.game
    assert game is not None
    bench = hall.bench(setup.options, len(setup.names))
    bench.lay(
        Laid(
            match=game.match,
            round=game.round,
            hands={s: tuple(f for f in hand if f is not None) for s, hand in game.hands.items()},
            pile=tuple(game.pile),
        )
    )
    reference = Reference(setup)
    table = AtTheTable(bench, setup.names)
    table.play(setup.get("do", []))
    reference.play()
    return check(reference, as_setup(setup, table), preset)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", those("laid"), ids=lambda scenario: scenario.id)
def test_an_example_comes_to_the_same_end_at_the_table(hall: Hall, scenario: Scenario) -> None:
    for preset in scenario.presets:
        reason = NOT_AT_THE_TABLE.get((scenario.id, preset))
        if reason is not None:
            with pytest.raises(NotAtTheTableError, match=reason):
                come_to(hall, scenario, preset)
            continue
        said = come_to(hall, scenario, preset)
        assert said != ((scenario.id, preset) in AHEAD), f"{preset}: see GOES_ON"


ON_HIDDEN_CARDS = (
    "E07", "E08", "E09", "E10", "E12a", "E12b", "E13a", "E13c", "E14a", "M07a", "M19a", "M25",
)  # fmt: skip
"""Examples in which a rule asks what the hand holds."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_HIDDEN_CARDS)
def test_it_is_the_same_where_rules_on_hidden_cards_are_proved_with_the_move(
    hall: Hall, name: str
) -> None:
    example = BY_ID[name]
    proved = replace(example, overrides={**example.overrides, "hidden_checks": "proved"})
    for preset in set(example.presets) - {"official", "polish"}:
        assert come_to(hall, proved, preset) != ((name, preset) in AHEAD), preset


@pytest.mark.slow
@pytest.mark.parametrize("scenario", those("dealt"), ids=lambda scenario: scenario.id)
def test_an_example_that_begins_with_the_deal_is_dealt(hall: Hall, scenario: Scenario) -> None:
    for preset in scenario.presets:
        setup = begin(scenario, preset)
        game = setup.game
        assert game is not None
        count, first = len(setup.names), game.match.dealer
        places = [(first + 1 + place) % count for place in range(count)]
        rows = [game.hands[Seat(place)] for place in places]
        deck = [face for index in range(HAND_SIZE) for row in rows if (face := row[index])]
        bench = hall.new_bench(setup.options, count)
        bench.argument.tops = [[*deck, *game.pile]]
        bench.run(bench.is_asked)
        match = bench.state.match
        assert match is not None
        start = match.order.index(match.dealer)
        names = {
            match.order[(start + place) % count]: setup.names[(first + place) % count]
            for place in range(count)
        }
        reference = Reference(setup)
        table = AtTheTable(bench, tuple(names[seat] for seat in sorted(names)))
        table.play(setup.get("do", []))
        reference.play()
        said = check(reference, as_setup(setup, table), preset)
        assert said != ((scenario.id, preset) in AHEAD), f"{preset}: see GOES_ON"


@pytest.mark.parametrize("scenario", those("drawn"), ids=lambda scenario: scenario.id)
def test_the_draw_for_the_dealer_falls_as_the_example_says(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    for preset in scenario.presets:
        names = tuple(scenario.given["seats"])
        options = scenario.options(preset)
        draws = [
            {name: Face(text) for name, text in lap.items()} for lap in scenario.given["draws"]
        ]
        wanted = [lap[name] for lap in draws for name in names if name in lap]

        def fixed(
            _tossed: bytes, label: str, count: int, wanted: Sequence[Face] = wanted
        ) -> tuple[int, ...]:
            left = list(range(count))
            if label == "order":
                return tuple(left)
            deck = deck_for(options)  # noqa: B023  # called in this turn of the loop
            first = [next(index for index in left if deck[index] == face) for face in wanted]
            return (*first, *(index for index in left if index not in first))

        monkeypatch.setattr("unop2p.table.apply.permutation", fixed)
        ring = Ring(len(names), options, bots=False)
        ring.run(lambda ring: any(isinstance(n, notices.DealerDrawn) for n in told(ring)))
        (drawn,) = [n for n in told(ring) if isinstance(n, notices.DealerDrawn)]
        laps = [{names[seat]: face for seat, face in lap} for lap in drawn.laps]
        by_card = options.dealer_selection.startswith("high_card")
        assert laps[: len(draws)] == (draws if by_card else [])
        more = drawn.laps[len(draws) :]
        ended = Setup(
            scenario=scenario,
            options=options,
            names=names,
            dealer=drawn.dealer if not more else None,
            redraw=tuple(seat for seat, _ in more[0]) if more else (),
        )
        for expect in scenario.expects:
            if preset in expect.get("presets", scenario.presets):
                assert compare(ended, expect) == []


def told(ring: Ring) -> list[notices.Notice]:
    return ring.places[0].notices


@pytest.mark.parametrize("scenario", those("refused"), ids=lambda scenario: scenario.id)
def test_a_table_for_more_seats_than_there_can_be_is_not_opened(scenario: Scenario) -> None:
    for preset in scenario.presets:
        options = scenario.options(preset)
        with pytest.raises(MalformedError, match="seats"):
            Offer(
                table=bytes(16),
                version=1,
                rules=options_to_dict(options),
                timers=Timers(),
                seats_wanted=len(scenario.given["seats"]),
                argument="proved",
                resilience=0,
            )
        assert [expect["result"] for expect in scenario.expects] == ["refused"]


# -- what is covered ---------------------------------------------------------------------------


def pairs(way: str) -> set[tuple[str, str]]:
    return {(scenario.id, preset) for scenario in those(way) for preset in scenario.presets}


def test_every_example_goes_one_way_or_is_named_with_its_reason() -> None:
    every = {(scenario.id, preset) for scenario in ALL for preset in scenario.presets}
    ways = {way: pairs(way) for way in ("laid", "dealt", "drawn", "refused")}
    assert set().union(*ways.values()) == every
    assert set(NOT_AT_THE_TABLE) <= ways["laid"] | ways["dealt"]
    assert set(NOT_AT_THE_TABLE) & AHEAD == set()
    assert all(NOT_AT_THE_TABLE.values())
    reached = every - set(NOT_AT_THE_TABLE)
    assert len(reached) >= REACHED
    assert len(reached - AHEAD) >= REACHED_WORD_FOR_WORD


@pytest.mark.slow
def test_the_records_of_all_these_tables_pass_the_audit(hall: Hall) -> None:
    come_to(hall, BY_ID["E10"], "official")
    reports = hall.audits()
    assert reports
    for report in reports:
        assert report.finding in {Finding.COMPLETE, Finding.INCOMPLETE}, report.reason
        assert report.reason in {"", "The match has not ended in it."}

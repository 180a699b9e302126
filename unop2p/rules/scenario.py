"""Scenario files: rules as examples that run. Text in, results out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from unop2p.errors import InvalidOptionsError, LocalError
from unop2p.ids import SEATS_MIN
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.toml_text import TomlTextError, read_toml

_TEXT: Final = "text"
_TEXTS: Final = "a list of texts"
_NUMBER: Final = "a whole number"
_YES: Final = "true or false"
_COUNTS: Final = "a table of whole numbers"
CARDS_MAX: Final = 4 * 112
"""All cards of four decks: nobody holds or owes more."""
_HANDS: Final = f"a table with a list of cards or a number of 1 to {CARDS_MAX} for each seat"
_ANY: Final = ""

KEYS: Final[dict[str, str]] = {
    "id": _ANY,
    "title": _TEXT,
    "presets": _ANY,
    "options": _ANY,
    "seats": _ANY,
    "dealer": _TEXT,
    "turn": _TEXT,
    "direction": _TEXT,
    "top": _TEXT,
    "attack": f"a table, `{{ by = SEAT, cards = NUMBER }}`, with 0 to {CARDS_MAX} cards",
    "discards": _TEXTS,
    "pile": _TEXTS,
    "hands": _HANDS,
    "called": _TEXTS,
    "totals": _COUNTS,
    "do": _TEXTS,
    "turned": _TEXTS,
    "draws": "a list of tables that give each seat its card",
    "deal": _YES,
    "expect": _ANY,
}
"""What a scenario may give, and of which shape; those without a shape are looked at apart."""

EXPECT_KEYS: Final[dict[str, str]] = {
    "presets": _ANY,
    "result": _ANY,
    "results": _TEXTS,
    "lawful": _YES,
    "turn": _TEXT,
    "direction": _TEXT,
    "top": _TEXT,
    "color": _TEXT,
    "attack": _NUMBER,
    "hands": _HANDS.replace("1 to", "0 to"),
    "drawn": _COUNTS,
    "pile": _NUMBER,
    "catchable": _TEXTS,
    "legal": _TEXTS,
    "illegal": _TEXTS,
    "dealer": _TEXT,
    "redraw": _TEXTS,
    "shuffled": _YES,
    "round_over": _YES,
    "blocked": _YES,
    "points": _COUNTS,
    "totals": _COUNTS,
    "winners": _TEXTS,
    "out": _TEXTS,
    "match_over": _YES,
}
"""What may be expected, and of which shape."""


def _has_shape(value: object, shape: str) -> bool:
    """Return whether a TOML value is what a key asks for."""
    if shape == _ANY:
        return True
    if shape == _TEXT:
        return isinstance(value, str)
    if shape == _TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if shape == _NUMBER:
        return type(value) is int
    if shape == _YES:
        return isinstance(value, bool)
    if shape == KEYS["draws"]:
        return isinstance(value, list) and all(isinstance(item, dict) for item in value)
    if not isinstance(value, dict):
        return False
    if shape == KEYS["attack"]:
        cards = value.get("cards")
        return set(value) == {"by", "cards"} and type(cards) is int and 0 <= cards <= CARDS_MAX
    if shape == _COUNTS:
        return all(type(item) is int for item in value.values())
    least = 1 if shape == _HANDS else 0
    return all(
        _has_shape(item, _TEXTS) or (type(item) is int and least <= item <= CARDS_MAX)
        for item in value.values()
    )


RESULTS: Final = ("accepted", "refused", "fouled")


class ScenarioError(LocalError):
    """The scenario file is wrong."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One example, read and checked for its shape."""

    id: str
    title: str
    presets: tuple[str, ...]
    overrides: Mapping[str, object]
    given: Mapping[str, Any]
    """Every key as the file gives it."""
    expects: tuple[Mapping[str, Any], ...]

    def options(self, preset: str) -> Options:
        """Return the options under one preset.

        Raises:
            ScenarioError: the overrides make no sense.
        """
        try:
            return with_overrides(PRESETS[preset], self.overrides)
        except InvalidOptionsError as error:
            raise wrong(self.id, "options", str(error)) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """What one scenario came to under one preset."""

    scenario: str
    title: str
    preset: str
    differences: tuple[str, ...]
    """One sentence for each expectation that does not hold."""

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return not self.differences


def wrong(scenario: str, key: str, reason: str) -> ScenarioError:
    """Return the error for a key of a scenario."""
    return ScenarioError(f"Scenario {scenario}, key `{key}`: {reason}")


def load_scenarios(text: str) -> tuple[Scenario, ...]:
    """Read a scenario file.

    Raises:
        ScenarioError: it is no TOML, or a scenario or key in it is wrong.
    """
    try:
        document = read_toml(text)
    except TomlTextError as error:
        raise ScenarioError(error.args[0]) from error
    unknown = [key for key in document if key != "scenario"]
    if unknown:
        message = f"Unknown key `{unknown[0]}`: a file holds [[scenario]] tables only."
        raise ScenarioError(message)
    items = document.get("scenario", [])
    if not isinstance(items, list) or not items:
        message = "There is no [[scenario]] in it."
        raise ScenarioError(message)
    found = tuple(_load(item, number) for number, item in enumerate(items, start=1))
    names = [scenario.id for scenario in found]
    for name in names:
        if names.count(name) > 1:
            raise wrong(name, "id", "two scenarios have this id.")
    return found


def _load(item: object, number: int) -> Scenario:
    if not isinstance(item, dict):
        raise wrong(f"number {number}", "scenario", "it is no table.")  # noqa: EM102, TRY003  # one place
    name = item.get("id")
    if not isinstance(name, str) or not name:
        raise wrong(f"number {number}", "id", "every scenario needs one.")  # noqa: EM102, TRY003  # one place
    for key in item:
        if key not in KEYS:
            raise wrong(name, key, "there is no such key.")
        if not _has_shape(item[key], KEYS[key]):
            raise wrong(name, key, f"it is {KEYS[key]}.")
    seats = item.get("seats")
    names = [str(seat) for seat in seats] if isinstance(seats, list) else []
    if len(names) < SEATS_MIN or len(set(names)) != len(names):
        raise wrong(name, "seats", "it lists two or more different names.")
    if any(len(seat.split()) != 1 for seat in names):
        raise wrong(name, "seats", "each name is one word, for an action begins with it.")
    starts = [key for key in ("top", "turned", "draws", "deal") if key in item]
    if not starts:
        raise wrong(name, "top", "a scenario gives `top`, `turned`, `draws` or `deal`.")
    presets = _presets(name, "presets", item.get("presets"), tuple(PRESETS))
    expects = item.get("expect", [])
    if not isinstance(expects, list) or not all(isinstance(each, dict) for each in expects):
        raise wrong(name, "expect", "it is written as [[scenario.expect]].")
    for expect in expects:
        for key in expect:
            if key not in EXPECT_KEYS:
                raise wrong(name, f"expect.{key}", "there is no such key.")
            if not _has_shape(expect[key], EXPECT_KEYS[key]):
                raise wrong(name, f"expect.{key}", f"it is {EXPECT_KEYS[key]}.")
        if expect.get("result", "accepted") not in RESULTS:
            raise wrong(name, "expect.result", f"it is one of {', '.join(RESULTS)}.")
        for preset in _presets(name, "expect.presets", expect.get("presets"), presets):
            if preset not in presets:
                raise wrong(name, "expect.presets", f"the scenario is not for `{preset}`.")
    overrides = item.get("options", {})
    if not isinstance(overrides, dict):
        raise wrong(name, "options", "it is a table of options.")
    scenario = Scenario(
        id=name,
        title=str(item.get("title", "")),
        presets=presets,
        overrides=overrides,
        given=item,
        expects=tuple(expects),
    )
    for preset in presets:
        scenario.options(preset)
    return scenario


def _presets(name: str, key: str, given: object, default: tuple[str, ...]) -> tuple[str, ...]:
    if given is None:
        return default
    if not isinstance(given, list):
        raise wrong(name, key, "it is a list of preset names.")
    for preset in given:
        if not isinstance(preset, str) or preset not in PRESETS:
            raise wrong(name, key, f"there is no preset `{preset}`.")
    return tuple(given)


def run_scenario(scenario: Scenario) -> tuple[ScenarioResult, ...]:
    """Run a scenario under each of its presets.

    Raises:
        ScenarioError: a card, seat, action or number in it is wrong.
    """
    from unop2p.rules.scenario_run import run_preset  # noqa: PLC0415  # it builds on this module

    return tuple(run_preset(scenario, preset) for preset in scenario.presets)

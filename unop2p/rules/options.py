"""The rule options of a table: its choices, six presets, and their plain-English sentences.

Everything here is a value. Sets are sorted tuples, so that equal options are equal and hash alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Literal

from unop2p.errors import InvalidOptionsError
from unop2p.rules.blanks import BlankCard, card_text, check_cards, read_card
from unop2p.rules.toml_text import TomlTextError, read_toml
from unop2p.words import quoted, said

OptionValue = bool | int | str | tuple[str, ...] | tuple[BlankCard, ...]

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "deck": ("108", "110", "112_shuffle", "112_swap"),
    "blank_effect": ("wild", "swap_hands", "others_draw_one", "removed"),
    "dealer_selection": ("high_card_zero", "high_card_redraw", "random", "chosen"),
    "first_action": ("official", "as_played", "reverse_only", "none"),
    "first_wild": ("choose_color", "reshuffle", "bury_middle"),
    "symbol_match": ("all", "skip_only", "none"),
    "wild_condition": ("any_time", "no_colored_match"),
    "wd4_condition": ("any_time", "no_color", "no_colored_match", "no_other_playable"),
    "wd4_challenge": ("off", "card_stays", "card_returns"),
    "drawn_card": ("may_play", "must_play"),
    "stacking": ("none", "pass", "add"),
    "uno_deadline": ("before_card", "until_caught"),
    "jump_in": ("off", "numbers", "colored"),
    "play_pairs": ("off", "numbers", "colored"),
    "scoring": ("winner_takes", "keep_own"),
    "match_end": ("target", "eliminate", "rounds"),
    "hidden_checks": ("audit", "proved"),
}
"""Options with one value out of a list."""

SETS: Final[dict[str, tuple[str, ...]]] = {
    "stack_on": ("two_on_two", "two_on_four", "four_on_two", "four_on_four"),
    "deflect": ("skip", "reverse"),
    "hand_moves": ("zero_rotates", "zero_swaps", "seven_swaps"),
}
"""Options with any number of values out of a list, kept in this order."""

NUMBERS: Final[dict[str, tuple[int, ...] | range]] = {
    "uno_penalty": (0, 2, 4),
    "foul_penalty": (0, 2),
    "action_points": (20, 25),
    "extra_wild_points": (40, 50),
    "target": range(1, 5001),
    "decks": range(1, 5),
}
FLAGS: Final = ("draw_until_playable", "voluntary_draw", "last_draw_counts", "teams")
NAME_CHARACTERS_MAX: Final = 24
"""Of a player, as in `first_dealer`."""
TEAM_SEATS_MIN: Final = 4


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is played at a table. The defaults are the `official` preset.

    Raises:
        InvalidOptionsError: an unknown value, or a combination that makes no sense.
    """

    deck: Literal["108", "110", "112_shuffle", "112_swap"] = "112_shuffle"
    blank_effect: Literal["wild", "swap_hands", "others_draw_one", "removed"] = "wild"
    dealer_selection: Literal["high_card_zero", "high_card_redraw", "random", "chosen"] = (
        "high_card_zero"
    )
    first_action: Literal["official", "as_played", "reverse_only", "none"] = "official"
    first_wild: Literal["choose_color", "reshuffle", "bury_middle"] = "choose_color"
    symbol_match: Literal["all", "skip_only", "none"] = "all"
    wild_condition: Literal["any_time", "no_colored_match"] = "any_time"
    wd4_condition: Literal["any_time", "no_color", "no_colored_match", "no_other_playable"] = (
        "no_color"
    )
    wd4_challenge: Literal["off", "card_stays", "card_returns"] = "card_stays"
    draw_until_playable: bool = False
    voluntary_draw: bool = True
    drawn_card: Literal["may_play", "must_play"] = "may_play"
    stacking: Literal["none", "pass", "add"] = "none"
    stack_on: tuple[str, ...] = ()
    deflect: tuple[str, ...] = ()
    uno_deadline: Literal["before_card", "until_caught"] = "until_caught"
    uno_penalty: int = 2
    foul_penalty: int = 0
    last_draw_counts: bool = True
    hand_moves: tuple[str, ...] = ()
    jump_in: Literal["off", "numbers", "colored"] = "off"
    play_pairs: Literal["off", "numbers", "colored"] = "off"
    scoring: Literal["winner_takes", "keep_own"] = "winner_takes"
    action_points: int = 20
    extra_wild_points: int = 40
    target: int = 500
    match_end: Literal["target", "eliminate", "rounds"] = "target"
    decks: int = 1
    """How many of them are shuffled together."""
    teams: bool = False
    """Partners sit opposite each other."""
    first_dealer: str = ""
    """With `dealer_selection=chosen` the name of who deals first; empty: who opened the table."""
    blank_cards: tuple[BlankCard, ...] = ()
    """Blanks with a meaning of their own; `blank_effect` is for the others."""
    hidden_checks: Literal["audit", "proved"] = "audit"

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        for name in FIELD_NAMES:
            _check_value(name, getattr(self, name))
        _check_sense(self)
        values = tuple(getattr(self, name) for name in FIELD_NAMES)
        self.__dict__["known_hash"] = hash(values)

    def __hash__(self) -> int:
        """Return the hash, which is asked for often and counted once."""
        return self.__dict__["known_hash"]  # type: ignore[no-any-return]  # an int, from above


FIELD_NAMES: Final = tuple(field.name for field in fields(Options))
for _name in FIELD_NAMES:
    delattr(Options, _name)  # the default stays with the field; why: the end of `position.py`


def _check_value(name: str, value: object) -> None:
    fine = False
    allowed: object = "true, false"
    if name in CHOICES:
        allowed = CHOICES[name]
        fine = isinstance(value, str) and value in CHOICES[name]
    elif name in SETS:
        allowed = SETS[name]
        fine = isinstance(value, tuple) and value == tuple(v for v in SETS[name] if v in value)
    elif name in NUMBERS:
        allowed = NUMBERS[name]
        fine = type(value) is int and value in NUMBERS[name]
    elif name == "first_dealer":
        allowed = said(
            "a player's name, one word of up to {most} characters, or nothing",
            most=NAME_CHARACTERS_MAX,
        )
        fine = (
            isinstance(value, str)
            and len(value) <= NAME_CHARACTERS_MAX
            and value.isprintable()
            and not any(character.isspace() for character in value)
        )
    elif name == "blank_cards":
        allowed = said("a list of cards, each as in `thunder x2: choose color, skip next`")
        fine = isinstance(value, tuple) and all(isinstance(item, BlankCard) for item in value)
    else:
        fine = isinstance(value, bool)
    if not fine:
        if isinstance(allowed, range):
            allowed = said("{least} to {most}", least=allowed.start, most=allowed.stop - 1)
        elif isinstance(allowed, tuple):
            allowed = ", ".join(str(item) for item in allowed)
        message = said(
            "`{name}` cannot be {value}; it may be: {allowed}.",
            name=name,
            value=quoted(value),
            allowed=allowed,
        )
        raise InvalidOptionsError(message)


def _check_sense(options: Options) -> None:
    reason = None
    if options.match_end == "eliminate" and options.scoring != "keep_own":
        reason = said(
            "`match_end=eliminate` needs `scoring=keep_own`: nobody gathers points otherwise."
        )
    elif options.wd4_condition == "any_time" and options.wd4_challenge != "off":
        reason = said(
            "a Wild Draw Four lawful any time cannot be challenged: set `wd4_challenge=off`."
        )
    elif {"zero_rotates", "zero_swaps"} <= set(options.hand_moves):
        reason = said("a zero cannot both rotate and swap hands.")
    elif options.stacking != "none" and not options.stack_on:
        reason = said("`stacking` needs at least one value in `stack_on`.")
    elif options.first_dealer and options.dealer_selection != "chosen":
        reason = said(
            "`first_dealer` needs `dealer_selection=chosen`: else the cards or the lot decide."
        )
    elif options.blank_cards and not options.deck.startswith("112"):
        reason = said(
            "the deck of {deck} has no blank cards: set `deck=112_shuffle` or 112_swap.",
            deck=options.deck,
        )
    if reason is not None:
        raise InvalidOptionsError(reason)
    check_cards(options.blank_cards)


def check_seats(options: Options, seats: int) -> None:
    """Raise `InvalidOptionsError` unless so many seats can play by these rules."""
    if options.teams and (seats < TEAM_SEATS_MIN or seats % 2):
        message = said(
            "`teams` needs an even number of seats, {team_seats_min} or more, so that "
            "everybody has a partner opposite; here are {seats}.",
            team_seats_min=TEAM_SEATS_MIN,
            seats=seats,
        )
        raise InvalidOptionsError(message)


_OFFICIAL: Final = Options()
PRESETS: Final[dict[str, Options]] = {
    "official": _OFFICIAL,
    "greek": replace(
        _OFFICIAL, wd4_condition="no_other_playable", wd4_challenge="off", voluntary_draw=False
    ),
    "hebrew": replace(
        _OFFICIAL,
        deck="108",
        dealer_selection="high_card_redraw",
        first_action="reverse_only",
        first_wild="bury_middle",
        symbol_match="none",
        wd4_condition="no_colored_match",
        wd4_challenge="off",
        draw_until_playable=True,
        drawn_card="must_play",
        uno_deadline="before_card",
        uno_penalty=4,
        scoring="keep_own",
    ),
    "ukrainian": replace(
        _OFFICIAL,
        deck="108",
        wd4_condition="no_other_playable",
        wd4_challenge="card_returns",
        voluntary_draw=False,
        drawn_card="must_play",
        stacking="pass",
        stack_on=("two_on_two", "two_on_four"),
        deflect=("skip", "reverse"),
        uno_deadline="before_card",
        foul_penalty=2,
        extra_wild_points=50,
    ),
    "romanian": replace(
        _OFFICIAL,
        deck="110",
        blank_effect="removed",
        dealer_selection="random",
        first_action="as_played",
        first_wild="reshuffle",
        symbol_match="skip_only",
        wild_condition="no_colored_match",
        wd4_condition="no_colored_match",
        wd4_challenge="off",
        stacking="add",
        stack_on=SETS["stack_on"],
        hand_moves=("zero_rotates",),
        jump_in="numbers",
        play_pairs="numbers",
        scoring="keep_own",
        action_points=25,
    ),
    "polish": replace(_OFFICIAL, deck="108"),
}


def preset_of(options: Options) -> str:
    """Return the name of the preset that these options are; empty where they are of their own."""
    return next((name for name, known in PRESETS.items() if known == options), "")


def preset(name: str) -> Options:
    """Return a preset by name.

    Raises:
        InvalidOptionsError: there is none with this name.
    """
    if name not in PRESETS:
        message = said(
            "there is no preset `{name}`; there are: {names}.",
            name=quoted(name)[1:-1],
            names=", ".join(PRESETS),
        )
        raise InvalidOptionsError(message)
    return PRESETS[name]


def with_overrides(options: Options, overrides: Mapping[str, object]) -> Options:
    """Return the options with some values set, from text or from TOML values.

    Text is read as TOML writes it, and more freely: `true`, `500`, `two_on_two,four_on_four`,
    `{zero_swaps}`.

    Raises:
        InvalidOptionsError: an unknown name or value, or a combination that makes no sense.
    """
    values = {name: getattr(options, name) for name in FIELD_NAMES}
    for name, given in overrides.items():
        _check_name(name)
        values[name] = _read(name, given)
    return Options(**values)


def _check_name(name: str) -> None:
    if name not in FIELD_NAMES:
        message = said(
            "there is no option `{name}`; there are: {names}.",
            name=quoted(name)[1:-1],
            names=", ".join(FIELD_NAMES),
        )
        raise InvalidOptionsError(message)


def _read(name: str, given: object) -> object:
    if name in SETS:
        items = _set_items(given) if isinstance(given, str) else given
        if isinstance(items, list | tuple | set | frozenset):
            unknown = [item for item in items if item not in SETS[name]]
            if unknown:
                allowed = ", ".join(SETS[name])
                message = said(
                    "`{name}` cannot hold {unknown}; it may hold: {allowed}.",
                    name=name,
                    unknown=quoted(unknown[0]),
                    allowed=allowed,
                )
                raise InvalidOptionsError(message)
            return tuple(value for value in SETS[name] if value in items)
        return given
    if name == "blank_cards":
        return _read_cards(given)
    if name in CHOICES or name == "first_dealer":
        return str(given) if type(given) is int else given
    if isinstance(given, str):
        try:
            read = read_toml(f"value = {given.strip().lower()}")
        except TomlTextError:
            return given
        return read["value"] if len(read) == 1 else given  # a second line would go unseen
    return given


def _read_cards(given: object) -> object:
    """Return cards from a list of them or of their lines, or from one line with `;` between."""
    items = [item for item in given.split(";") if item.strip()] if isinstance(given, str) else given
    if not isinstance(items, list | tuple):
        return given
    return tuple(item if isinstance(item, BlankCard) else read_card(item) for item in items)


def _set_items(text: str) -> list[str]:
    bare = text.strip().strip("{}[]")
    items = [item.strip().strip("\"'") for item in bare.split(",")]
    return [item for item in items if item not in {"", "none"}]


def options_to_dict(options: Options) -> dict[str, bool | int | str | list[str]]:
    """Return every option by name, as plain JSON values; a blank card as its line."""
    return {name: _plain(getattr(options, name)) for name in FIELD_NAMES}


def _plain(value: OptionValue) -> bool | int | str | list[str]:
    if not isinstance(value, tuple):
        return value
    return [card_text(item) if isinstance(item, BlankCard) else item for item in value]


def options_from_dict(values: Mapping[str, object]) -> Options:
    """Return the options of a dict that holds every one of them; the inverse of `options_to_dict`.

    Raises:
        InvalidOptionsError: a name missing or unknown, a value of the wrong kind, or nonsense.
    """
    for name in values:
        _check_name(name)
    missing = [name for name in FIELD_NAMES if name not in values]
    if missing:
        message = said("the option `{missing}` is missing.", missing=missing[0])
        raise InvalidOptionsError(message)
    held = {
        name: _read_cards(value)
        if name == "blank_cards" and isinstance(value, list)
        else tuple(value)
        if isinstance(value, list)
        else value
        for name, value in values.items()
    }
    for name, value in held.items():
        _check_value(name, value)
    return Options(**held)  # type: ignore[arg-type]  # each value was checked just above

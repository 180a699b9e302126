"""The rules in force in plain sentences, made from the option values alone."""

from collections.abc import Callable
from typing import Final

from unop2p.errors import InvalidOptionsError
from unop2p.rules.blanks import (
    AGAIN,
    BLANKS,
    COLOR,
    DISCARD,
    DRAWS,
    REVERSE,
    SKIP,
    BlankCard,
    HandMove,
    Whom,
)
from unop2p.rules.cards import NAMED_BLANKS, Face
from unop2p.rules.options import (
    CHOICES,
    FIELD_NAMES,
    FLAGS,
    NUMBERS,
    SETS,
    Options,
    OptionValue,
    with_overrides,
)

TOPICS: Final[dict[str, str]] = {
    "deck": "which cards are in the deck",
    "blank_effect": "what a blank card does",
    "dealer_selection": "who deals first",
    "first_action": "what an action card does that is turned up first",
    "first_wild": "what happens with a Wild that is turned up first",
    "symbol_match": "which action cards go on an action card of another color",
    "wild_condition": "when a Wild may be played",
    "wd4_condition": "when a Wild Draw Four may be played",
    "wd4_challenge": "whether a Wild Draw Four can be doubted, and where the card goes",
    "draw_until_playable": "whether one draws until a card fits",
    "voluntary_draw": "whether one may draw although a card fits",
    "drawn_card": "what may be done with a drawn card that fits",
    "stacking": "whether a Draw Two or Draw Four can be answered, and what passes on",
    "stack_on": "which card answers which",
    "deflect": "which other cards are answered by their like",
    "uno_deadline": "until when UNO can be called",
    "uno_penalty": "cards for a missed UNO call; 0: no call",
    "foul_penalty": "cards for playing a card that does not fit; 0: it cannot be played",
    "last_draw_counts": "whether a last Draw Two or Draw Four is still drawn",
    "hand_moves": "which numbers move hands",
    "jump_in": "whether an identical card may be played out of turn",
    "play_pairs": "whether two identical cards may be played at once",
    "scoring": "who gets the points of the hands",
    "action_points": "points of a colored action card",
    "extra_wild_points": "points of a Shuffle Hands, Swap Hands or blank card",
    "target": "points, or rounds, that end the match",
    "match_end": "how the match ends",
    "decks": "how many decks are shuffled together",
    "teams": "whether partners play together",
    "first_dealer": "with dealer_selection=chosen, the name of who deals first",
    "blank_cards": "blank cards with a meaning of their own",
    "hidden_checks": "when rules about hidden cards are checked by the others",
}
"""What each option is about, as `unop2p rules` lists it."""

FREE: Final = {
    "first_dealer": "NAME",
    "blank_cards": "CARD;CARD... each as in `thunder x2: choose color, skip next`",
}
"""Options whose values are words of the players' own, and how these are written."""

_SENTENCES: dict[str, dict[str, str]] = {
    "deck": {
        "108": "The deck has 108 cards.",
        "110": "The deck has 108 cards; the two spares of the box stay out.",
        "112_shuffle": "The deck has 112 cards: one Shuffle Hands and three blanks on top of 108.",
        "112_swap": "The deck has 112 cards: one Swap Hands and three blanks on top of 108.",
    },
    "blank_effect": {
        "wild": "A blank card is a Wild.",
        "swap_hands": "A blank card is a Wild that swaps your hand with a player of your choice.",
        "others_draw_one": "A blank card is a Wild that makes everybody else draw one.",
        "removed": "There are no blank cards.",
    },
    "dealer_selection": {
        "high_card_zero": "The highest card drawn deals first; actions and wilds count zero.",
        "high_card_redraw": "The highest number drawn deals first; other cards are drawn again.",
        "random": "The first dealer is drawn by lot.",
        "chosen": "Who opened the table deals first.",
    },
    "first_action": {
        "official": "A first Skip or Draw Two hits the dealer's left; a first Reverse lets the "
        "dealer start, the other way round.",
        "as_played": "A first action card counts as if the dealer had played it.",
        "reverse_only": "A first Reverse counts; a first Skip or Draw Two does nothing.",
        "none": "A first action card does nothing.",
    },
    "first_wild": {
        "choose_color": "A first Wild stays: the first player names its color.",
        "reshuffle": "A first Wild goes back, and the pile is shuffled again.",
        "bury_middle": "A first Wild goes into the middle of the pile.",
    },
    "symbol_match": {
        "all": "An action card goes on the same action of any color.",
        "skip_only": "A Skip goes on any Skip; Reverse and Draw Two go on their color only.",
        "none": "Action cards go on their own color only.",
    },
    "wild_condition": {
        "any_time": "A Wild may be played any time.",
        "no_colored_match": "A Wild may be played only with no colored card that fits.",
    },
    "wd4_condition": {
        "any_time": "A Wild Draw Four may be played any time.",
        "no_color": "A Wild Draw Four is lawful only with no card of the color in force.",
        "no_colored_match": "A Wild Draw Four is lawful only with no colored card that fits.",
        "no_other_playable": "A Wild Draw Four is lawful only with nothing else to play.",
    },
    "wd4_challenge": {
        "off": "An unlawful Wild Draw Four cannot be played.",
        "card_stays": "A Wild Draw Four can be challenged: guilty, its player draws the four and "
        "the card stays; innocent, the challenger draws six.",
        "card_returns": "A Wild Draw Four can be challenged: guilty, its player takes it back and "
        "draws four; innocent, the challenger draws six.",
    },
    "draw_until_playable": {
        "false": "Who draws takes one card.",
        "true": "Who draws takes cards until one fits.",
    },
    "voluntary_draw": {
        "true": "You may draw although you could play.",
        "false": "You may draw only when nothing fits.",
    },
    "drawn_card": {
        "may_play": "A drawn card that fits may be played or kept.",
        "must_play": "A drawn card that fits must be played.",
    },
    "stacking": {
        "none": "A Draw Two or Draw Four cannot be passed on.",
        "pass": "An answered attack passes on the value of the last card.",
        "add": "An answered attack passes on the sum of all its cards.",
    },
    "uno_deadline": {
        "until_caught": "UNO may be called late, until somebody catches you.",
        "before_card": "UNO is called with the play; later does not count.",
    },
    "last_draw_counts": {
        "true": "A last Draw Two or Draw Four is still drawn, and counts.",
        "false": "A last Draw Two or Draw Four is not drawn.",
    },
    "jump_in": {
        "off": "Nobody plays out of turn.",
        "numbers": "Who holds the identical number card may jump in.",
        "colored": "Who holds the identical colored card may jump in.",
    },
    "play_pairs": {
        "off": "One card is played a turn.",
        "numbers": "Two identical number cards may be played at once.",
        "colored": "Two identical colored cards may be played at once; they act as one.",
    },
    "scoring": {
        "winner_takes": "The winner of a round gets the points of all other hands.",
        "keep_own": "Everybody is charged the points of the own hand.",
    },
    "teams": {
        "false": "Everybody plays alone.",
        "true": "Partners sit opposite each other: a round ends when one of them is out, and their "
        "points go together.",
    },
    "hidden_checks": {
        "audit": "Rules about hidden cards are checked by everybody when the round is over.",
        "proved": "A move that a rule about hidden cards limits is proved when it is made.",
    },
}
_STACKS = {
    "two_on_two": "a Draw Two answers a Draw Two",
    "two_on_four": "a Draw Two of the named color answers a Draw Four",
    "four_on_two": "a Draw Four answers a Draw Two",
    "four_on_four": "a Draw Four answers a Draw Four",
}
_MOVES = {
    "zero_rotates": "A 0 passes all hands on.",
    "zero_swaps": "A 0 swaps your hand with a player of your choice.",
    "seven_swaps": "A 7 swaps your hand with a player of your choice.",
}


def _sentence(options: Options, name: str) -> str | None:
    """Return the sentence of one option; None where another's says it."""
    value: OptionValue = getattr(options, name)
    if name in _SPECIAL and _SPECIAL[name][0](options):
        return _SPECIAL[name][1](options)
    if name in _SENTENCES:
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return _SENTENCES[name][key]
    match name:
        case "stack_on":
            parts = [_STACKS[item] for item in options.stack_on]
            return None if options.stacking == "none" else _as_sentence("; ".join(parts))
        case "deflect":
            parts = [item.capitalize() for item in options.deflect]
            return f"A {' or '.join(parts)} can be answered by the same." if parts else None
        case "uno_penalty":
            if options.uno_penalty == 0:
                return "UNO need not be called."
            return f"Who is caught without an UNO call draws {options.uno_penalty}."
        case "foul_penalty":
            return f"A wrong card costs {value} cards." if value else None
        case "hand_moves":
            return " ".join(_MOVES[item] for item in options.hand_moves) or None
        case "action_points":
            return f"Colored action cards are worth {value}, Wilds and Draw Fours 50."
        case "extra_wild_points":
            has_extra = str(options.deck).startswith("112")
            return f"Shuffle, Swap and blank cards are worth {value}." if has_extra else None
        case "match_end":
            return _end(options)
        case "decks":
            return f"{value} decks are shuffled together." if value != 1 else None
        case "blank_cards":
            return _cards_sentence(options)
        case _:
            return None


_TEAM_SCORING: Final = {
    "winner_takes": "The winner of a round and the partner get the points of all other hands.",
    "keep_own": "Partners are charged the points of both their hands.",
}
_EFFECTS: Final = {
    DISCARD: "you may put down all your cards of one color with it",
    COLOR: "you name the color",
    REVERSE: "the direction turns",
    "swap hands": "you swap hands with a player of your choice",
    "rotate hands": "all pass their hands on in the direction of play",
    "shuffle hands": "all hands are shuffled together and dealt again",
    SKIP: "the next player loses the turn",
    AGAIN: "you play again",
}
_DRAWERS: Final = {
    Whom.NEXT: "the next player draws",
    Whom.OTHERS: "everybody else draws",
    Whom.CHOSEN: "a player of your choice draws",
}


def _cards_sentence(options: Options) -> str | None:
    cards = zip(options.blank_cards, NAMED_BLANKS, strict=False)
    return " ".join(card_sentence(card, face) for card, face in cards) or None


def card_sentence(card: BlankCard, face: Face) -> str:
    """Return what a blank card with a meaning of its own does, in one sentence.

    >>> from unop2p.rules.blanks import read_card
    >>> card_sentence(read_card("gift: draw 1 others, play again"), Face.WB1)
    'Gift (the blank WB1): everybody else draws 1, you play again; the color stays.'
    """
    parts: list[str] = []
    for effect in card.effects:
        if effect in DRAWS:
            whom, count = DRAWS[effect]
            both = whom is Whom.CHOSEN and card.rule.hands is HandMove.SWAP
            parts.append(f"{'that player draws' if both else _DRAWERS[whom]} {count}")
        else:
            parts.append(_EFFECTS[effect])
    stays = "" if card.rule.names_color else "; the color stays"
    cards = f"{card.count} blanks {face}" if card.count > 1 else f"the blank {face}"
    return f"{card.name[:1].upper()}{card.name[1:]} ({cards}): {', '.join(parts)}{stays}."


def _other_blanks(options: Options) -> str | None:
    left = BLANKS - sum(card.count for card in options.blank_cards)
    if not left:
        return None
    if options.blank_effect == "removed":
        return "The other blank cards are left out."
    return _SENTENCES["blank_effect"][options.blank_effect].replace("A blank", "Any other blank")


_SPECIAL: Final[dict[str, tuple[Callable[[Options], bool], Callable[[Options], str | None]]]] = {
    "dealer_selection": (
        lambda options: bool(options.first_dealer),
        lambda options: f"{options.first_dealer} deals first (who opened the table, if absent).",
    ),
    "blank_effect": (lambda options: bool(options.blank_cards), _other_blanks),
    "teams": (lambda options: not options.teams, lambda _options: None),
    "scoring": (
        lambda options: options.teams,
        lambda options: _TEAM_SCORING[options.scoring],
    ),
}
"""Options whose sentence is another where a second option says so: when, and which."""


def _end(options: Options) -> str:
    match options.match_end:
        case "rounds":
            return f"Who first wins {options.target} rounds wins the match."
        case "eliminate":
            return f"Who has {options.target} points is out; who is left wins."
        case _:
            best = "highest" if options.scoring == "winner_takes" else "lowest"
            return f"At {options.target} points the match ends, and the {best} total wins."


def describe(options: Options) -> list[str]:
    """Return all rules in force, a sentence each."""
    said = (_sentence(options, name) for name in FIELD_NAMES)
    return [sentence for sentence in said if sentence]


def differences(options: Options, base: Options) -> list[str]:
    """Return the sentences of the rules that differ from another set of options."""
    common = set(describe(base))
    return [sentence for sentence in describe(options) if sentence not in common]


def meanings(name: str) -> list[tuple[str, str]]:
    """Return the values that an option can have, as `--set` takes them, each with its sentence.

    A sentence is empty where no other option lets the value show. Sets give each of their items; a
    number with many values is given as its range.

    Raises:
        KeyError: there is no option of that name.
    """
    if name in SETS:
        words = {
            **_STACKS,
            **{item: f"a {item.capitalize()}" for item in SETS["deflect"]},
            **_MOVES,
        }
        return [(item, _as_sentence(words[item])) for item in SETS[name]]
    if name in NUMBERS:
        numbers = NUMBERS[name]
        if isinstance(numbers, range):
            return [(f"{numbers.start} to {numbers.stop - 1}", "")]
        return [(str(number), _alone(name, number)) for number in numbers]
    if name in FLAGS:
        return [(str(flag).lower(), _alone(name, flag)) for flag in (False, True)]
    if name in FREE:
        return [(FREE[name], "")]
    return [
        (value, _SENTENCES.get(name, {}).get(value) or _alone(name, value))
        for value in CHOICES[name]
    ]


def _as_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _alone(name: str, value: OptionValue) -> str:
    """Return the sentence of one value where it is the only change from `official`."""
    for scoring in ("winner_takes", "keep_own"):
        try:
            options = with_overrides(Options(), {"scoring": scoring, name: value})
        except InvalidOptionsError:
            continue
        return _sentence(options, name) or ""
    return ""

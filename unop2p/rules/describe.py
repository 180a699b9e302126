"""The rules in force in plain sentences, made from the option values alone."""

from collections.abc import Callable
from functools import reduce
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
from unop2p.words import Said, as_sentence, listed, mark, said, said_n

TOPICS: Final[dict[str, str]] = {
    "deck": mark("which cards are in the deck"),
    "blank_effect": mark("what a blank card does"),
    "dealer_selection": mark("who deals first"),
    "first_action": mark("what an action card does that is turned up first"),
    "first_wild": mark("what happens with a Wild that is turned up first"),
    "symbol_match": mark("which action cards go on an action card of another color"),
    "wild_condition": mark("when a Wild may be played"),
    "wd4_condition": mark("when a Wild Draw Four may be played"),
    "wd4_challenge": mark("whether a Wild Draw Four can be doubted, and where the card goes"),
    "draw_until_playable": mark("whether one draws until a card fits"),
    "voluntary_draw": mark("whether one may draw although a card fits"),
    "drawn_card": mark("what may be done with a drawn card that fits"),
    "stacking": mark("whether a Draw Two or Draw Four can be answered, and what passes on"),
    "stack_on": mark("which card answers which"),
    "deflect": mark("which other cards are answered by their like"),
    "uno_deadline": mark("until when UNO can be called"),
    "uno_penalty": mark("cards for a missed UNO call; 0: no call"),
    "foul_penalty": mark(
        "cards for a card that does not fit, or a call out of place; 0: none, and such a card is refused"
    ),
    "last_draw_counts": mark("whether a last Draw Two or Draw Four is still drawn"),
    "hand_moves": mark("which numbers move hands"),
    "jump_in": mark("whether an identical card may be played out of turn"),
    "play_pairs": mark("whether two identical cards may be played at once"),
    "scoring": mark("who gets the points of the hands"),
    "action_points": mark("points of a colored action card"),
    "extra_wild_points": mark("points of a Shuffle Hands, Swap Hands or blank card"),
    "target": mark("points, or rounds, that end the match"),
    "match_end": mark("how the match ends"),
    "decks": mark("how many decks are shuffled together"),
    "teams": mark("whether partners play together"),
    "first_dealer": mark("with dealer_selection=chosen, the name of who deals first"),
    "blank_cards": mark("blank cards with a meaning of their own"),
    "hidden_checks": mark("when rules about hidden cards are checked by the others"),
}
"""What each option is about, as `unop2p rules` lists it."""

FREE: Final = {
    "first_dealer": mark("NAME"),
    "blank_cards": mark("CARD;CARD... each as in `thunder x2: choose color, skip next`"),
}
"""Options whose values are words of the players' own, and how these are written."""

_SENTENCES: dict[str, dict[str, str]] = {
    "deck": {
        "108": mark("The deck has 108 cards."),
        "110": mark("The deck has 108 cards; the two spares of the box stay out."),
        "112_shuffle": mark(
            "The deck has 112 cards: one Shuffle Hands and three blanks on top of 108."
        ),
        "112_swap": mark("The deck has 112 cards: one Swap Hands and three blanks on top of 108."),
    },
    "blank_effect": {
        "wild": mark("A blank card is a Wild."),
        "swap_hands": mark(
            "A blank card is a Wild that swaps your hand with a player of your choice."
        ),
        "others_draw_one": mark("A blank card is a Wild that makes everybody else draw one."),
        "removed": mark("There are no blank cards."),
    },
    "dealer_selection": {
        "high_card_zero": mark("The highest card drawn deals first; actions and wilds count zero."),
        "high_card_redraw": mark(
            "The highest number drawn deals first; other cards are drawn again."
        ),
        "random": mark("The first dealer is drawn by lot."),
        "chosen": mark("Who opened the table deals first."),
    },
    "first_action": {
        "official": mark(
            "A first Skip or Draw Two hits the dealer's left; a first Reverse lets the "
            "dealer start, the other way round."
        ),
        "as_played": mark("A first action card counts as if the dealer had played it."),
        "reverse_only": mark("A first Reverse counts; a first Skip or Draw Two does nothing."),
        "none": mark("A first action card does nothing."),
    },
    "first_wild": {
        "choose_color": mark(
            "A first Wild stays: the first player names its color. A first Wild Draw Four or other "
            "wild card goes back, and the pile is shuffled again."
        ),
        "reshuffle": mark(
            "A first Wild, Wild Draw Four or other wild card goes back, and the pile is shuffled again."
        ),
        "bury_middle": mark(
            "A first Wild, Wild Draw Four or other wild card goes into the middle of the pile."
        ),
    },
    "symbol_match": {
        "all": mark("An action card goes on the same action of any color."),
        "skip_only": mark("A Skip goes on any Skip; Reverse and Draw Two go on their color only."),
        "none": mark("Action cards go on their own color only."),
    },
    "wild_condition": {
        "any_time": mark("A Wild may be played any time."),
        "no_colored_match": mark("A Wild may be played only with no colored card that fits."),
    },
    "wd4_condition": {
        "any_time": mark("A Wild Draw Four may be played any time."),
        "no_color": mark("A Wild Draw Four is lawful only with no card of the color in force."),
        "no_colored_match": mark("A Wild Draw Four is lawful only with no colored card that fits."),
        "no_other_playable": mark("A Wild Draw Four is lawful only with nothing else to play."),
    },
    "wd4_challenge": {
        "off": mark("An unlawful Wild Draw Four cannot be played."),
        "card_stays": mark(
            "A Wild Draw Four can be challenged: guilty, its player draws the four and "
            "the card stays; innocent, the challenger draws six."
        ),
        "card_returns": mark(
            "A Wild Draw Four can be challenged: guilty, its player takes it back and "
            "draws four; innocent, the challenger draws six."
        ),
    },
    "draw_until_playable": {
        "false": mark("Who draws takes one card."),
        "true": mark("Who draws takes cards until one fits."),
    },
    "voluntary_draw": {
        "true": mark("You may draw although you could play."),
        "false": mark("You may draw only when nothing fits."),
    },
    "drawn_card": {
        "may_play": mark("A drawn card that fits may be played or kept."),
        "must_play": mark("A drawn card that fits must be played."),
    },
    "stacking": {
        "none": mark("A Draw Two or Draw Four cannot be passed on."),
        "pass": mark("An answered attack passes on the value of the last card."),
        "add": mark("An answered attack passes on the sum of all its cards."),
    },
    "uno_deadline": {
        "until_caught": mark("UNO may be called late, until somebody catches you."),
        "before_card": mark("UNO is called with the play; later does not count."),
    },
    "last_draw_counts": {
        "true": mark("A last Draw Two or Draw Four is still drawn, and counts."),
        "false": mark("A last Draw Two or Draw Four is not drawn."),
    },
    "jump_in": {
        "off": mark("Nobody plays out of turn."),
        "numbers": mark("Who holds the identical number card may jump in."),
        "colored": mark("Who holds the identical colored card may jump in."),
    },
    "play_pairs": {
        "off": mark("One card is played a turn."),
        "numbers": mark("Two identical number cards may be played at once."),
        "colored": mark("Two identical colored cards may be played at once; they act as one."),
    },
    "scoring": {
        "winner_takes": mark("The winner of a round gets the points of all other hands."),
        "keep_own": mark("Everybody is charged the points of the own hand."),
    },
    "teams": {
        "false": mark("Everybody plays alone."),
        "true": mark(
            "Partners sit opposite each other: a round ends when one of them is out, and their "
            "points go together."
        ),
    },
    "hidden_checks": {
        "audit": mark("Rules about hidden cards are checked by everybody when the round is over."),
        "proved": mark("A move that a rule about hidden cards limits is proved when it is made."),
    },
}
_STACKS = {
    "two_on_two": mark("a Draw Two answers a Draw Two"),
    "two_on_four": mark("a Draw Two of the named color answers a Draw Four"),
    "four_on_two": mark("a Draw Four answers a Draw Two"),
    "four_on_four": mark("a Draw Four answers a Draw Four"),
}
_DEFLECTED = {"skip": mark("Skip"), "reverse": mark("Reverse")}
_A_DEFLECTED = {"skip": mark("a Skip"), "reverse": mark("a Reverse")}
_MOVES = {
    "zero_rotates": mark("A 0 passes all hands on."),
    "zero_swaps": mark("A 0 swaps your hand with a player of your choice."),
    "seven_swaps": mark("A 7 swaps your hand with a player of your choice."),
}


def _sentence(options: Options, name: str) -> Said | None:
    """Return the sentence of one option; None where another's says it."""
    value: OptionValue = getattr(options, name)
    if name in _SPECIAL and _SPECIAL[name][0](options):
        return _SPECIAL[name][1](options)
    if name in _SENTENCES:
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return said(_SENTENCES[name][key])
    match name:
        case "stack_on":
            parts = [said(_STACKS[item]) for item in options.stack_on]
            return None if options.stacking == "none" else as_sentence(listed("; ", parts))
        case "deflect":
            return _deflected(options)
        case "uno_penalty":
            if options.uno_penalty == 0:
                return said("UNO need not be called.")
            return said(
                "Who is caught without an UNO call draws {count}.", count=options.uno_penalty
            )
        case "foul_penalty":
            return _fine(options)
        case "hand_moves":
            moves = [said(_MOVES[item]) for item in options.hand_moves]
            return listed(" ", moves) if moves else None
        case "action_points":
            return said(
                "Colored action cards are worth {points}, Wilds and Draw Fours 50.", points=value
            )
        case "extra_wild_points":
            has_extra = str(options.deck).startswith("112")
            worth = said("Shuffle, Swap and blank cards are worth {points}.", points=value)
            return worth if has_extra else None
        case "match_end":
            return _end(options)
        case "decks":
            decks = options.decks
            together = said_n("{n} deck is shuffled.", "{n} decks are shuffled together.", decks)
            return together if decks != 1 else None
        case "blank_cards":
            return _cards_sentence(options)
        case _:
            return None


_TEAM_SCORING: Final = {
    "winner_takes": mark(
        "The winner of a round and the partner get the points of all other hands."
    ),
    "keep_own": mark("Partners are charged the points of both their hands."),
}
_EFFECTS: Final = {
    DISCARD: mark("you may put down all your cards of one color with it"),
    COLOR: mark("you name the color"),
    REVERSE: mark("the direction turns"),
    "swap hands": mark("you swap hands with a player of your choice"),
    "rotate hands": mark("all pass their hands on in the direction of play"),
    "shuffle hands": mark("all hands are shuffled together and dealt again"),
    SKIP: mark("the next player loses the turn"),
    AGAIN: mark("you play again"),
}
_THAT_ONE_DRAWS: Final = mark("that player draws {count}")
_DRAWERS: Final = {
    Whom.NEXT: mark("the next player draws {count}"),
    Whom.OTHERS: mark("everybody else draws {count}"),
    Whom.CHOSEN: mark("a player of your choice draws {count}"),
}


def _deflected(options: Options) -> Said | None:
    if not options.deflect:
        return None
    names = [said(_DEFLECTED[item]) for item in options.deflect]
    cards = reduce(lambda one, other: said("{one} or {other}", one=one, other=other), names)
    return said("A {cards} can be answered by the same.", cards=cards)


def _fine(options: Options) -> Said | None:
    fine = options.foul_penalty
    if not fine:
        return None
    if not options.uno_penalty:  # then there is nothing to call
        return said_n("A wrong card costs {n} card.", "A wrong card costs {n} cards.", fine)
    return said_n(
        "A wrong card, or an UNO call or catch out of place, costs {n} card.",
        "A wrong card, or an UNO call or catch out of place, costs {n} cards.",
        fine,
    )


def _cards_sentence(options: Options) -> Said | None:
    cards = zip(options.blank_cards, NAMED_BLANKS, strict=False)
    told = [card_sentence(card, face) for card, face in cards]
    return listed(" ", told) if told else None


def card_sentence(card: BlankCard, face: Face) -> Said:
    """Return what a blank card with a meaning of its own does, in one sentence.

    >>> from unop2p.rules.blanks import read_card
    >>> card_sentence(read_card("gift: draw 1 others, play again"), Face.WB1)
    'Gift (the blank WB1): everybody else draws 1, you play again; the color stays.'
    """
    told = listed(", ", [_effect(card, effect) for effect in card.effects])
    name = f"{card.name[:1].upper()}{card.name[1:]}"
    blanks = (
        said("{count} blanks {face}", count=card.count, face=face)
        if card.count > 1
        else said("the blank {face}", face=face)
    )
    if card.rule.names_color:
        return said("{name} ({blanks}): {effects}.", name=name, blanks=blanks, effects=told)
    return said(
        "{name} ({blanks}): {effects}; the color stays.", name=name, blanks=blanks, effects=told
    )


def _effect(card: BlankCard, effect: str) -> Said:
    if effect not in DRAWS:
        return said(_EFFECTS[effect])
    whom, count = DRAWS[effect]
    both = whom is Whom.CHOSEN and card.rule.hands is HandMove.SWAP
    return said(_THAT_ONE_DRAWS if both else _DRAWERS[whom], count=count)


def _other_blanks(options: Options) -> Said | None:
    has_blanks = options.deck.startswith("112")
    left = BLANKS - sum(card.count for card in options.blank_cards) if has_blanks else 0
    return said(_OTHER_BLANKS[options.blank_effect]) if left else None


_OTHER_BLANKS: Final = {
    "wild": mark("Any other blank card is a Wild."),
    "swap_hands": mark(
        "Any other blank card is a Wild that swaps your hand with a player of your choice."
    ),
    "others_draw_one": mark("Any other blank card is a Wild that makes everybody else draw one."),
    "removed": mark("The other blank cards are left out."),
}
_SPECIAL: Final[dict[str, tuple[Callable[[Options], bool], Callable[[Options], Said | None]]]] = {
    "dealer_selection": (
        lambda options: bool(options.first_dealer),
        lambda options: said(
            "{name} deals first (who opened the table, if absent).", name=options.first_dealer
        ),
    ),
    "blank_effect": (
        lambda options: bool(options.blank_cards) or not options.deck.startswith("112"),
        _other_blanks,
    ),
    # An option that another one leaves without a meaning says nothing.
    "wd4_challenge": (lambda options: options.wd4_condition == "any_time", lambda _options: None),
    "uno_deadline": (lambda options: not options.uno_penalty, lambda _options: None),
    "teams": (lambda options: not options.teams, lambda _options: None),
    "scoring": (
        lambda options: options.teams,
        lambda options: said(_TEAM_SCORING[options.scoring]),
    ),
}
"""Options whose sentence is another where a second option says so: when, and which."""


def _end(options: Options) -> Said:
    match options.match_end:
        case "rounds":
            return said_n(
                "Who first wins {n} round wins the match.",
                "Who first wins {n} rounds wins the match.",
                options.target,
            )
        case "eliminate":
            return said("Who has {points} points is out; who is left wins.", points=options.target)
        case _:
            highest = mark("At {points} points the match ends, and the highest total wins.")
            lowest = mark("At {points} points the match ends, and the lowest total wins.")
            best = highest if options.scoring == "winner_takes" else lowest
            return said(best, points=options.target)


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
        known = {**_STACKS, **_A_DEFLECTED, **_MOVES}
        return [(item, as_sentence(said(known[item]))) for item in SETS[name]]
    if name in NUMBERS:
        numbers = NUMBERS[name]
        if isinstance(numbers, range):
            return [(f"{numbers.start} to {numbers.stop - 1}", "")]
        return [(str(number), _alone(name, number)) for number in numbers]
    if name in FLAGS:
        return [(str(flag).lower(), _alone(name, flag)) for flag in (False, True)]
    if name in FREE:
        return [(said(FREE[name]), "")]
    return [(value, _said(name, value) or _alone(name, value)) for value in CHOICES[name]]


def _said(name: str, value: str) -> Said | None:
    known = _SENTENCES.get(name, {}).get(value)
    return said(known) if known is not None else None


def _alone(name: str, value: OptionValue) -> str:
    """Return the sentence of one value where it is the only change from `official`."""
    for scoring in ("winner_takes", "keep_own"):
        try:
            options = with_overrides(Options(), {"scoring": scoring, name: value})
        except InvalidOptionsError:
            continue
        return _sentence(options, name) or ""
    return ""

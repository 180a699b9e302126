"""The rules in force in plain sentences, made from the option values alone."""

from unop2p.rules.options import FIELD_NAMES, Options, OptionValue

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
    if name in _SENTENCES:
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return _SENTENCES[name][key]
    match name:
        case "stack_on":
            parts = [_STACKS[item] for item in options.stack_on]
            return None if options.stacking == "none" else f"{'; '.join(parts)}.".capitalize()
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
        case _:
            return None


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

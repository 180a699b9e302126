"""A second, plain reading of the rules, from the rules page alone, as simple as can be.

It knows what a play does to turn, direction and attack where nothing can be answered, and which
cards lie on which. It shares no code with the engine: cards are text here.
"""


def lies_on(card: str, top: str, color: str, symbol_match: str) -> bool:
    """Return whether a card may be put on the top card."""
    if card[0] == "W" or card[0] == color:
        return True
    same_mark = card[1:] == top[1:] and top[0] != "W"
    if card[1:].isdigit() or symbol_match == "all":
        return same_mark
    return same_mark and symbol_match == "skip_only" and card[1:] == "S"


def after_play(card: str, seats: int, mover: int, direction: int) -> tuple[int, int, int]:
    """Return who is to move, the direction, and how many cards that seat faces."""
    mark = card if card[0] == "W" else card[1:]
    if mark == "S":
        return (mover + 2 * direction) % seats, direction, 0
    if mark == "V" and seats == 2:
        return mover, -direction, 0
    if mark == "V":
        return (mover - direction) % seats, -direction, 0
    faced = {"+2": 2, "W4": 4}.get(mark, 0)
    return (mover + direction) % seats, direction, faced


def worth(card: str, action: int, extra: int) -> int:
    """Return what a card left in a hand counts."""
    if card in {"W", "W4"}:
        return 50
    if card[0] == "W":
        return extra
    return int(card[1:]) if card[1:].isdigit() else action

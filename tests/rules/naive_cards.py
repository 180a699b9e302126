"""Cards as text, for the plain reading of the rules."""

COLORS = "RYGB"
ALL_CARDS = [c + m for c in COLORS for m in [*"0123456789SV", "+2"]]
ALL_CARDS += ["W", "W4", "WH", "WX", "WB", "WB1", "WB2", "WB3"]
HEAD_COUNT = {"+2": 2, "W4": 4}


def lies_on(card: str, top: str, color: str, symbol_match: str) -> bool:
    """Return whether a card may be put on the top card."""
    if card[0] == "W" or card[0] == color:
        return True
    same_mark = card[1:] == top[1:] and top[0] != "W"
    if card[1:].isdigit() or symbol_match == "all":
        return same_mark
    return same_mark and symbol_match == "skip_only" and card[1:] == "S"


def mark(card: str) -> str:
    """Return a card without its color: `7`, `S`, `V`, `+2`, `W`, `W4`, ..."""
    return card if card[0] == "W" else card[1:]


def worth(card: str, action: int, extra: int) -> int:
    """Return what a card left in a hand counts."""
    if card in {"W", "W4"}:
        return 50
    if card[0] == "W":
        return extra
    return int(card[1:]) if card[1:].isdigit() else action

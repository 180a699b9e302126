"""Who plays a seat, in words: a person, or which bot and whose."""

from unop2p.table.notices import SeatJoined
from unop2p.table.view import SeatView
from unop2p.words import Words


def who_plays(shown: SeatView | SeatJoined, words: Words) -> str:
    """Return what plays a seat; of a bot what it says of itself.

    Args:
        shown: the seat, or the news of it.
        words: the language.
    """
    if not shown.bot:
        return words.say("human")
    if not shown.level:
        return words.say("bot")
    if not shown.owner:
        return words.say("bot {level} {version}", level=shown.level, version=shown.version)
    return words.say(
        "bot {level} {version}, owner {owner}",
        level=shown.level,
        version=shown.version,
        owner=shown.owner,
    )

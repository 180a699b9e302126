"""Who plays a seat, in words."""

from unop2p.repl.who import who_plays
from unop2p.table.notices import SeatJoined
from unop2p.words import ENGLISH


def joined(*, bot: bool, level: str = "", owner: str = "") -> SeatJoined:
    return SeatJoined(
        name="ben",
        bot=bot,
        fingerprint="ab 12",
        seats_taken=1,
        seats_wanted=2,
        level=level,
        version="0.1.0" if level else "",
        owner=owner,
    )


def test_a_person_is_a_human_and_a_silent_bot_a_bot() -> None:
    assert who_plays(joined(bot=False), ENGLISH) == "human"
    assert who_plays(joined(bot=True), ENGLISH) == "bot"


def test_a_bot_is_shown_with_level_version_and_owner() -> None:
    assert who_plays(joined(bot=True, level="net"), ENGLISH) == "bot net 0.1.0"
    shown = who_plays(joined(bot=True, level="net", owner="cd 34"), ENGLISH)
    assert shown == "bot net 0.1.0, owner cd 34"

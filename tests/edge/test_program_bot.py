"""A bot that is a program: asked, started anew, given up."""

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bots.support import position
from tests.edge.bot_support import script
from unop2p.bots.fallback import FallbackBot
from unop2p.bots.messages import Fault, ProgramError
from unop2p.bots.simple import GreedyBot
from unop2p.edge.program import can_run
from unop2p.edge.program_bot import Limits, ProgramBot
from unop2p.ids import Seat
from unop2p.rules.moves import Move

pytestmark = pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
HASTY = Limits(ready_ms=20_000, answer_ms=20_000)
IMPATIENT = Limits(ready_ms=20_000, answer_ms=150)


def asked(bot: ProgramBot, times: int = 1, rules: str = "official") -> list[Move | Fault | None]:
    """Ask a number of times; return the moves, and the faults where there is none."""
    view = position("R1 G2 R7", top="R5", rules=rules).view(Seat(0))
    found: list[Move | Fault | None] = []
    for _ in range(times):
        try:
            found.append(bot.choose(view, view.legal(), Random(1)))
        except ProgramError as error:
            found.append(error.fault)
    return found


def first() -> Move:
    return position("R1 G2 R7", top="R5").view(Seat(0)).legal()[0]


def test_a_program_plays(tmp_path: Path) -> None:
    bot = ProgramBot("mine", [script(tmp_path, "while True: first(asked())")], limits=HASTY)
    assert asked(bot, 3) == [first()] * 3
    assert bot.starts == 1
    bot.close()


def test_the_seed_is_the_bots_chance(tmp_path: Path) -> None:
    body = "while True:\n m = asked()\n say(type='move', id=m['id'], index=m['seed'] % len(m['legal']))"
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    assert len(set(asked(bot, 4))) == 1
    bot.close()


def test_other_rules_are_told_before_the_next_question(tmp_path: Path) -> None:
    body = "ready()\nn = 0\nwhile True:\n m = hear()\n if m['type'] == 'hello':\n  n += 1; say(type='ready', protocol=1)\n else: say(type='move', id=m['id'], index=n)"
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    view = position("R1 G2 R7", top="R5").view(Seat(0))
    assert asked(bot) == [view.legal()[0]]
    polish = position("R1 G2 R7", top="R5", rules="polish").view(Seat(0))
    assert asked(bot, rules="polish") == [polish.legal()[1]]
    assert bot.starts == 1
    bot.close()


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("asked(); print('what?', flush=True); hear()", Fault.GARBAGE),
        ("asked(); sys.exit(1)", Fault.ENDED),
        ("asked(); os.write(1, b'x' * 100000); hear()", Fault.FLOOD),
        ("asked(); say(type='move', id=99, index=0); hear()", Fault.GARBAGE),
        ("sys.exit(1)", Fault.ENDED),
        ("hear(); say(type='ready', protocol=9); hear()", Fault.GARBAGE),
        ("hear(); say(type='move', id=1, index=0); hear()", Fault.GARBAGE),
    ],
)
def test_a_program_that_breaks_is_started_three_times_more_and_then_given_up(
    tmp_path: Path, body: str, fault: Fault
) -> None:
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    assert asked(bot, 6) == [fault] * 4 + [Fault.ENDED] * 2
    assert bot.starts == 4
    bot.close()


def test_after_three_misses_in_a_row_it_is_started_anew(tmp_path: Path) -> None:
    body = "while True:\n m = asked()\n say(type='move', id=m['id'], index=77)"
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    assert asked(bot, 3) == [Fault.UNLAWFUL] * 3
    assert bot.starts == 1
    assert asked(bot) == [Fault.UNLAWFUL]
    assert bot.starts == 2
    bot.close()


def test_a_lawful_move_forgives_the_misses_before_it(tmp_path: Path) -> None:
    body = "n = 0\nwhile True:\n m = asked()\n n += 1\n say(type='move', id=m['id'], index=77 if n % 3 else 0)"
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    assert asked(bot, 6) == [Fault.UNLAWFUL, Fault.UNLAWFUL, first()] * 2
    assert bot.starts == 1
    bot.close()


def test_an_answer_that_comes_too_late_is_let_go(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    body = (
        f"m = asked()\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
        "first(m)\nwhile True:\n m = asked()\n say(type='move', id=m['id'], index=1)"
    )
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=IMPATIENT)
    assert asked(bot) == [Fault.SILENT]
    gate.write_text("")
    bot._limits = HASTY
    assert asked(bot) == [position("R1 G2 R7", top="R5").view(Seat(0)).legal()[1]]
    bot.close()


def test_one_that_says_itself_that_it_has_no_move_goes_on(tmp_path: Path) -> None:
    body = (
        "m = asked()\nsay(type='failed', id=m['id'], error='no idea')\nwhile True: first(asked())"
    )
    bot = ProgramBot("mine", [script(tmp_path, body)], limits=HASTY)
    assert asked(bot, 2) == [Fault.FAILED, first()]
    assert bot.starts == 1
    bot.close()


def test_a_closed_one_is_not_started_again(tmp_path: Path) -> None:
    bot = ProgramBot("mine", [script(tmp_path, "while True: first(asked())")], limits=HASTY)
    bot.start()
    bot.close()
    assert asked(bot) == [Fault.ENDED]
    assert bot.starts == 1


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.binary(max_size=300), ready=st.booleans(), seed=st.integers(0, 99))
def test_whatever_a_program_prints_a_lawful_move_is_made(
    tmp_path: Path, data: bytes, ready: bool, seed: int
) -> None:
    said = tmp_path / "said"
    said.write_bytes((b'{"type":"ready","protocol":1}\n' if ready else b"") + data)
    bot = FallbackBot(ProgramBot("mine", ["/bin/cat", str(said)], limits=HASTY), GreedyBot())
    view = position("R1 G2 R7", top="R5").view(Seat(0))
    for _ in range(6):
        assert bot.choose(view, view.legal(), Random(seed)) in view.legal()
    bot.close()
    assert sys.platform != "win32"
